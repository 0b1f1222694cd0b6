import { CreateWebhooks1763700000000 } from './1763700000000-create-webhooks';

/** All migrations of the schema `webhooks`, the oldest first. */
export const migrations = [CreateWebhooks1763700000000];
