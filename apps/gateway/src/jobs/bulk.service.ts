import { Injectable } from '@nestjs/common';
import type { CreatedJob, JobEstimate } from '@switchboard/contracts';
import { JobsClient } from '@switchboard/service-clients';
import { partsOf } from './bulk-parts';
import { givenRecipients } from './given-recipients';
import type { JobMaker } from './job-maker';
import { estimatedOf, parseJobRequest } from './job-request';
import { QuietHoursService } from './quiet-hours';

/** Number of parts uploaded concurrently. */
const PARTS_AT_A_TIME = 4;

@Injectable()
export class BulkService {
  constructor(
    private readonly jobs: JobsClient,
    private readonly quiet: QuietHoursService,
  ) {}

  /**
   * Creates a job from a bulk call, or estimates it for a dry run. Parts staged for a job that fails are deleted within
   * an hour.
   * @throws AppError as a send; BULK_LIMIT_EXCEEDED; 422 if no recipient is valid
   */
  async create(body: unknown, maker: JobMaker): Promise<CreatedJob | JobEstimate> {
    const { recipients, dryRun, quietHours, command: given } = parseJobRequest(body, 'recipients', maker);
    const { accountId, jobId } = given;
    const parts = partsOf(givenRecipients(recipients, maker.plan.bulkRecipients));
    const rows = parts.pop() ?? [];
    const job = { ...given, ...(await this.quiet.ofAccount(accountId, quietHours)) };
    for (let from = 0; from < parts.length; from += PARTS_AT_A_TIME) {
      const some = parts.slice(from, from + PARTS_AT_A_TIME);
      await Promise.all(
        some.map((part, index) => this.jobs.stageRows({ accountId, jobId, part: from + index, rows: part })),
      );
    }
    const command = { ...job, parts: parts.length, rows };
    if (dryRun) return this.jobs.estimateJob({ ...estimatedOf(job), parts: parts.length, rows });
    const make = (): Promise<CreatedJob> => {
      if (job.maxSpend || job.numbers || job.quietHours) return this.jobs.createCappedJob(command);
      return job.hold ? this.jobs.createHeldJob(command) : this.jobs.createJob(command);
    };
    return maker.noted ? maker.noted(command, make) : make();
  }
}
