import { Inject, Injectable } from '@nestjs/common';
import { ESTIMATED_SENDS_MAX, type JobEstimate, type JobRow } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import { MessagingClient } from '@switchboard/service-clients';
import type { JobsConfig } from '../config';
import { CreationLimiter } from '../jobs/creation-limiter';
import { JobCheck } from '../jobs/job-check';
import type { NewJob } from '../jobs/new-job';
import { prepareJob, refuseLate } from '../jobs/prepare-job';
import { RowTally } from '../jobs/row-tally';
import { type JudgedRow, RowValidator } from '../jobs/row-validator';
import { expectedSeconds } from '../pace/duration';
import { EstimateTally } from './estimate-tally';

/** Job of a dry run, which is validated but not created. */
export type JobToEstimate = Omit<NewJob, 'jobId' | 'hold' | 'expireAt'>;

/** Estimates what a job would send and cost. Stores nothing. */
@Injectable()
export class EstimateJobService {
  constructor(
    private readonly jobCheck: JobCheck,
    private readonly messaging: MessagingClient,
    private readonly places: CreationLimiter,
    @Inject(CONFIG) private readonly config: Pick<JobsConfig, 'JOBS_MAX_PACE'>,
  ) {}

  /**
   * Validates the rows of a job like `CreateJobService.createJob` and adds up their prices. Memory is bounded, except
   * for one key per recipient, which finds duplicates.
   * @throws AppError as `CreateJobService.createJob`
   */
  async estimateJob(job: JobToEstimate, batches: AsyncIterable<readonly JobRow[]>): Promise<JobEstimate> {
    const leave = await this.places.enter(job.accountId);
    try {
      refuseLate(job);
      return await this.estimate(job, batches);
    } finally {
      leave();
    }
  }

  private async estimate(given: JobToEstimate, batches: AsyncIterable<readonly JobRow[]>): Promise<JobEstimate> {
    const { job, checked } = await prepareJob(this.jobCheck, given);
    const { accountId, type, scheduledAt, file } = job;
    const { phoneNumber: from, template } = checked;
    const judge = new RowValidator(this.jobCheck, job, checked);
    const at = new Date(Math.max(scheduledAt?.getTime() ?? 0, Date.now())).toISOString();
    const sends = { accountId, from, at, ...(template && { category: template.category }) };
    const rows = new RowTally();
    const tally = new EstimateTally();
    for await (const batch of batches) {
      refuseLate(job);
      const judged = await judge.judge(batch);
      rows.add(judged);
      tally.addRejected(judged);
      for (const part of partsOf(judged.filter(({ fault }) => fault === null))) {
        const recipients = part.map(({ phone }) => phone);
        tally.add(part, await this.messaging.estimateSends({ ...sends, recipients }));
      }
    }
    rows.requireAny(judge, type);
    const { numbers, ...freeService } = await this.messaging.getSendingCapacity({
      accountId,
      numbers: checked.numbers?.map(({ phoneNumber }) => phoneNumber) ?? [from],
      at,
    });
    const { accepted, rejected, errors } = rows;
    const { messages } = tally;
    return {
      dryRun: true,
      total: accepted + rejected + judge.duplicates,
      accepted,
      rejected,
      duplicates: judge.duplicates,
      errors,
      sendAt: at,
      messages,
      ...tally.result(freeService),
      durationSeconds: expectedSeconds(tally, numbers, this.config.JOBS_MAX_PACE),
      numbers,
      ...(file && { sheet: file.sheet, ...(file.warnings.length > 0 && { warnings: file.warnings }) }),
    };
  }
}

function partsOf(rows: readonly JudgedRow[]): JudgedRow[][] {
  return Array.from({ length: Math.ceil(rows.length / ESTIMATED_SENDS_MAX) }, (_none, index) =>
    rows.slice(index * ESTIMATED_SENDS_MAX, (index + 1) * ESTIMATED_SENDS_MAX),
  );
}
