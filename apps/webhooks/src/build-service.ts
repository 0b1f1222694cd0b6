import { NestFactory } from '@nestjs/core';
import { createBroker } from '@switchboard/broker';
import { type BuiltService, type Logger, nestLogger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { WebhooksConfig } from './config';
import { WebhooksModule } from './webhooks.module';

/** Handlers only write to the database, so more at a time would only queue for its connections. */
const PREFETCH = 20;

/** Puts the service together; it takes messages once `listen` is called. */
export async function buildService(config: WebhooksConfig, logger: Logger): Promise<BuiltService> {
  const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = config;
  const broker = createBroker({ service: 'webhooks', url, namespace, logger, prefetch: PREFETCH });
  const app = await NestFactory.createMicroservice(WebhooksModule.with({ config, logger, broker }), {
    strategy: broker.transport,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  const dataSource = app.get(DataSource);
  return {
    app,
    listen: () => app.listen(),
    checks: { broker: () => broker.checkReady(), database: async () => void (await dataSource.query('SELECT 1')) },
    afterClose: () => broker.close(),
  };
}
