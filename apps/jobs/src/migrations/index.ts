import { CreateJobs1764200000850 } from './1764200000850-create-jobs';

/** In the order in which they run. */
export const migrations = [CreateJobs1764200000850] as const;
