import type { IdempotencyClaim } from './idempotency.service';

declare module 'fastify' {
  interface FastifyRequest {
    /** Claim of the request on its Idempotency-Key. */
    idempotencyClaim: IdempotencyClaim | null;
    /** ID of the message that the request sends. */
    messageId: string | null;
  }

  interface FastifyContextConfig {
    /** True if this console route accepts Idempotency-Keys. Its responses must not contain secrets. */
    takesIdempotencyKeys?: boolean;
  }
}
