import type { ErrorCode } from '@switchboard/contracts';
import type { ApiClient } from '../access/client';
import type { FeatureRule } from '../access/features';
import type { Rate } from '../access/gcra';
import type { RateUsage } from '../access/rate-usage';
import type { ConsoleUser } from '../console/console-user';
import type { IdempotencyClaim } from '../idempotency/idempotency.service';
import type { Role } from '../users/roles';

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller; null on public routes and the console's. */
    client: ApiClient | null;
    /** Who is signed in; on the console's routes only. */
    consoleUser: ConsoleUser | null;
    rateUsage: RateUsage | null;
    /** The error the request was answered with. */
    errorCode: ErrorCode | null;
    /** The fields of a form, once it is read. */
    formFields: ReadonlyMap<string, string> | null;
    /** SHA-256 of the body as it came; null without an Idempotency-Key. */
    bodyHash: Buffer | null;
    /** The hold on the request's Idempotency-Key, while it has one. */
    idempotencyClaim: IdempotencyClaim | null;
  }

  interface FastifyContextConfig {
    /** Why the route needs no API key. */
    publicBecause?: string;
    /** How many requests to all such routes are admitted from one address; on public routes only. */
    perAddress?: Rate;
    /** The route is the console's: for users who have at least this role, and not for API keys. */
    consoleRole?: Role;
    /** What the caller's plan must have. */
    feature?: FeatureRule;
    /** Judges the head of a request to a public route, before a byte of its body is read; throws the refusal. */
    requireHead?: (request: FastifyRequest) => void;
    /** Somebody signs in: an attempt of the address, counted before the body is read. */
    isSignIn?: boolean;
    rawBody?: boolean;
    /** A body must come. Elsewhere none is wanted, and clients that always name a content type send an empty one. */
    takesBody?: boolean;
    /** The handler reads forms with files itself. */
    takesForms?: boolean;
    bodyLimitBytes?: number;
    /** The answer is a file, which goes out as fast as the caller takes it. */
    isDownload?: boolean;
    /** The body may be as large as the recipients need that the caller's plan allows. */
    takesRecipients?: boolean;
  }
}
