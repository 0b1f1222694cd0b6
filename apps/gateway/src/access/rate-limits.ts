import { Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import type { ApiClient } from './client';
import { type Rate, remainingOf, waitMsOf } from './gcra';
import { RateStore } from './rate-store';
import type { RateUsage } from './rate-usage';

/** Holds every API client to the rate of its account's plan; a change of plan holds from the next request on. */
@Injectable()
export class RateLimits {
  constructor(private readonly store: RateStore) {}

  /**
   * Counts one request.
   * @returns the usage, and the refusal when the limit is exceeded
   */
  async count(client: ApiClient): Promise<{ usage: RateUsage; refusal?: AppError }> {
    const rate = rateOf(client);
    const { admitted, debtMs } = await this.store.take(client.clientId, rate);
    const usage = usageOf(client, debtMs);
    if (admitted) return { usage };
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMsOf(rate, debtMs) / 1_000));
    return { usage, refusal: new AppError('RATE_LIMITED', { retryAfterSeconds }) };
  }

  /** The usage without counting a request. */
  async peek(client: ApiClient): Promise<RateUsage> {
    return usageOf(client, await this.store.debtOf(client.clientId));
  }
}

function rateOf({ plan: { rateLimit, rateWindowSeconds, rateBurst } }: ApiClient): Rate {
  return { limit: rateLimit, windowMs: rateWindowSeconds * 1_000, burst: rateBurst };
}

function usageOf(client: ApiClient, debtMs: number): RateUsage {
  const { rateLimit, rateWindowSeconds } = client.plan;
  return {
    limit: rateLimit,
    remaining: remainingOf(rateOf(client), debtMs),
    windowSeconds: rateWindowSeconds,
    resetAt: new Date(Date.now() + debtMs),
  };
}
