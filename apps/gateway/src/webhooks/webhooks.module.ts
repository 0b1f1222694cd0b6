import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { WebhookEndpointsController } from './console-webhook-endpoints.controller';
import { WebhookEventsController } from './console-webhook-events.controller';
import { WebhookReplaysController } from './console-webhook-replays.controller';
import { EndpointNoticesController } from './endpoint-notices.controller';
import { WebhookChanges } from './webhook-changes';

@Module({
  imports: [AuditLogModule, SecretBoxModule],
  controllers: [
    EndpointNoticesController,
    WebhookEndpointsController,
    WebhookEventsController,
    WebhookReplaysController,
  ],
  providers: [WebhookChanges],
})
export class WebhooksModule {}
