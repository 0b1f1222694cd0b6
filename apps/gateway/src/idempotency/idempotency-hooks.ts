import type { FastifyInstance } from 'fastify';
import { isForm } from '../http/form-reader';
import type { IdempotencyService } from './idempotency.service';

/**
 * Puts every authenticated POST under its Idempotency-Key: taken when the body has been read, and the answer, a refusal
 * included, stored before it is sent. Multipart bodies are read by their handlers, which call `begin` themselves.
 */
export function addIdempotencyHooks(fastify: FastifyInstance, idempotency: IdempotencyService): void {
  for (const name of ['idempotencyClaim', 'bodyHash'] as const) fastify.decorateRequest(name, null);
  fastify.addHook('preHandler', async (request) => {
    if (request.method === 'POST' && request.client && !isForm(request)) await idempotency.begin(request, request.bodyHash ?? '');
  });
  fastify.addHook('onSend', async (request, reply, payload) => {
    const claim = request.idempotencyClaim;
    if (!claim) return;
    request.idempotencyClaim = null;
    await idempotency.end(claim, reply.statusCode, payload);
  });
}
