import { CreateTemplates1763700000000 } from './1763700000000-create-templates';

/** In the order in which they run. */
export const migrations = [CreateTemplates1763700000000] as const;
