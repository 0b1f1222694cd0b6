import { CreateJobs1763700000000 } from './1763700000000-create-jobs';
import { CreateRecipients1763900000002 } from './1763900000002-create-recipients';

/** In the order in which they run. */
export const migrations = [CreateJobs1763700000000, CreateRecipients1763900000002] as const;
