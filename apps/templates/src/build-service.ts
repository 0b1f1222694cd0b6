import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import { createUpstreamClient } from '@switchboard/upstream';
import type { TemplatesConfig } from './config';
import { TemplatesModule } from './templates.module';

/** Puts the service together; it takes messages once `listen` is called. */
export function buildService(config: TemplatesConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'templates', ...brokerOptionsOf(config), logger });
  const upstream = createUpstreamClient({
    baseUrl: config.UPSTREAM_BASE_URL,
    apiVersion: config.UPSTREAM_API_VERSION,
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
    appSecret: config.UPSTREAM_APP_SECRET,
  });
  return buildMessageService({
    module: TemplatesModule.with({ config, logger, broker, upstream }),
    broker,
    logger,
    afterClose: () => upstream.close(),
  });
}
