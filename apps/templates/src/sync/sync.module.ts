import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { UpstreamModule } from '../upstream/upstream.module';
import { LeftBusinesses } from './left-businesses';
import { SyncMetrics } from './sync-metrics';
import { SyncRequests } from './sync-requests.service';
import { SyncStatus, SyncStatusController } from './sync-status.controller';
import { SyncService } from './sync.service';
import { UpstreamEventsController } from './upstream-events.controller';

@Module({
  imports: [SecretBoxModule, UpstreamModule],
  controllers: [SyncStatusController, UpstreamEventsController],
  providers: [LeftBusinesses, SyncMetrics, SyncRequests, SyncService, SyncStatus],
  exports: [SyncService],
})
export class SyncModule {}
