import { CreateCodes1763700000000 } from './1763700000000-create-codes';

/** In the order in which they run. */
export const migrations = [CreateCodes1763700000000] as const;
