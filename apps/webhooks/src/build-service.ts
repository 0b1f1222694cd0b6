import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import { AppModule } from './app.module';
import type { WebhooksConfig } from './config';

/** Maximum number of messages stored together in one batch. */
const PREFETCH = 200;

/** Builds the service. It receives no messages until `listen` is called. */
export function buildService(config: WebhooksConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'webhooks', ...brokerOptionsOf(config), logger, prefetch: PREFETCH });
  return buildMessageService({ module: AppModule.forRoot({ config, logger, broker }), broker, logger });
}
