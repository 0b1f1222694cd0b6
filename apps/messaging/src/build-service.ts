import { NestFactory } from '@nestjs/core';
import { createBroker } from '@switchboard/broker';
import { type BuiltService, type Logger, nestLogger } from '@switchboard/platform';
import { createUpstreamClient } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from './config';
import { MessagingModule } from './messaging.module';

/** Puts the service together; it takes messages once `listen` is called. */
export async function buildService(config: MessagingConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({
    service: 'messaging',
    url: config.RABBITMQ_URL,
    namespace: config.BROKER_NAMESPACE,
    logger,
    prefetch: config.PREFETCH,
  });
  const upstream = createUpstreamClient({
    baseUrl: config.UPSTREAM_BASE_URL,
    apiVersion: config.UPSTREAM_API_VERSION,
    timeoutMs: config.UPSTREAM_TIMEOUT_MS,
  });
  const app = await NestFactory.createMicroservice(MessagingModule.with({ config, logger, broker, upstream }), {
    strategy: broker.transport,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  const dataSource = app.get(DataSource);
  return {
    app,
    listen: () => app.listen(),
    checks: { broker: () => broker.checkReady(), database: async () => void (await dataSource.query('SELECT 1')) },
    afterClose: async () => {
      await broker.close();
      await upstream.close();
    },
  };
}
