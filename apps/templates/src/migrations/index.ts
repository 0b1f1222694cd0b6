import { CreateTemplates1763700000000 } from './1763700000000-create-templates';
import { ManageTemplates1763900000003 } from './1763900000003-manage-templates';
import { AnswerCallbacks1763900000007 } from './1763900000007-answer-callbacks';
import { AddHeaderSamples1764000000010 } from './1764000000010-add-header-samples';
import { LeaveBusinesses1764000000112 } from './1764000000112-leave-businesses';
import { KeepPublishedMessages1764100000820 } from './1764100000820-keep-published-messages';
import { RememberFlags1764300000220 } from './1764300000220-remember-flags';

/** In the order in which they run. */
export const migrations = [
  CreateTemplates1763700000000,
  ManageTemplates1763900000003,
  AnswerCallbacks1763900000007,
  AddHeaderSamples1764000000010,
  LeaveBusinesses1764000000112,
  KeepPublishedMessages1764100000820,
  RememberFlags1764300000220,
] as const;
