import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { CreateJobService } from './create-job.service';
import { JobCheck } from './job-check';
import { JobControlService } from './job-control.service';
import { JobsController, StagedRows } from './jobs.controller';
import { JobsService } from './jobs.service';

@Module({
  imports: [ServiceClientsModule],
  controllers: [JobsController],
  providers: [CreateJobService, JobCheck, JobControlService, JobsService, StagedRows],
  exports: [CreateJobService, JobCheck, JobsService],
})
export class JobsModule {}
