import { Module } from '@nestjs/common';
import { GatewayClient } from './gateway.client';
import { JobsClient } from './jobs.client';
import { MessagingClient } from './messaging.client';
import { OtpClient } from './otp.client';
import { TemplatesClient } from './templates.client';
import { WebhooksClient } from './webhooks.client';

const CLIENTS = [GatewayClient, JobsClient, MessagingClient, OtpClient, TemplatesClient, WebhooksClient];

/** Provides one client per service. Requires the global broker module. */
@Module({ providers: CLIENTS, exports: CLIENTS })
export class ServiceClientsModule {}
