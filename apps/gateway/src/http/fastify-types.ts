import type { ErrorCode } from '@switchboard/contracts';
import type { ApiClient } from '../access/client';
import type { RateUsage } from '../access/rate-limits';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null on public routes. */
    client: ApiClient | null;
    rateUsage: RateUsage | null;
    /** The error the request was answered with. */
    errorCode: ErrorCode | null;
  }

  interface FastifyContextConfig {
    /** Why the route needs no API key. */
    publicBecause?: string;
    rawBody?: boolean;
    bodyLimitBytes?: number;
  }
}
