import { CreateWebhooks1764300000210 } from './1764300000210-create-webhooks';

/** In the order in which they run. */
export const migrations = [CreateWebhooks1764300000210] as const;
