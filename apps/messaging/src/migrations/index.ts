import { CreateMessages1763700000000 } from './1763700000000-create-messages';
import { PartitionMessages1763800000000 } from './1763800000000-partition-messages';
import { CreateMedia1763800000001 } from './1763800000001-create-media';
import { AddSending1763800000002 } from './1763800000002-add-sending';
import { CountConversationsLast1763800000003 } from './1763800000003-count-conversations-last';
import { AddSecretsAndThroughput1763900000001 } from './1763900000001-add-secrets-and-throughput';
import { CreateUnownedCallbacks1763900000010 } from './1763900000010-create-unowned-callbacks';
import { RemoveNumbers1763900000020 } from './1763900000020-remove-numbers';
import { SkipSearchStatistics1763900000040 } from './1763900000040-skip-search-statistics';
import { IndexMessageNames1763960000170 } from './1763960000170-index-message-names';
import { MarkSecretMessages1763970000030 } from './1763970000030-mark-secret-messages';
import { CountMessagesByHour1763990000100 } from './1763990000100-count-messages-by-hour';
import { CountEarlierMessages1763990000110 } from './1763990000110-count-earlier-messages';
import { RecordNumberChanges1763990000120 } from './1763990000120-record-number-changes';
import { AddMessagePricing1763990000123 } from './1763990000123-add-message-pricing';
import { AddUsernames1764100000002 } from './1764100000002-add-usernames';
import { CreateBlocks1764100000020 } from './1764100000020-create-blocks';
import { RecordWhatPeopleChange1764100000030 } from './1764100000030-record-what-people-change';
import { IndexMessagesOfGroups1764100000031 } from './1764100000031-index-messages-of-groups';
import { CreateAccountNotices1764100000040 } from './1764100000040-create-account-notices';
import { AddHeldReason1764100000041 } from './1764100000041-add-held-reason';
import { CountPricesByHour1764100000050 } from './1764100000050-count-prices-by-hour';
import { CountEarlierPrices1764100000051 } from './1764100000051-count-earlier-prices';
import { AddMarketingEndpoint1764100000052 } from './1764100000052-add-marketing-endpoint';
import { KeepPublishedMessages1764100000810 } from './1764100000810-keep-published-messages';
import { TellOriginsApart1764200000010 } from './1764200000010-tell-origins-apart';
import { CreateNumberHistories1764200000011 } from './1764200000011-create-number-histories';
import { IndexAppNames1764200000012 } from './1764200000012-index-app-names';
import { DeriveTogether1764200000020 } from './1764200000020-derive-together';
import { FindPeopleByTheirKeys1764200000021 } from './1764200000021-find-people-by-their-keys';
import { AddSendTrace1764300000010 } from './1764300000010-add-send-trace';
import { SearchWithoutAccents1764300000040 } from './1764300000040-search-without-accents';
import { IgnoreWithdrawnReactions1764500000010 } from './1764500000010-ignore-withdrawn-reactions';

/** In the order in which they run. */
export const migrations = [
  CreateMessages1763700000000,
  PartitionMessages1763800000000,
  CreateMedia1763800000001,
  AddSending1763800000002,
  CountConversationsLast1763800000003,
  AddSecretsAndThroughput1763900000001,
  CreateUnownedCallbacks1763900000010,
  RemoveNumbers1763900000020,
  SkipSearchStatistics1763900000040,
  IndexMessageNames1763960000170,
  MarkSecretMessages1763970000030,
  CountMessagesByHour1763990000100,
  CountEarlierMessages1763990000110,
  RecordNumberChanges1763990000120,
  AddMessagePricing1763990000123,
  AddUsernames1764100000002,
  CreateBlocks1764100000020,
  RecordWhatPeopleChange1764100000030,
  IndexMessagesOfGroups1764100000031,
  CreateAccountNotices1764100000040,
  AddHeldReason1764100000041,
  CountPricesByHour1764100000050,
  CountEarlierPrices1764100000051,
  AddMarketingEndpoint1764100000052,
  KeepPublishedMessages1764100000810,
  TellOriginsApart1764200000010,
  CreateNumberHistories1764200000011,
  IndexAppNames1764200000012,
  DeriveTogether1764200000020,
  FindPeopleByTheirKeys1764200000021,
  AddSendTrace1764300000010,
  SearchWithoutAccents1764300000040,
  IgnoreWithdrawnReactions1764500000010,
] as const;
