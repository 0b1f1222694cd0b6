import { CreateTemplates1764300000220 } from './1764300000220-create-templates';

/** In the order in which they run. */
export const migrations = [CreateTemplates1764300000220] as const;
