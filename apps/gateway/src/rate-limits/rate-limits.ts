import { Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import type { ApiClient } from '../request-context/client';
import { type Rate, remainingOf, waitMsOf } from './gcra';
import { RateStore } from './rate-store';
import { RetryLine } from './retry-line';
import type { RateUsage } from '../request-context/rate-usage';

export interface Counted {
  usage: RateUsage;
  /** Present if the limit is exceeded. */
  refusal?: AppError;
}

/** Enforces the plan's rate limit for every API client. A plan change takes effect on the next request. */
@Injectable()
export class RateLimits {
  private readonly line = new RetryLine();

  constructor(private readonly store: RateStore) {}

  /**
   * Counts one request of a client.
   * @returns the usage, and an error if the limit is exceeded
   */
  count(client: ApiClient): Promise<Counted> {
    return this.countAs(client.clientId, rateOf(client));
  }

  /**
   * Counts one request under an id with its own limit.
   * @returns the usage, and an error if the limit is exceeded
   */
  async countAs(id: string, rate: Rate): Promise<Counted> {
    const { admitted, debtMs } = await this.store.take(id, rate);
    const usage = usageOf(rate, debtMs);
    if (admitted) return { usage };
    const costMs = rate.windowMs / rate.limit;
    const retryAfterSeconds = this.line.secondsFor(id, { waitMs: waitMsOf(rate, debtMs), costMs });
    return { usage, refusal: new AppError('RATE_LIMITED', { retryAfterSeconds }) };
  }

  /** Returns the usage without counting a request. */
  async peek({ clientId, plan }: Pick<ApiClient, 'clientId' | 'plan'>): Promise<RateUsage> {
    return usageOf(rateOf({ plan }), await this.store.debtOf(clientId));
  }
}

function rateOf({ plan: { rateLimit, rateWindowSeconds, rateBurst } }: Pick<ApiClient, 'plan'>): Rate {
  return { limit: rateLimit, windowMs: rateWindowSeconds * 1_000, burst: rateBurst };
}

function usageOf(rate: Rate, debtMs: number): RateUsage {
  return {
    limit: rate.limit,
    remaining: remainingOf(rate, debtMs),
    windowSeconds: rate.windowMs / 1_000,
    resetAt: new Date(Date.now() + debtMs),
  };
}
