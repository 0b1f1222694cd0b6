import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import { AppModule } from './app.module';
import type { TemplatesConfig } from './config';

/** Builds the service. It receives no messages until `listen` is called. */
export function buildService(config: TemplatesConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'templates', ...brokerOptionsOf(config), logger });
  return buildMessageService({ module: AppModule.forRoot({ config, logger, broker }), broker, logger });
}
