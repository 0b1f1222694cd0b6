import './http/fastify-types';
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { CustomStrategy } from '@nestjs/microservices';
import type { Broker } from '@switchboard/broker';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Logger, nestLogger } from '@switchboard/platform';
import { AccessService } from './auth/access.service';
import { ReadLimiter } from './rate-limits/read-limiter';
import { addressOf, networkOf } from './http/addresses';
import { limitBulkBodies } from './jobs/bulk-body-limit';
import { addIdempotencyHooks } from './idempotency/idempotency-hooks';
import { IdempotencyService } from './idempotency/idempotency.service';
import type { GatewayConfig } from './config';
import { AppModule } from './app.module';
import { describeApi } from './reference/describe-api';
import { ApiDescription } from './reference/reference.controller';
import { limitAnonymousBodies } from './http/anonymous-bodies';
import { limitAnonymousConnections } from './http/anonymous-connections';
import { answerBrokenRequest, answerConnect, answerRouterError, followExchanges } from './http/broken-requests';
import { limitBodyTime } from './http/body-deadline';
import { useFormParser } from './http/form-parser';
import { useJsonParser } from './http/json-parser';
import { addRequestHooks, drainConnectionsOnClose, requestIdOf } from './request-hooks';
import { RouteTable } from './http/route-table';
import { SharedBudget } from './http/shared-budget';
import { followTlsFiles, readTlsFiles, type TlsFiles } from './http/tls-files';
import { addWarnings } from './openapi/warnings';

/** Maximum size of a JSON body in bytes (spec §12.1.1). */
export const JSON_BODY_LIMIT_BYTES = 1_048_576;
/** Time limit for the request head in milliseconds. Bodies have their own deadlines. */
const HEAD_TIMEOUT_MS = 30_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
/**
 * Fallback for requests that exceed a body deadline, in milliseconds. It is longer than every body deadline, so that
 * the caller normally receives an API error.
 */
const REQUEST_GRACE_MS = 60_000;
/**
 * Idle timeout in milliseconds. It is longer than the usual idle timeout of proxies, so that the proxy closes idle
 * connections first and no request is lost.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_PARAMETER_CHARACTERS = 256;
const HSTS_SECONDS = 31_536_000;

export interface GatewayParts {
  config: GatewayConfig;
  broker: Broker;
  logger: Logger;
}

/** Creates the HTTP application of the gateway, ready to listen. */
export async function createHttpApp({ config, broker, logger }: GatewayParts): Promise<NestFastifyApplication> {
  const tls = await readTlsFiles(config);
  const adapter = new FastifyAdapter({
    logger: false,
    skipMiddie: true,
    bodyLimit: JSON_BODY_LIMIT_BYTES,
    genReqId: requestIdOf,
    requestIdHeader: false,
    return503OnClosing: false,
    requestTimeout: config.UPLOAD_TIMEOUT_SECONDS * 1000 + REQUEST_GRACE_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // Accepts requests without Host; Node would reject them with a body that is not an API error.
    [tls ? 'https' : 'http']: {
      requireHostHeader: false,
      headersTimeout: HEAD_TIMEOUT_MS,
      ...(tls && { ...tls, minVersion: 'TLSv1.2', handshakeTimeout: HANDSHAKE_TIMEOUT_MS }),
    },
    routerOptions: { maxParamLength: MAX_PARAMETER_CHARACTERS },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerRouterError,
  });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot({ config, broker, logger }), adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: nestLogger(logger),
  });
  const fastify = adapter.getInstance();
  useSecurityHeaders(app, config);
  if (tls) renewCertificates(fastify, tls, { config, logger });
  useJsonParser(fastify);
  useFormParser(fastify);
  limitStrangers(app, config);
  limitBulkBodies(fastify);
  limitBodyTime(fastify);
  addRequestHooks(fastify, {
    access: app.get(AccessService),
    reads: app.get(ReadLimiter),
    routes: app.get(RouteTable),
    logger,
  });
  addIdempotencyHooks(fastify, app.get(IdempotencyService));
  addWarnings(fastify, () => app.get(ApiDescription).described());
  drainConnectionsOnClose(fastify, config.CONNECTION_DRAIN_SECONDS * 1_000);
  answerAllExpectations(app.getHttpServer());
  followExchanges(app.getHttpServer());
  // Handles commands from other services, and events between gateways.
  app.connectMicroservice<CustomStrategy>({ strategy: broker.transport }, { inheritAppConfig: false });
  app.get(ApiDescription).document = describeApi(app, config.PUBLIC_BASE_URL);
  return app;
}

/**
 * Sets strict security headers: API responses must not be framed, sniffed or executed. The reference page relaxes them.
 */
function useSecurityHeaders(app: NestFastifyApplication, { TLS_CERT_FILE, REQUIRE_HTTPS }: GatewayConfig): void {
  app.useSecurityHeaders({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: "'none'", frameAncestors: "'none'" } },
    xFrameOptions: { action: 'deny' },
    // Applies to this host only, since other hosts of the domain are outside the control of the gateway.
    strictTransportSecurity: (TLS_CERT_FILE !== undefined || REQUIRE_HTTPS) && {
      maxAge: HSTS_SECONDS,
      includeSubDomains: false,
    },
  });
}

/**
 * Limits the resources that unauthenticated callers can make the process hold. One address may use half of each budget.
 */
function limitStrangers(app: NestFastifyApplication, { TRUSTED_PROXY_HOPS: hops, ...config }: GatewayConfig): void {
  const server = app.getHttpServer();
  const bytes = config.ANONYMOUS_BODY_MB * 1_048_576;
  const bodies = new SharedBudget({ most: bytes, mostPerOwner: bytes / 2 });
  const ownerOf = (request: FastifyRequest): string => networkOf(addressOf(request, hops));
  limitAnonymousBodies(app.getHttpAdapter().getInstance(), { budget: bodies, ownerOf });
  const most = config.ANONYMOUS_CONNECTIONS;
  // Behind proxies, all connections come from the proxies.
  const connections = new SharedBudget({ most, mostPerOwner: hops > 0 ? most : most / 2 });
  limitAnonymousConnections(server, { budget: connections, ownerOf: networkOf });
  // The size limit of the head already bounds the headers. Node would silently drop headers after the 2,000th.
  server.maxHeadersCount = 0;
}

function renewCertificates(fastify: FastifyInstance, tls: TlsFiles, parts: Omit<GatewayParts, 'broker'>): void {
  const loop = followTlsFiles(fastify.server as unknown as HttpsServer, tls, parts);
  fastify.addHook('onClose', () => loop.stop());
}

function answerAllExpectations(server: Server): void {
  server.on('connect', answerConnect);
  // Ignores unknown `Expect` values, to which Node would respond with 417 without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
