import { CreateJobs1763700000000 } from './1763700000000-create-jobs';
import { CreateRecipients1763900000002 } from './1763900000002-create-recipients';
import { IndexJobsByStatus1763950000350 } from './1763950000350-index-jobs-by-status';
import { AddJobExpiry1763960000360 } from './1763960000360-add-job-expiry';
import { FindRecipientsByPhone1764000000500 } from './1764000000500-find-recipients-by-phone';
import { KeepPublishedMessages1764100000840 } from './1764100000840-keep-published-messages';
import { DescribeSheets1764200000850 } from './1764200000850-describe-sheets';

/** In the order in which they run. */
export const migrations = [
  CreateJobs1763700000000,
  CreateRecipients1763900000002,
  IndexJobsByStatus1763950000350,
  AddJobExpiry1763960000360,
  FindRecipientsByPhone1764000000500,
  KeepPublishedMessages1764100000840,
  DescribeSheets1764200000850,
] as const;
