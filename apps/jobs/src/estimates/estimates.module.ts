import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { JobsModule } from '../jobs/jobs.module';
import { EstimateJobService } from './estimate-job.service';
import { EstimatesController } from './estimates.controller';

@Module({
  imports: [JobsModule, ServiceClientsModule],
  controllers: [EstimatesController],
  providers: [EstimateJobService],
  exports: [EstimateJobService],
})
export class EstimatesModule {}
