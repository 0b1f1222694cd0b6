import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyRequest } from 'fastify';
import type { ConsoleUser } from '../request-context/console-user';
import type { GatewayConfig } from '../config';
import { addressOf, networkOf } from '../http/addresses';
import { routeConfigOf } from '../http/route-config';
import { type Rate, waitMsOf } from '../rate-limits/gcra';
import { MemoryRates } from '../rate-limits/memory-rates';
import { isCsrfToken, tokenOf } from '../sessions/session-cookie';
import { notSignedIn, SessionsService } from '../sessions/sessions.service';
import { accountSuspended } from '../accounts/suspension';

/** Maximum rate of unknown or expired session tokens per network. */
const UNKNOWN_SESSIONS: Rate = { limit: 60, windowMs: 60_000, burst: 60 };
const SAFE_METHODS = ['GET', 'HEAD'];
/** Header of a page's background requests, which do not extend an idle session. */
const POLL_HEADER = 'x-switchboard-poll';
/**
 * `Sec-Fetch-Site` values of requests from the dashboard's own pages, typed addresses or clients without the header.
 */
const OWN_SITES: unknown[] = [undefined, 'same-origin', 'none'];

/**
 * Admits signed-in users to console routes, which have `@Roles()`, and protects them against cross-site request
 * forgery.
 * | `AccessService` calls `authenticate` and `requireOwnPage` before the body is read (ADR 65); `canActivate` only
 * checks that this has happened.
 */
@Injectable()
export class SessionGuard implements CanActivate {
  /** Rates of unknown sessions by network, in this gateway process only. */
  private readonly tried = new MemoryRates();

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly sessions: SessionsService,
    private readonly reflector: Reflector,
  ) {}

  /** @throws AppError UNAUTHORIZED for a request that the hook has not authenticated */
  canActivate(context: ExecutionContext): boolean {
    const { consoleRole } = routeConfigOf(this.reflector, context);
    if (consoleRole && !context.switchToHttp().getRequest<FastifyRequest>().consoleUser) throw notSignedIn();
    return true;
  }

  /** Sets the user on the request. @throws AppError UNAUTHORIZED, ACCOUNT_SUSPENDED, RATE_LIMITED */
  async authenticate(request: FastifyRequest): Promise<{ user: ConsoleUser; token: string }> {
    const token = tokenOf(request.headers.cookie, this.config);
    if (token === undefined) throw notSignedIn();
    const user = await this.findUser(token, { network: networkOf(this.addressOf(request)), isPoll: isPoll(request) });
    if (user.isSuspended && !request.routeOptions.config.evenSuspended) throw accountSuspended();
    request.consoleUser = user;
    return { user, token };
  }

  /** Rejects changes that do not originate from the dashboard. @throws AppError CSRF_TOKEN_INVALID */
  requireOwnPage(request: FastifyRequest, { user, token }: { user: ConsoleUser; token: string }): void {
    if (SAFE_METHODS.includes(request.method)) return;
    requireOwnSite(request);
    // Pages opened while the account is suspended have no token, since no route returns one.
    if (!user.isSuspended && !isCsrfToken(request.headers['x-csrf-token'], token))
      throw new AppError('CSRF_TOKEN_INVALID');
  }

  /** Counts a sign-in attempt before the body is read. @throws AppError CSRF_TOKEN_INVALID, SIGN_IN_LOCKED */
  async countSignIn(request: FastifyRequest): Promise<void> {
    requireOwnSite(request);
    await this.sessions.countAddress(this.addressOf(request));
  }

  /** @throws AppError RATE_LIMITED after too many unknown sessions */
  private async findUser(
    token: string,
    { network, isPoll }: { network: string; isPoll: boolean },
  ): Promise<ConsoleUser> {
    // Count before the lookup, so that concurrent guesses are counted.
    const { admitted, debtMs } = this.tried.take(network, UNKNOWN_SESSIONS);
    if (!admitted)
      throw new AppError('RATE_LIMITED', {
        retryAfterSeconds: Math.max(1, Math.ceil(waitMsOf(UNKNOWN_SESSIONS, debtMs) / 1_000)),
      });
    const refund = (): void => this.tried.refund(network, UNKNOWN_SESSIONS);
    try {
      const user = await this.sessions.requireUser(token, { isPoll });
      refund();
      return user;
    } catch (error) {
      // Internal errors do not count against the address.
      if (!(error instanceof AppError && error.code === 'UNAUTHORIZED')) refund();
      throw error;
    }
  }

  private addressOf(request: FastifyRequest): string | undefined {
    return addressOf(request, this.config.TRUSTED_PROXY_HOPS);
  }
}

/** Returns true for background requests. Includes event streams, for which browsers cannot set a header. */
function isPoll({ method, headers, routeOptions }: FastifyRequest): boolean {
  const isMarked = headers[POLL_HEADER] !== undefined || routeOptions.config.isEventStream === true;
  return SAFE_METHODS.includes(method) && isMarked;
}

/** Rejects a request from a page of another site. @throws AppError CSRF_TOKEN_INVALID */
function requireOwnSite({ headers }: FastifyRequest): void {
  if (!OWN_SITES.includes(headers['sec-fetch-site']))
    throw new AppError('CSRF_TOKEN_INVALID', { message: 'this request comes from another site' });
}
