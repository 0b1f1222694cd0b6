import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiClient } from '../request-context/client';
import type { ConsoleUser } from '../request-context/console-user';
import { rateHeaders } from '../request-context/rate-usage';
import type { GatewayConfig } from '../config';
import { addressOf, networkOf } from '../http/addresses';
import { routeConfigOf } from '../http/route-config';
import { type Rate, waitMsOf } from '../rate-limits/gcra';
import { MemoryRates } from '../rate-limits/memory-rates';
import { type Counted, RateLimits } from '../rate-limits/rate-limits';

/** Limit shared by all sessions of an account, as a multiple of the limit per session. */
const SESSIONS_PER_ACCOUNT = 5;

/**
 * Counts each request against the rate limit of its API client, session or address, and rejects requests above it.
 * | `AccessService` calls one of the `count…` methods before the body is read (ADR 65). `canActivate` only rejects
 * requests that were not counted.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  /** Rates of callers without a key, by IPv4 address or IPv6 network. */
  private readonly anonymous = new MemoryRates();

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly limits: RateLimits,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { publicBecause, perAddress } = routeConfigOf(this.reflector, context);
    const { isCounted } = context.switchToHttp().getRequest<FastifyRequest>();
    const isLimited = publicBecause === undefined || perAddress !== undefined;
    if (isLimited && !isCounted) throw new Error('no hook has counted the request against its rate limit');
    return true;
  }

  /** @throws AppError RATE_LIMITED */
  async countClient(client: ApiClient, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    admit(await this.limits.count(client), request, reply);
  }

  /** Sets the rate headers of a client whose request is rejected for another reason, without counting it. */
  async showUsage(client: ApiClient, reply: FastifyReply): Promise<void> {
    reply.headers(rateHeaders(await this.limits.peek(client)));
  }

  /**
   * Counts a request against the limits of its session and of its account's sessions. The headers show the limit with
   * less remaining.
   * @throws AppError RATE_LIMITED
   */
  async countSession({ sessionId, account }: ConsoleUser, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { CONSOLE_REQUESTS_PER_MINUTE: limit } = this.config;
    const bySession = await this.limits.countAs(`session:${sessionId}`, ratePerMinute(limit));
    const byAccount = bySession.refusal
      ? bySession
      : await this.limits.countAs(`console:${account.id}`, ratePerMinute(SESSIONS_PER_ACCOUNT * limit));
    const isAccountNearer = byAccount.refusal || byAccount.usage.remaining < bySession.usage.remaining;
    admit(isAccountNearer ? byAccount : bySession, request, reply);
  }

  /**
   * Counts a request without a key, in this gateway process only. The limit protects the gateway; callers cannot rely
   * on it.
   * @throws AppError RATE_LIMITED
   */
  countAnonymous(request: FastifyRequest, rate: Rate): void {
    request.isCounted = true;
    const { admitted, debtMs } = this.anonymous.take(
      networkOf(addressOf(request, this.config.TRUSTED_PROXY_HOPS)),
      rate,
    );
    if (!admitted)
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: Math.max(1, Math.ceil(waitMsOf(rate, debtMs) / 1_000)) });
  }
}

function admit({ usage, refusal }: Counted, request: FastifyRequest, reply: FastifyReply): void {
  request.isCounted = true;
  request.rateUsage = usage;
  reply.headers(rateHeaders(usage));
  if (refusal) throw refusal;
}

function ratePerMinute(limit: number): Rate {
  return { limit, windowMs: 60_000, burst: Math.floor(limit / 2) };
}
