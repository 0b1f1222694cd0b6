import { CreateJobs1764200000850 } from './1764200000850-create-jobs';
import { CreateJobMedia1764200000860 } from './1764200000860-create-job-media';
import { AddMaxSpend1764200000880 } from './1764200000880-add-max-spend';
import { AddJobNumbers1764200000890 } from './1764200000890-add-job-numbers';
import { AddBusinessNumber1764200000895 } from './1764200000895-add-business-number';
import { AddEstimates1764200000905 } from './1764200000905-add-estimates';
import { IndexDueEstimates1764200000906 } from './1764200000906-index-due-estimates';
import { AddLimitsDueAt1764200000915 } from './1764200000915-add-limits-due-at';
import { AddQuietHours1795900000060 } from './1795900000060-add-quiet-hours';
import { IndexWaitingRecipients1795900000061 } from './1795900000061-index-waiting-recipients';
import { AddJobNames1795900000140 } from './1795900000140-add-job-names';

/** In execution order. */
export const migrations = [
  CreateJobs1764200000850,
  CreateJobMedia1764200000860,
  AddMaxSpend1764200000880,
  AddJobNumbers1764200000890,
  AddBusinessNumber1764200000895,
  AddEstimates1764200000905,
  IndexDueEstimates1764200000906,
  AddLimitsDueAt1764200000915,
  AddQuietHours1795900000060,
  IndexWaitingRecipients1795900000061,
  AddJobNames1795900000140,
] as const;
