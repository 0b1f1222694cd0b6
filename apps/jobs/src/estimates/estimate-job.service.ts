import { Inject, Injectable } from '@nestjs/common';
import type { JobEstimate } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { JobsConfig } from '../config';
import { CreationLimiter } from '../jobs/creation-limiter';
import { JobCheck } from '../jobs/job-check';
import type { NewJob } from '../jobs/new-job';
import { prepareJob, type ReadRows, refuseLate } from '../jobs/prepare-job';
import { RowTally } from '../jobs/row-tally';
import { RowValidator } from '../jobs/row-validator';
import { expectedSeconds, totalRate } from '../pace/duration';
import { Clock } from '../quiet/clock';
import { RegionTally } from '../quiet/region-tally';
import { quietSeconds, waitingAt } from '../quiet/waiting';
import { EstimateTally } from './estimate-tally';
import { SampleRows } from './sample-rows';
import { SendEstimator, sendsOf } from './send-estimator';

/** Job of a dry run, which is validated but not created. */
export type JobToEstimate = Omit<NewJob, 'jobId' | 'hold' | 'expireAt'>;

/** Estimates what a job would send and cost. Stores nothing. */
@Injectable()
export class EstimateJobService {
  constructor(
    private readonly jobCheck: JobCheck,
    private readonly estimator: SendEstimator,
    private readonly places: CreationLimiter,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Pick<JobsConfig, 'JOBS_MAX_PACE'>,
  ) {}

  /**
   * Validates the rows of a job like `CreateJobService.createJob` and adds up their prices. Memory is bounded, except
   * for one key per recipient, which finds duplicates.
   * @throws AppError as `CreateJobService.createJob`
   */
  async estimateJob(job: JobToEstimate, readRows: ReadRows): Promise<JobEstimate> {
    const leave = await this.places.enter(job.accountId);
    try {
      refuseLate(job);
      return await this.estimate(job, readRows);
    } finally {
      leave();
    }
  }

  private async estimate(given: JobToEstimate, readRows: ReadRows): Promise<JobEstimate> {
    const { job, checked } = await prepareJob(this.jobCheck, given);
    const { accountId, type, scheduledAt, file, maxSpend, quietHours: quiet } = job;
    const judge = new RowValidator(this.jobCheck, job, checked);
    const startAt = Math.max(scheduledAt?.getTime() ?? 0, this.clock.now());
    const at = new Date(startAt).toISOString();
    const sends = sendsOf(checked, { accountId, at, isCapped: maxSpend !== undefined });
    const rows = new RowTally();
    const tally = new EstimateTally();
    const samples = new SampleRows(checked);
    const regions = new RegionTally();
    for await (const batch of readRows(checked)) {
      refuseLate(job);
      const judged = await judge.judge(batch);
      rows.add(judged);
      tally.addRejected(judged);
      samples.add(batch, judged);
      if (quiet) regions.add(judged);
      await this.estimator.add(
        tally,
        sends,
        judged.filter(({ fault }) => fault === null),
      );
    }
    rows.requireAny(judge, type);
    const { numbers, spendCap: accountCap = null, ...freeService } = await this.estimator.capacityOf(sends);
    const { accepted, rejected, errors } = rows;
    const { messages } = tally;
    const { JOBS_MAX_PACE: maxPace } = this.config;
    const sending = expectedSeconds(tally, numbers, maxPace);
    const waiting = quiet ? quietSeconds(regions.counts, { quiet, at: startAt, rate: totalRate(numbers, maxPace) }) : 0;
    return {
      dryRun: true,
      total: accepted + rejected + judge.duplicates,
      accepted,
      rejected,
      duplicates: judge.duplicates,
      errors,
      sampleRows: samples.rows,
      sendAt: at,
      messages,
      ...tally.result(freeService),
      spendCap: maxSpend ? tally.within(maxSpend, freeService) : null,
      accountSpendCap: accountCap && tally.withinAccount(accountCap, freeService),
      durationSeconds: sending === null || waiting === null ? null : Math.max(sending, messages > 0 ? waiting : 0),
      ...(quiet ? waitingAt(regions.counts, quiet, startAt) : { waitingRecipients: null, waitingUntil: null }),
      numbers,
      ...(file && { sheet: file.sheet, ...(file.warnings.length > 0 && { warnings: file.warnings }) }),
    };
  }
}
