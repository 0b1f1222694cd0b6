import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import { AppModule } from './app.module';
import type { MessagingConfig } from './config';

/** Builds the service. It consumes messages once `listen` is called. */
export function buildService(config: MessagingConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'messaging', ...brokerOptionsOf(config), logger, prefetch: config.PREFETCH });
  return buildMessageService({ module: AppModule.forRoot({ config, logger, broker }), broker, logger });
}
