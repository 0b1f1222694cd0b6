import type { IdempotencyClaim } from './idempotency.service';

declare module 'fastify' {
  interface FastifyRequest {
    /** Claim on the request's Idempotency-Key. */
    idempotencyClaim: IdempotencyClaim | null;
    /** Id of the message that the request sends. */
    messageId: string | null;
  }

  interface FastifyContextConfig {
    /** True if requests of this console route accept an Idempotency-Key. Their responses contain no secret. */
    takesIdempotencyKeys?: boolean;
  }
}
