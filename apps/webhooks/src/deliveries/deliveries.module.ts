import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { CustomerHttpModule } from '../customer-http/customer-http.module';
import { AttemptNotices } from './attempt-notices';
import { Attempts } from './attempt';
import { BacklogMetrics } from './backlog-metrics';
import { ClaimHolder } from './claim-holder';
import { DeliveriesController } from './deliveries.controller';
import { Dispatcher } from './dispatcher';
import { EventBodies } from './event-bodies';
import { Results } from './results';
import { Sweeps } from './sweeps';

@Module({
  imports: [CustomerHttpModule, SecretBoxModule],
  controllers: [DeliveriesController],
  providers: [AttemptNotices, Attempts, BacklogMetrics, ClaimHolder, Dispatcher, EventBodies, Results, Sweeps],
  exports: [ClaimHolder, Dispatcher, EventBodies],
})
export class DeliveriesModule {}
