import { CreateTemplates1764300000220 } from './1764300000220-create-templates';

/** In execution order. */
export const migrations = [CreateTemplates1764300000220] as const;
