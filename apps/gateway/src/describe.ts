import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { describeConsole } from './reference/describe-console';
import { AppModule } from './app.module';
import { describeApi } from './reference/describe-api';

/** In preview Nest instantiates no class and calls no factory: nobody looks at what the module is given. */
const NOTHING = {} as never;

/** The API description without a database, a broker or a port: the routes are only looked at. */
export async function describeWithoutStarting(publicBaseUrl: string): Promise<OpenAPIObject> {
  return describeApi(await preview(), publicBaseUrl);
}

/** The same of the console's routes. */
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
