import type { ApiClient } from '../request-context/client';
import type { ConsoleUser } from '../request-context/console-user';
import type { Plan } from '../request-context/plan';
import type { RateUsage } from '../request-context/rate-usage';
import type { Role } from '../request-context/roles';
import type { FeatureRule } from '../decorators/require-feature.decorator';
import type { Rate } from '../rate-limits/gcra';

declare module 'fastify' {
  interface FastifyRequest {
    /** Caller with an API key; null on public routes and on the console's. */
    client: ApiClient | null;
    /** Signed-in user, on the console's routes only. */
    consoleUser: ConsoleUser | null;
    rateUsage: RateUsage | null;
    /** True if `RateLimitGuard` has counted the request. */
    isCounted: boolean;
    /** Plan of the caller, loaded when a feature is needed. */
    plan: Plan | null;
  }

  interface FastifyContextConfig {
    /** Reason why the route needs no API key. */
    publicBecause?: string;
    /** Rate limit per address across all such routes; public routes only. */
    perAddress?: Rate;
    /** Minimum role of a console route, which users call instead of API keys. */
    consoleRole?: Role;
    /** True if the console route also serves users of a suspended account. */
    evenSuspended?: boolean;
    /** Features that the caller's plan must include. */
    features?: readonly FeatureRule[];
    /** Marks a sign-in route: counts an attempt of the address before the body is read. */
    isSignIn?: boolean;
  }
}
