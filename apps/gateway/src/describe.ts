import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeConsole } from './reference/describe-console';
import { AppModule } from './app.module';
import { describeApi } from './reference/describe-api';

/** Placeholder input: in preview mode Nest instantiates no class and calls no factory. */
const NOTHING = {} as never;

/** Builds the API description from the route metadata alone, without a database, a broker or a port. */
export async function describeWithoutStarting(publicBaseUrl: string): Promise<OpenAPIObject> {
  return describeApi(await preview(), publicBaseUrl);
}

/** Builds the description of the console API from the route metadata alone. */
export async function describeConsoleWithoutStarting(): Promise<OpenAPIObject> {
  return describeConsole(await preview());
}

function preview(): Promise<NestFastifyApplication> {
  const module = AppModule.forRoot({ config: NOTHING, broker: NOTHING, logger: NOTHING });
  return NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), {
    preview: true,
    abortOnError: false,
    logger: false,
  });
}
