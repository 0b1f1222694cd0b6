import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isForm } from '../http/form-reader';
import { canonicalText } from './canonical-text';
import { type IdempotencyService, repeaterOf } from './idempotency.service';

/**
 * Applies Idempotency-Keys to every POST of an API client and to the console routes that accept them. Claims the key
 * after the body has been read, and stores the response, if it is to be retained, before it is sent. Handlers of
 * multipart bodies call `begin` themselves.
 * | Uses hooks instead of a Nest interceptor, which would cost every request more than all guards and the pipe
 * together, and which does not see the bytes that are sent (ADR 65).
 */
export function addIdempotencyHooks(fastify: FastifyInstance, idempotency: IdempotencyService): void {
  for (const name of ['idempotencyClaim', 'messageId', 'bodyHash'] as const) fastify.decorateRequest(name, null);
  fastify.addHook('preHandler', async (request) => {
    const isKeyed = request.method === 'POST' && request.headers['idempotency-key'] !== undefined;
    if (!isKeyed || isForm(request) || isDryRun(request) || repeaterOf(request) === undefined) return;
    await idempotency.begin(request, canonicalText(request.body), request.bodyHash ?? undefined);
  });
  fastify.addHook('onSend', async (request, reply, payload) => {
    const claim = request.idempotencyClaim;
    if (!claim) return;
    request.idempotencyClaim = null;
    await idempotency.end(claim, { status: reply.statusCode, code: request.errorCode ?? undefined, body: payload });
  });
}

/** Returns true for a dry run, which has no effect that a repeated request could duplicate. */
function isDryRun({ routeOptions: { config }, body }: FastifyRequest): boolean {
  const given = (body as { dryRun?: unknown } | null)?.dryRun;
  return config.takesDryRuns === true && (given === true || given === 'true');
}
