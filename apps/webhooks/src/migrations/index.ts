import { CreateWebhooks1763700000000 } from './1763700000000-create-webhooks';
import { SplitDeliveries1763800020000 } from './1763800020000-split-deliveries';

/** All migrations of the schema `webhooks`, the oldest first. */
export const migrations = [CreateWebhooks1763700000000, SplitDeliveries1763800020000];
