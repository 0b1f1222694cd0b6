import './fastify-types';
import type { Server } from 'node:http';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Broker } from '@switchboard/broker';
import { type Logger, nestLogger } from '@switchboard/platform';
import { AccessService } from '../access/access.service';
import type { GatewayConfig } from '../config';
import { GatewayModule } from '../gateway.module';
import { describeApi } from '../reference/describe-api';
import { ApiDescription } from '../reference/reference.controller';
import { answerBrokenRequest, answerConnect, answerRouterError } from './broken-requests';
import { ErrorFilter } from './error.filter';
import { useJsonParser } from './json-parser';
import { addRequestHooks, releaseConnectionsOnClose, requestIdOf } from './request-hooks';
import { RouteTable } from './route-table';

/** The largest JSON body (decisions 4). */
export const JSON_BODY_LIMIT_BYTES = 1_048_576;
/** A request must have arrived whole after this, however slowly its sender writes. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the usual idle time of proxies, so that the proxy closes idle connections and not we under its request. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_PARAMETER_CHARACTERS = 256;

export interface GatewayParts {
  config: GatewayConfig;
  broker: Broker;
  logger: Logger;
}

/** The public API as an application that is ready to listen. */
export async function createHttpApp({ config, broker, logger }: GatewayParts): Promise<NestFastifyApplication> {
  const adapter = new FastifyAdapter({
    logger: false,
    skipMiddie: true,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Without this Node answers a request without Host by itself, and not in our shape.
    http: { requireHostHeader: false },
    routerOptions: { maxParamLength: MAX_PARAMETER_CHARACTERS },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerRouterError,
  });
  const app = await NestFactory.create<NestFastifyApplication>(GatewayModule.with({ config, broker, logger }), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLogger(logger),
  });
  const fastify = adapter.getInstance();
  useSecurityHeaders(app);
  useJsonParser(fastify);
  addRequestHooks(fastify, { access: app.get(AccessService), routes: app.get(RouteTable), logger });
  releaseConnectionsOnClose(fastify);
  answerAllExpectations(app.getHttpServer());
  app.useGlobalFilters(app.get(ErrorFilter));
  app.get(ApiDescription).document = describeApi(app, config.PUBLIC_BASE_URL);
  return app;
}

/** The API is no page: nothing of it may be framed, sniffed or run. The reference page loosens what it needs. */
function useSecurityHeaders(app: NestFastifyApplication): void {
  app.useSecurityHeaders({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: "'none'", frameAncestors: "'none'" } },
    xFrameOptions: { action: 'deny' },
  });
}

function answerAllExpectations(server: Server): void {
  server.on('connect', answerConnect);
  // An `Expect` that nobody knows is no reason for a 417 without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
