import { Module } from '@nestjs/common';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { JobsModule } from '../jobs/jobs.module';
import { EstimateJobService } from './estimate-job.service';
import { EstimatesController } from './estimates.controller';
import { SendEstimator } from './send-estimator';
import { StoreEstimates } from './store-estimates';

@Module({
  imports: [JobsModule, ServiceClientsModule],
  controllers: [EstimatesController],
  providers: [EstimateJobService, SendEstimator, StoreEstimates],
  exports: [EstimateJobService],
})
export class EstimatesModule {}
