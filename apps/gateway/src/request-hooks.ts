import { newId } from '@switchboard/contracts';
import { extractTrace, histogram, inSpan, type Logger, SpanKind } from '@switchboard/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessService } from './auth/access.service';
import type { ReadLimiter } from './rate-limits/read-limiter';
import { discardRest } from './http/form-reader';
import type { RouteTable } from './http/route-table';

const REQUEST_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns the caller's request id if it is safe to log, otherwise a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}

export interface HookParts {
  access: AccessService;
  reads: ReadLimiter;
  routes: RouteTable;
  logger: Logger;
}

/**
 * Adds the hooks around every request, in this order: request id, span and log line; admission; read slot. Fastify
 * parses the body and runs the handler within the span.
 */
export function addRequestHooks(fastify: FastifyInstance, { access, reads, routes, logger }: HookParts): void {
  for (const name of ['client', 'consoleUser', 'rateUsage', 'plan', 'errorCode', 'download'] as const)
    fastify.decorateRequest(name, null);
  fastify.decorateRequest('isCounted', false);
  fastify.addHook('onRoute', (route) => {
    const { publicBecause, consoleRole, exceptRole, bodyLimitBytes } = route.config ?? {};
    if (bodyLimitBytes !== undefined) route.bodyLimit = bodyLimitBytes;
    expectAnswers(route);
    for (const method of [route.method].flat())
      routes.add({ method, url: route.url, publicBecause, consoleRole, exceptRole });
  });
  fastify.addHook('onRequest', (request, reply, done) => followRequest(request, reply, logger, done));
  fastify.addHook('onRequest', redirectSlashes);
  fastify.addHook('onRequest', (request, reply) => access.admit(request, reply, routes));
  fastify.addHook('onRequest', (request, reply) => reads.admit(request, reply));
  fastify.addHook('onResponse', (request, _reply, done) => {
    // The body was rejected before it was read.
    if (!request.raw.complete) discardRest(request.raw);
    done();
  });
}

/** Path of a reference page with a trailing slash. */
const SLASHED = /^(\/docs(?:\/[^/?#]+)*)\/+(\?.*)?$/;

function redirectSlashes(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const [, path, search = ''] = (['GET', 'HEAD'].includes(request.method) && SLASHED.exec(request.url)) || [];
  if (path === undefined) return done();
  void reply.redirect(path + search, 301);
}

/** Idle time in milliseconds after which a stopping gateway closes a connection. */
const LINGER_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * Stops the server without interrupting callers. For `drainMs`, it still accepts requests but adds `Connection: close`
 * to each response, so that keep-alive clients reconnect elsewhere. Closing idle connections immediately would race
 * with requests in flight. Then the server stops accepting requests and completes those in progress.
 */
export function drainConnectionsOnClose(fastify: FastifyInstance, drainMs: number): void {
  const { server } = fastify;
  let phase: 'serving' | 'draining' | 'closing' = 'serving';
  let lingered = false;
  let running = 0;
  // Pre-opened connections and incomplete request heads must not delay the stop.
  const cutTheRest = (): void => {
    if (lingered && running === 0) server.closeAllConnections();
  };
  server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    running += 1;
    response.once('close', () => {
      running -= 1;
      setImmediate(cutTheRest);
    });
  });
  fastify.addHook('preClose', async () => {
    phase = 'draining';
    const until = performance.now() + drainMs;
    while (performance.now() < until && (await openConnections(server)) > 0) await delay(LOOK_EVERY_MS);
    phase = 'closing';
    setTimeout(() => {
      lingered = true;
      cutTheRest();
    }, LINGER_MS).unref();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (phase !== 'serving') reply.header('connection', 'close');
    done();
  });
  // Closes connections after responses that were in flight at the stop; they would otherwise stay idle for the whole
  // keep-alive time.
  fastify.addHook('onResponse', (_request, _reply, done) => {
    if (phase === 'closing') setImmediate(() => server.closeIdleConnections());
    done();
  });
}

function openConnections(server: FastifyInstance['server']): Promise<number> {
  return new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));
}

const durations = histogram(
  'http_request_duration_seconds',
  'Time from the head of a request to the end of its answer',
  ['method', 'route', 'status'],
);

/** Routes and statuses counted for the send objective and the callback alert, whose counters start at 0. */
const COUNTED = [
  { at: /^\/v1\/messages\/send/, statuses: [200, 500, 502, 503, 504] },
  { at: /^\/callbacks\/upstream$/, statuses: [200] },
];

function expectAnswers({ method: methods, url }: { method: string | string[]; url: string }): void {
  if (![methods].flat().includes('POST')) return;
  const statuses = COUNTED.find(({ at }) => at.test(url))?.statuses ?? [];
  for (const status of statuses) durations.zero({ method: 'POST', route: url, status: String(status) });
}

/**
 * Opens the request's span. When the response has been sent or the caller disconnects, ends the span and writes one log
 * line.
 */
function followRequest(request: FastifyRequest, reply: FastifyReply, logger: Logger, done: () => void): void {
  reply.header('x-request-id', request.id);
  const startedAt = performance.now();
  const route = request.is404 ? '(none)' : (request.routeOptions.url ?? '(none)');
  const attributes = { 'http.request.method': request.method, 'http.route': route };
  const options = { kind: SpanKind.SERVER, attributes, parent: extractTrace(request.headers) };
  void inSpan(`${request.method} ${route}`, options, async (span) => {
    const answered = new Promise<void>((resolve) => reply.raw.once('close', resolve));
    done();
    await answered;
    const status = reply.raw.writableFinished ? reply.statusCode : 499;
    const durationMs = performance.now() - startedAt;
    span.setAttribute('http.response.status_code', status);
    if (!request.routeOptions.config.isEventStream || status !== 200)
      durations.observe({ method: request.method, route, status }, durationMs / 1000);
    logger.info(summaryOf(request, { route, status, durationMs: Math.round(durationMs) }), 'request.handled');
  });
}

function summaryOf(request: FastifyRequest, outcome: { route: string; status: number; durationMs: number }): object {
  const { id: requestId, method, client, consoleUser, errorCode, messageId } = request;
  const user = consoleUser ? { accountId: consoleUser.account.id, userId: consoleUser.userId } : {};
  const caller = client ? { accountId: client.account.id, keyId: client.keyId } : user;
  return {
    requestId,
    method,
    ...outcome,
    ...caller,
    ...(messageId && { messageId }),
    ...(errorCode && { code: errorCode }),
  };
}
