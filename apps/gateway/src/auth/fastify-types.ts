import type { ApiClient } from '../request-context/client';
import type { ConsoleUser } from '../request-context/console-user';
import type { Plan } from '../request-context/plan';
import type { RateUsage } from '../request-context/rate-usage';
import type { Role } from '../request-context/roles';
import type { FeatureRule } from '../decorators/require-feature.decorator';
import type { Rate } from '../rate-limits/gcra';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null on public routes and the console's. */
    client: ApiClient | null;
    /** Who is signed in; on the console's routes only. */
    consoleUser: ConsoleUser | null;
    rateUsage: RateUsage | null;
    /** `RateLimitGuard` has counted the request. */
    isCounted: boolean;
    /** The caller's plan, once a feature of it was needed. */
    plan: Plan | null;
  }

  interface FastifyContextConfig {
    /** Why the route needs no API key. */
    publicBecause?: string;
    /** How many requests to all such routes are admitted from one address; on public routes only. */
    perAddress?: Rate;
    /** The route is the console's: for users who have at least this role, and not for API keys. */
    consoleRole?: Role;
    /** The console's route also serves users of a suspended account. */
    evenSuspended?: boolean;
    /** Features that the caller's plan must have. */
    features?: readonly FeatureRule[];
    /** Somebody signs in: an attempt of the address, counted before the body is read. */
    isSignIn?: boolean;
  }
}
