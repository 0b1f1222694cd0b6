export { GatewayClient } from './gateway.client';
export { JobsClient } from './jobs.client';
export { MessagingClient } from './messaging.client';
export { OtpClient } from './otp.client';
export { ServiceClientsModule } from './service-clients.module';
export { TemplatesClient } from './templates.client';
export { WebhooksClient } from './webhooks.client';
