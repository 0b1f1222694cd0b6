import { CreateMessages1763700000000 } from './1763700000000-create-messages';

/** In the order in which they run. */
export const migrations = [CreateMessages1763700000000] as const;
