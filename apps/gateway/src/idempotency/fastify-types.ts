import type { IdempotencyClaim } from './idempotency.service';

declare module 'fastify' {
  interface FastifyRequest {
    /** The hold on the request's Idempotency-Key, while it has one. */
    idempotencyClaim: IdempotencyClaim | null;
  }
}
