import { CreateWebhooks1764300000210 } from './1764300000210-create-webhooks';
import { AddEventStatus1795900000150 } from './1795900000150-add-event-status';

/** In execution order. */
export const migrations = [CreateWebhooks1764300000210, AddEventStatus1795900000150] as const;
