import { Controller } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { CommandHandler, type Delivery } from '@switchboard/broker';
import {
  EstimateAudienceJobCommand,
  estimateAudienceJobV1,
  EstimateJobCommand,
  estimateJobV1,
  type JobEstimate,
} from '@switchboard/contracts';
import { AudienceRows } from '../jobs/audience-rows';
import { StagedRows } from '../jobs/jobs.controller';
import { beginningOf } from '../jobs/new-job';
import { EstimateJobService } from './estimate-job.service';

@Controller()
export class EstimatesController {
  constructor(
    private readonly estimates: EstimateJobService,
    private readonly staged: StagedRows,
    private readonly audiences: AudienceRows,
  ) {}

  @CommandHandler(estimateJobV1)
  async estimateJob(@Payload() command: EstimateJobCommand, @Ctx() { deadline }: Delivery): Promise<JobEstimate> {
    const { accountId, message, numbers, parts = 0 } = command;
    const job = { accountId, type: 'bulk' as const, message, numbers, ...beginningOf(command), deadline };
    try {
      return await this.estimates.estimateJob(job, () => this.staged.batchesOf(command));
    } finally {
      if (parts > 0) await this.staged.drop(command);
    }
  }

  @CommandHandler(estimateAudienceJobV1)
  estimateAudienceJob(
    @Payload() command: EstimateAudienceJobCommand,
    @Ctx() { deadline }: Delivery,
  ): Promise<JobEstimate> {
    const { accountId, message, numbers, audience } = command;
    const job = { accountId, type: 'bulk' as const, message, numbers, ...beginningOf(command), deadline };
    return this.estimates.estimateJob(job, (checked) =>
      this.audiences.batchesOf({ accountId, audience, message, deadline }, checked),
    );
  }
}
