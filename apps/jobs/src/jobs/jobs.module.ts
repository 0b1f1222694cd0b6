import { Module } from '@nestjs/common';
import { CreateJobService } from './create-job.service';
import { JobCheck } from './job-check';
import { JobControlService } from './job-control.service';
import { JobsController, StagedRows } from './jobs.controller';
import { JobsService } from './jobs.service';

@Module({
  controllers: [JobsController],
  providers: [CreateJobService, JobCheck, JobControlService, JobsService, StagedRows],
  exports: [CreateJobService, JobCheck, JobsService],
})
export class JobsModule {}
