import { CreateWebhooks1763700000000 } from './1763700000000-create-webhooks';
import { SplitDeliveries1763800020000 } from './1763800020000-split-deliveries';
import { NameClaimHolders1763800090000 } from './1763800090000-name-claim-holders';
import { CreateAccountRetention1763800091000 } from './1763800091000-create-account-retention';
import { TakeReplaysInTurn1763800110000 } from './1763800110000-take-replays-in-turn';
import { ResumeGoneEndpoints1763800140000 } from './1763800140000-resume-gone-endpoints';
import { IndexDueRetries1763800150000 } from './1763800150000-index-due-retries';
import { IndexPendingEvents1763960000180 } from './1763960000180-index-pending-events';
import { IndexStoredDeliveries1763960000380 } from './1763960000380-index-stored-deliveries';
import { FreeErrorClasses1763970000410 } from './1763970000410-free-error-classes';
import { FreeEventKinds1763970000420 } from './1763970000420-free-event-kinds';
import { AddEndpointOptions1763970000430 } from './1763970000430-add-endpoint-options';
import { IndexReplays1763980000200 } from './1763980000200-index-replays';
import { CountDeliveriesByHour1763990000100 } from './1763990000100-count-deliveries-by-hour';
import { CountEarlierDeliveries1763990000110 } from './1763990000110-count-earlier-deliveries';
import { ReplayByKind1763990000600 } from './1763990000600-replay-by-kind';
import { KeepPublishedMessages1764100000850 } from './1764100000850-keep-published-messages';
import { IndexPendingMessages1764200000030 } from './1764200000030-index-pending-messages';
import { AddMessageRecordIds1764300000020 } from './1764300000020-add-message-record-ids';

/** All migrations of the schema `webhooks`, the oldest first. */ import { IndexRetriesOfEndpoints1764300000210 } from './1764300000210-index-retries-of-endpoints';

export const migrations = [
  CreateWebhooks1763700000000,
  SplitDeliveries1763800020000,
  NameClaimHolders1763800090000,
  CreateAccountRetention1763800091000,
  TakeReplaysInTurn1763800110000,
  ResumeGoneEndpoints1763800140000,
  IndexDueRetries1763800150000,
  IndexPendingEvents1763960000180,
  IndexStoredDeliveries1763960000380,
  FreeErrorClasses1763970000410,
  FreeEventKinds1763970000420,
  AddEndpointOptions1763970000430,
  IndexReplays1763980000200,
  CountDeliveriesByHour1763990000100,
  CountEarlierDeliveries1763990000110,
  ReplayByKind1763990000600,
  KeepPublishedMessages1764100000850,
  IndexPendingMessages1764200000030,
  AddMessageRecordIds1764300000020,
  IndexRetriesOfEndpoints1764300000210,
];
