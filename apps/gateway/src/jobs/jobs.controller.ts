import { Controller, Get, Param } from '@nestjs/common';
import { ApiBearerAuth, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Broker } from '@switchboard/broker';
import { AppError, getJobV1 } from '@switchboard/contracts';
import { type ApiClient, Client } from '../access/client';
import { ApiAnswer, ApiRefusals } from '../reference/decorators';

/** Ids of ours; what is no id cannot be a job's. */
const JOB_ID = /^job_[0-9a-z]{26}$/;

@ApiTags('Jobs')
@ApiBearerAuth()
@Controller('v1/jobs')
export class JobsController {
  constructor(private readonly broker: Broker) {}

  @Get(':jobId')
  @ApiOperation({ operationId: 'getJob', summary: 'Show a bulk job' })
  @ApiParam({ name: 'jobId', schema: { type: 'string', example: 'job_01jd0000000000000000000000' } })
  @ApiAnswer('JobAnswer')
  @ApiRefusals('NOT_FOUND')
  async show(@Client() client: ApiClient, @Param('jobId') jobId: string): Promise<object> {
    if (!JOB_ID.test(jobId)) throw new AppError('NOT_FOUND');
    const { job } = await this.broker.ask(getJobV1, { accountId: client.account.id, jobId });
    return { success: true, job };
  }
}
