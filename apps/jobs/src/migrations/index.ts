import { CreateJobs1764200000850 } from './1764200000850-create-jobs';

/** In execution order. */
export const migrations = [CreateJobs1764200000850] as const;
