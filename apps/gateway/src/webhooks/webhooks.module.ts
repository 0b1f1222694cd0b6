import { Module } from '@nestjs/common';
import { SecretBoxModule } from '@switchboard/platform';
import { ServiceClientsModule } from '@switchboard/service-clients';
import { AuditLogModule } from '../audit-log/audit-log.module';
import { ConsoleWebhookEndpointsController } from './console-webhook-endpoints.controller';
import { ConsoleWebhookEventsController } from './console-webhook-events.controller';
import { ConsoleWebhookReplaysController } from './console-webhook-replays.controller';
import { EndpointNoticesController } from './endpoint-notices.controller';
import { WebhookChanges } from './webhook-changes';

@Module({
  imports: [AuditLogModule, SecretBoxModule, ServiceClientsModule],
  controllers: [
    ConsoleWebhookEndpointsController,
    ConsoleWebhookEventsController,
    ConsoleWebhookReplaysController,
    EndpointNoticesController,
  ],
  providers: [WebhookChanges],
})
export class WebhooksModule {}
