import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import { AppModule } from './app.module';
import type { OtpConfig } from './config';

/** Builds the service. It receives no messages until `listen` is called. */
export function buildService(config: OtpConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'otp', ...brokerOptionsOf(config), logger });
  return buildMessageService({ module: AppModule.forRoot({ config, logger, broker }), broker, logger });
}
