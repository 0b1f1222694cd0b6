import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AudienceRows } from './audience-rows';
import { CreateJobService } from './create-job.service';
import { CreationLimiter } from './creation-limiter';
import { JobCheck } from './job-check';
import { JobControlService } from './job-control.service';
import { JobsController, StagedRows } from './jobs.controller';
import { JobsService } from './jobs.service';
import { Clock } from '../quiet/clock';

@Module({
  imports: [ServiceClientsModule],
  controllers: [JobsController],
  providers: [
    AudienceRows,
    Clock,
    CreateJobService,
    CreationLimiter,
    JobCheck,
    JobControlService,
    JobsService,
    StagedRows,
  ],
  exports: [AudienceRows, Clock, CreateJobService, CreationLimiter, JobCheck, JobsService, StagedRows],
})
export class JobsModule {}
