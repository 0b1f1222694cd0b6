import type { IdempotencyClaim } from './idempotency.service';

declare module 'fastify' {
  interface FastifyRequest {
    /** The hold on the request's Idempotency-Key, while it has one. */
    idempotencyClaim: IdempotencyClaim | null;
    /** Id of the message that the request sends. */
    messageId: string | null;
  }

  interface FastifyContextConfig {
    /** A route of the console whose requests may be repeated under an Idempotency-Key. Its answers hold no secret. */
    takesIdempotencyKeys?: boolean;
  }
}
