import { CreateJobs1763700000000 } from './1763700000000-create-jobs';

/** In the order in which they run. */
export const migrations = [CreateJobs1763700000000] as const;
