import { newId } from '@switchboard/contracts';
import { extractTrace, histogram, inSpan, type Logger, SpanKind } from '@switchboard/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AccessService } from './access/access.service';
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
  routes: RouteTable;
  logger: Logger;
}

/**
 * What happens around every request, in this order: id, span and log line; admission; Fastify keeps body and handler
 * inside the span.
 */
export function addRequestHooks(fastify: FastifyInstance, { access, routes, logger }: HookParts): void {
  for (const name of ['client', 'consoleUser', 'rateUsage', 'errorCode', 'download'] as const)
    fastify.decorateRequest(name, null);
  fastify.addHook('onRoute', (route) => {
    const { publicBecause, consoleRole, bodyLimitBytes } = route.config ?? {};
    if (bodyLimitBytes !== undefined) route.bodyLimit = bodyLimitBytes;
    for (const method of [route.method].flat()) routes.add({ method, url: route.url, publicBecause, consoleRole });
  });
  fastify.addHook('onRequest', (request, reply, done) => followRequest(request, reply, logger, done));
  fastify.addHook('onRequest', (request, reply) => access.admit(request, reply, routes));
  fastify.addHook('onResponse', (request, _reply, done) => {
    // A body that was refused unread.
    if (!request.raw.complete) discardRest(request.raw);
    done();
  });
}

/** A stopping gateway cuts connections after this on which it is given nothing to do. */
const LINGER_MS = 5_000;

/**
 * Lets the server stop once the requests that it has begun are answered: a connection that was busy when it began to
 * close would otherwise stay open, idle, for the whole keep-alive time. Its caller is told with the answer, so that it
 * sends nothing more on it.
 */
export function releaseConnectionsOnClose(fastify: FastifyInstance): void {
  let stopping = false;
  let lingered = false;
  let running = 0;
  // Connections that were opened ahead, and heads that never end, must not hold up the stop.
  const cutTheRest = (): void => {
    if (lingered && running === 0) fastify.server.closeAllConnections();
  };
  fastify.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
    running += 1;
    response.once('close', () => {
      running -= 1;
      setImmediate(cutTheRest);
    });
  });
  fastify.addHook('preClose', (done) => {
    stopping = true;
    setTimeout(() => {
      lingered = true;
      cutTheRest();
    }, LINGER_MS).unref();
    done();
  });
  fastify.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('connection', 'close');
    done();
  });
  // For answers that were on their way already.
  fastify.addHook('onResponse', (_request, _reply, done) => {
    if (stopping) setImmediate(() => fastify.server.closeIdleConnections());
    done();
  });
}

const durations = histogram(
  'http_request_duration_seconds',
  'Time from the head of a request to the end of its answer',
  ['method', 'route', 'status'],
);

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
  const { id: requestId, method, client, consoleUser, errorCode } = request;
  const user = consoleUser ? { accountId: consoleUser.account.id, userId: consoleUser.userId } : {};
  const caller = client ? { accountId: client.account.id, keyId: client.keyId } : user;
  return { requestId, method, ...outcome, ...caller, ...(errorCode && { code: errorCode }) };
}
