import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { query } from '@switchboard/database';
import { asRoutine, type BuiltService, type Logger, nestLogger } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { Broker } from './broker';

export interface MessageServiceOptions {
  module: DynamicModule;
  broker: Broker;
  logger: Logger;
}

/** Builds a service that is reachable over the broker only. It receives messages once `listen` is called. */
export async function buildMessageService({ module, broker, logger }: MessageServiceOptions): Promise<BuiltService> {
  const app = await NestFactory.createMicroservice(module, {
    strategy: broker.transport,
    logger: nestLogger(logger),
    abortOnError: false,
  });
  const dataSource = app.get(DataSource);
  return {
    app,
    listen: () => app.listen(),
    checks: {
      broker: () => broker.checkReady(),
      database: () => asRoutine(async () => void (await query(dataSource, 'SELECT 1'))),
    },
    afterClose: () => broker.close(),
  };
}
