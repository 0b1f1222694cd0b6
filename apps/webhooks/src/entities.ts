import { messageEntities } from '@switchboard/database';
import { Attempt } from './deliveries/attempt.entity';
import { Delivery } from './deliveries/delivery.entity';
import { PendingDelivery } from './deliveries/pending-delivery.entity';
import { Endpoint } from './endpoints/endpoint.entity';
import { Event } from './events/event.entity';
import { EventKey } from './events/event-key.entity';
import { DeliveryHour } from './statistics/delivery-hour.entity';
import { DeliveryHoursBackfill } from './statistics/delivery-hours-backfill.entity';
import { DeliveryLogEntry } from './log/delivery-log-entry.entity';
import { Replay } from './replays/replay.entity';
import { RetentionDays } from './retention/retention-days.entity';

export const entities = [
  ...messageEntities,
  Attempt,
  Delivery,
  DeliveryHour,
  DeliveryHoursBackfill,
  DeliveryLogEntry,
  Endpoint,
  Event,
  EventKey,
  PendingDelivery,
  Replay,
  RetentionDays,
];
