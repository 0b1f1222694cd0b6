import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../http/addresses';
import { type Rate, waitMsOf } from './gcra';
import { MemoryRates } from './memory-rates';
import { RateLimits } from './rate-limits';
import { rateHeaders } from '../caller/rate-usage';
import type { GatewayConfig } from '../config';
import { isAllowed, type Role } from '../caller/roles';
import type { ConsoleUser } from '../caller/console-user';
import { isCsrfToken, tokenOf } from './session-cookie';
import { notSignedIn, SessionsService } from './sessions.service';
import { accountSuspended } from './suspension';

/** What all sessions of an account may do together, in what one may do. */
const SESSIONS_PER_ACCOUNT = 5;
/** Tokens of sessions that do not exist, or no longer, from one network. */
const UNKNOWN_SESSIONS: Rate = { limit: 60, windowMs: 60_000, burst: 60 };
const SAFE_METHODS = ['GET', 'HEAD'];
/** On requests that a page makes by itself: they do not keep a session alive that nobody uses. */
const POLL_HEADER = 'x-switchboard-poll';
/** What a browser says of where a request comes from, when it comes from a page of ours or was typed in. */
const OWN_SITES: unknown[] = [undefined, 'same-origin', 'none'];

/** Decides who may call the console's routes. */
@Injectable()
export class ConsoleAccess {
  /** Sessions that do not exist, by the network that tried them. Counted by this gateway alone. */
  private readonly tried = new MemoryRates();

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly sessions: SessionsService,
    private readonly rateLimits: RateLimits,
  ) {}

  /**
   * Sets the user on the request and the rate headers on the reply.
   * @param options.address the caller's; undefined when it cannot be told
   * @param options.evenSuspended also admits users of a suspended account
   * @throws AppError UNAUTHORIZED, ACCOUNT_SUSPENDED, RATE_LIMITED, CSRF_TOKEN_INVALID, ROLE_NOT_ALLOWED
   */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    { needed, address, evenSuspended }: { needed: Role; address: string | undefined; evenSuspended: boolean },
  ): Promise<void> {
    const token = tokenOf(request.headers.cookie, this.config);
    if (token === undefined) throw notSignedIn();
    const user = await this.findUser(token, { network: networkOf(address), isPoll: isPoll(request) });
    if (user.isSuspended && !evenSuspended) throw accountSuspended();
    request.consoleUser = user;
    await this.count(user, reply);
    if (!SAFE_METHODS.includes(request.method)) {
      requireOwnSite(request);
      // A page that was opened while the account is suspended knows no token: no route gives it one.
      if (!user.isSuspended && !isCsrfToken(request.headers['x-csrf-token'], token))
        throw new AppError('CSRF_TOKEN_INVALID');
    }
    if (!isAllowed(user.role, needed))
      throw new AppError('ROLE_NOT_ALLOWED', { message: `your role does not allow this: it needs ${needed}` });
  }

  /** Counts an attempt to sign in, before it is known as whom. @throws AppError CSRF_TOKEN_INVALID, SIGN_IN_LOCKED */
  async admitSignIn(request: FastifyRequest, address: string | undefined): Promise<void> {
    requireOwnSite(request);
    await this.sessions.countAddress(address);
  }

  /** @throws AppError RATE_LIMITED for one session too many that does not exist */
  private async findUser(
    token: string,
    { network, isPoll }: { network: string; isPoll: boolean },
  ): Promise<ConsoleUser> {
    // Counted before it is known, so that guesses at the same moment count, too.
    const { admitted, debtMs } = this.tried.take(network, UNKNOWN_SESSIONS);
    if (!admitted)
      throw new AppError('RATE_LIMITED', {
        retryAfterSeconds: Math.max(1, Math.ceil(waitMsOf(UNKNOWN_SESSIONS, debtMs) / 1_000)),
      });
    const giveBack = (): void => this.tried.giveBack(network, UNKNOWN_SESSIONS);
    try {
      const user = await this.sessions.requireUser(token, { isPoll });
      giveBack();
      return user;
    } catch (error) {
      // A failure of ours costs the address nothing.
      if (!(error instanceof AppError && error.code === 'UNAUTHORIZED')) giveBack();
      throw error;
    }
  }

  /**
   * One person's browser, and all of an account's together. The figures shown are those of the limit that is nearer.
   */
  private async count({ sessionId, account }: ConsoleUser, reply: FastifyReply): Promise<void> {
    const { CONSOLE_REQUESTS_PER_MINUTE: limit } = this.config;
    const bySession = await this.rateLimits.countAs(`session:${sessionId}`, ratePerMinute(limit));
    const byAccount = bySession.refusal
      ? bySession
      : await this.rateLimits.countAs(`console:${account.id}`, ratePerMinute(SESSIONS_PER_ACCOUNT * limit));
    const { usage, refusal } =
      byAccount.refusal || byAccount.usage.remaining < bySession.usage.remaining ? byAccount : bySession;
    reply.headers(rateHeaders(usage));
    if (refusal) throw refusal;
  }
}

/** Only a read can be one. */
function isPoll({ method, headers }: FastifyRequest): boolean {
  return SAFE_METHODS.includes(method) && headers[POLL_HEADER] !== undefined;
}

function ratePerMinute(limit: number): Rate {
  return { limit, windowMs: 60_000, burst: Math.floor(limit / 2) };
}

/**
 * For signing in, which has no token yet: nobody is signed in by a page that is not ours.
 * @throws AppError CSRF_TOKEN_INVALID
 */
export function requireOwnSite({ headers }: FastifyRequest): void {
  if (!OWN_SITES.includes(headers['sec-fetch-site']))
    throw new AppError('CSRF_TOKEN_INVALID', { message: 'this request comes from another site' });
}
