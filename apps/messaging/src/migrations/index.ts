import { CreateMessaging1764500000010 } from './1764500000010-create-messaging';
import { CreateMediaFiles1764500000020 } from './1764500000020-create-media-files';
import { AddParentUserIds1764600000100 } from './1764600000100-add-parent-user-ids';
import { IndexParentUserIds1764600000101 } from './1764600000101-index-parent-user-ids';
import { CreateRates1795800000010 } from './1795800000010-create-rates';
import { CreateUsageDays1795800000020 } from './1795800000020-create-usage-days';
import { CreateSpend1795800000880 } from './1795800000880-create-spend';
import { AddPortfolios1795800000890 } from './1795800000890-add-portfolios';
import { KeepReleasedReservations1795800000900 } from './1795800000900-keep-released-reservations';
import { IndexUsageOfJobs1795800000901 } from './1795800000901-index-usage-of-jobs';
import { AddQueue1795800000920 } from './1795800000920-add-queue';
import { IndexQueue1795800000921 } from './1795800000921-index-queue';
import { BackfillQueue1795800000922 } from './1795800000922-backfill-queue';
import { AddSenders1795800000923 } from './1795800000923-add-senders';
import { CreateLabels1795800000930 } from './1795800000930-create-labels';
import { CreateNotes1795800000940 } from './1795800000940-create-notes';
import { ReleaseRemovedWaits1795900000050 } from './1795900000050-release-removed-waits';
import { CreateResults1795900000100 } from './1795900000100-create-results';
import { IndexAssignees1795900000120 } from './1795900000120-index-assignees';
import { IgnoreReactions1795900000121 } from './1795900000121-ignore-reactions';
import { CreateActivities1795900000130 } from './1795900000130-create-activities';
import { AddOptOutSources1795900000160 } from './1795900000160-add-opt-out-sources';
import { AddDisplayNames1795900000161 } from './1795900000161-add-display-names';
import { IndexSentMedia1795900000170 } from './1795900000170-index-sent-media';

/** In execution order. */
export const migrations = [
  CreateMessaging1764500000010,
  CreateMediaFiles1764500000020,
  AddParentUserIds1764600000100,
  IndexParentUserIds1764600000101,
  CreateRates1795800000010,
  CreateUsageDays1795800000020,
  CreateSpend1795800000880,
  AddPortfolios1795800000890,
  KeepReleasedReservations1795800000900,
  IndexUsageOfJobs1795800000901,
  AddQueue1795800000920,
  IndexQueue1795800000921,
  BackfillQueue1795800000922,
  AddSenders1795800000923,
  CreateLabels1795800000930,
  CreateNotes1795800000940,
  ReleaseRemovedWaits1795900000050,
  CreateResults1795900000100,
  IndexAssignees1795900000120,
  IgnoreReactions1795900000121,
  CreateActivities1795900000130,
  AddOptOutSources1795900000160,
  AddDisplayNames1795900000161,
  IndexSentMedia1795900000170,
] as const;
