import { Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { ApiClient } from './client';

/** Where a client stands in its present window. */
export interface RateUsage {
  limit: number;
  remaining: number;
  windowSeconds: number;
  resetAt: Date;
}

/**
 * Counts requests per API key in this process's memory, in windows of the plan's length that begin with a request.
 * A plan with other figures gets another limiter, so that a change of plan holds from the next request on.
 */
@Injectable()
export class RateLimits {
  private readonly limiters = new Map<string, RateLimiterMemory>();

  /**
   * Counts one request.
   * @returns the usage, and the refusal when the limit is exceeded
   */
  async count(client: ApiClient): Promise<{ usage: RateUsage; refusal?: AppError }> {
    try {
      return { usage: usageOf(client, await this.limiterOf(client).consume(client.keyId)) };
    } catch (result) {
      // The limiter rejects with its result, not with an error, when the limit is exceeded.
      if (!(result instanceof RateLimiterRes)) throw result;
      const retryAfterSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
      return { usage: usageOf(client, result), refusal: new AppError('RATE_LIMITED', { retryAfterSeconds }) };
    }
  }

  /** The usage without counting a request. */
  async peek(client: ApiClient): Promise<RateUsage> {
    return usageOf(client, await this.limiterOf(client).get(client.keyId));
  }

  private limiterOf({ plan: { rateLimit, rateWindowSeconds } }: ApiClient): RateLimiterMemory {
    const figures = `${rateLimit}/${rateWindowSeconds}`;
    const limiter = this.limiters.get(figures) ?? new RateLimiterMemory({ points: rateLimit, duration: rateWindowSeconds });
    this.limiters.set(figures, limiter);
    return limiter;
  }
}

function usageOf({ plan: { rateLimit, rateWindowSeconds } }: ApiClient, result: RateLimiterRes | null): RateUsage {
  return {
    limit: rateLimit,
    remaining: result ? Math.max(0, rateLimit - result.consumedPoints) : rateLimit,
    windowSeconds: rateWindowSeconds,
    resetAt: new Date(Date.now() + (result?.msBeforeNext ?? rateWindowSeconds * 1000)),
  };
}

/** The headers of decisions 6; the same figures as `/me` shows. */
export function rateHeaders(usage: RateUsage): Record<string, string> {
  return {
    'x-ratelimit-limit': String(usage.limit),
    'x-ratelimit-remaining': String(usage.remaining),
    'x-ratelimit-reset': String(Math.ceil(usage.resetAt.getTime() / 1000)),
  };
}
