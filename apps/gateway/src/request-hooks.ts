import { newId } from '@switchboard/contracts';
import { extractTrace, histogram, inSpan, type Logger, SpanKind } from '@switchboard/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AccessService } from './auth/access.service';
import type { ReadPlaces } from './rate-limits/read-places';
import { discardRest } from './http/form-reader';
import type { RouteTable } from './http/route-table';

const REQUEST_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/** A caller's own request id when it is harmless, a new one otherwise. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newId('req');
}

export interface HookParts {
  access: AccessService;
  reads: ReadPlaces;
  routes: RouteTable;
  logger: Logger;
}

/**
 * What happens around every request, in this order: id, span and log line; admission; a place for a read. Fastify keeps
 * body and handler inside the span.
 */
export function addRequestHooks(fastify: FastifyInstance, { access, reads, routes, logger }: HookParts): void {
  for (const name of ['client', 'consoleUser', 'rateUsage', 'plan', 'errorCode', 'download'] as const)
    fastify.decorateRequest(name, null);
  fastify.decorateRequest('isCounted', false);
  fastify.addHook('onRoute', (route) => {
    const { publicBecause, consoleRole, bodyLimitBytes } = route.config ?? {};
    if (bodyLimitBytes !== undefined) route.bodyLimit = bodyLimitBytes;
    expectAnswers(route);
    for (const method of [route.method].flat()) routes.add({ method, url: route.url, publicBecause, consoleRole });
  });
  fastify.addHook('onRequest', (request, reply, done) => followRequest(request, reply, logger, done));
  fastify.addHook('onRequest', redirectSlashes);
  fastify.addHook('onRequest', (request, reply) => access.admit(request, reply, routes));
  fastify.addHook('onRequest', (request, reply) => reads.admit(request, reply));
  fastify.addHook('onResponse', (request, _reply, done) => {
    // A body that was refused unread.
    if (!request.raw.complete) discardRest(request.raw);
    done();
  });
}

/** Pages of the reference with a slash behind their address. */
const SLASHED = /^(\/docs(?:\/[^/?#]+)*)\/+(\?.*)?$/;

function redirectSlashes(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const [, path, search = ''] = (['GET', 'HEAD'].includes(request.method) && SLASHED.exec(request.url)) || [];
  if (path === undefined) return done();
  void reply.redirect(path + search, 301);
}

/** A stopping gateway cuts connections after this on which it is given nothing to do. */
const LINGER_MS = 5_000;
const LOOK_EVERY_MS = 50;

/**
 * Lets the server stop without cutting off a caller. For `drainMs` it goes on taking requests, and says with each
 * answer that the connection ends: whoever keeps connections alive moves on by itself. To close idle ones at once would
 * meet requests that are on their way. Then the server takes no more, and what it has begun is answered.
 */
export function drainConnectionsOnClose(fastify: FastifyInstance, drainMs: number): void {
  const { server } = fastify;
  let phase: 'serving' | 'draining' | 'closing' = 'serving';
  let lingered = false;
  let running = 0;
  // Connections that were opened ahead, and heads that never end, must not hold up the stop.
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
  // For answers that were on their way already: their connection would stay open, idle, for the whole keep-alive time.
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

/** What the objective for sends and the alert about callbacks count: shown as 0 until it happens. */
const COUNTED = [
  { at: /^\/v1\/messages\/send/, statuses: [200, 500, 502, 503, 504] },
  { at: /^\/callbacks\/upstream$/, statuses: [200] },
];

function expectAnswers({ method: methods, url }: { method: string | string[]; url: string }): void {
  if (![methods].flat().includes('POST')) return;
  const statuses = COUNTED.find(({ at }) => at.test(url))?.statuses ?? [];
  for (const status of statuses) durations.zero({ method: 'POST', route: url, status: String(status) });
}

/** Opens the request's span, and closes it with one log line when the answer is out or the caller has gone. */
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
