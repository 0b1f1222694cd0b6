import { CreateWebhooks1764300000210 } from './1764300000210-create-webhooks';

/** In execution order. */
export const migrations = [CreateWebhooks1764300000210] as const;
