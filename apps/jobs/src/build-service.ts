import { NestFactory } from '@nestjs/core';
import { createBroker } from '@switchboard/broker';
import { type BuiltService, type Logger, nestLogger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { JobsConfig } from './config';
import { JobsModule } from './jobs.module';

/** Puts the service together; it takes messages once `listen` is called. */
export async function buildService(config: JobsConfig, logger: Logger): Promise<BuiltService> {
  const broker = createBroker({ service: 'jobs', url: config.RABBITMQ_URL, namespace: config.BROKER_NAMESPACE, logger });
  const app = await NestFactory.createMicroservice(JobsModule.with({ config }), {
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
