import { CreateTemplates1764300000220 } from './1764300000220-create-templates';
import { CreateTemplateSamples1795900000070 } from './1795900000070-create-template-samples';

/** In execution order. */
export const migrations = [CreateTemplates1764300000220, CreateTemplateSamples1795900000070] as const;
