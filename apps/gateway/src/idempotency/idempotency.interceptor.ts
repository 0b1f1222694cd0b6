import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { isForm } from '../http/form-reader';
import { canonicalText } from './canonical-text';
import { IdempotencyService, repeaterOf } from './idempotency.service';

/**
 * Puts every POST of an API client under its Idempotency-Key, and those of the console with `@TakesIdempotencyKeys()`.
 * It runs after the guards, since only a caller has keys, and before the body is validated. Handlers of forms read
 * their body themselves and call `IdempotencyService.begin`.
 *
 * The response is stored by `storeResponses`: only Fastify's `onSend` hook sees the bytes that are sent, with warnings
 * and for errors, too (ADR 65).
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: IdempotencyService) {}

  /** @throws StoredAnswer, AppError as `IdempotencyService.begin` */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (isKeyed(request))
      await this.idempotency.begin(request, canonicalText(request.body), request.bodyHash ?? undefined);
    return next.handle();
  }
}

function isKeyed(request: FastifyRequest): boolean {
  const hasKey = request.method === 'POST' && request.headers['idempotency-key'] !== undefined;
  return hasKey && !isForm(request) && repeaterOf(request) !== undefined;
}

/** Stores each response to a keyed request before it is sent, when it is one to keep. */
export function storeResponses(fastify: FastifyInstance, idempotency: IdempotencyService): void {
  for (const name of ['idempotencyClaim', 'messageId', 'bodyHash'] as const) fastify.decorateRequest(name, null);
  fastify.addHook('onSend', async (request, reply, payload) => {
    const claim = request.idempotencyClaim;
    if (!claim) return;
    request.idempotencyClaim = null;
    await idempotency.end(claim, { status: reply.statusCode, code: request.errorCode ?? undefined, body: payload });
  });
}
