import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import { AppModule } from './app.module';
import type { WebhooksConfig } from './config';

/** What is received together is stored together: as many events as make a good batch. */
const PREFETCH = 200;

/** Puts the service together; it takes messages once `listen` is called. */
export function buildService(config: WebhooksConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'webhooks', ...brokerOptionsOf(config), logger, prefetch: PREFETCH });
  return buildMessageService({ module: AppModule.forRoot({ config, logger, broker }), broker, logger });
}
