import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import type { OtpConfig } from './config';
import { OtpModule } from './otp.module';

/** Puts the service together; it takes messages once `listen` is called. */
export function buildService(config: OtpConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'otp', ...brokerOptionsOf(config), logger });
  return buildMessageService({ module: OtpModule.with({ config, logger, broker }), broker, logger });
}
