import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { HandlesCommand } from '@switchboard/broker';
import { GetJobCommand, type GetJobReply, getJobV1 } from '@switchboard/contracts';
import { JobsService } from './jobs.service';

@Controller()
export class JobsController {
  constructor(private readonly jobs: JobsService) {}

  @HandlesCommand(getJobV1)
  async getJob(@Payload() { accountId, jobId }: GetJobCommand): Promise<GetJobReply> {
    return { job: await this.jobs.getJob(accountId, jobId) };
  }
}
