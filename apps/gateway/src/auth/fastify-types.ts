import type { ApiClient } from '../request-context/client';
import type { ConsoleUser } from '../request-context/console-user';
import type { Plan } from '../request-context/plan';
import type { RateUsage } from '../request-context/rate-usage';
import type { Role } from '../request-context/roles';
import type { FeatureRule } from '../decorators/require-feature.decorator';
import type { Rate } from '../rate-limits/gcra';

declare module 'fastify' {
  interface FastifyRequest {
    /** Authenticated API client; null on public and console routes. */
    client: ApiClient | null;
    /** Signed-in user; null except on console routes. */
    consoleUser: ConsoleUser | null;
    rateUsage: RateUsage | null;
    /** True if `RateLimitGuard` has counted the request. */
    isCounted: boolean;
    /** Caller's plan, loaded only when a feature check needs it. */
    plan: Plan | null;
  }

  interface FastifyContextConfig {
    /** Reason why the route needs no API key. */
    publicBecause?: string;
    /** Rate limit per address, shared by all public routes. */
    perAddress?: Rate;
    /** Minimum role for a console route, which serves users rather than API keys. */
    consoleRole?: Role;
    /** Role that may not use the console route although it is high enough. */
    exceptRole?: Role;
    /** True if the console route also serves users of a suspended account. */
    evenSuspended?: boolean;
    features?: readonly FeatureRule[];
    /** True for a sign-in route, on which each request counts as an attempt by its address before the body is read. */
    isSignIn?: boolean;
  }
}
