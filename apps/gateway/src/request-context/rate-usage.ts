export interface RateUsage {
  /** Requests per window. */
  limit: number;
  /** Requests that would be admitted now. */
  remaining: number;
  windowSeconds: number;
  /** Time at which the full limit is available again if no further requests are made. */
  resetAt: Date;
}

/** Builds the rate limit headers (spec §2.4.3). `/me` returns the same values (spec §2.4.4). */
export function rateHeaders(usage: RateUsage): Record<string, string> {
  return {
    'x-ratelimit-limit': String(usage.limit),
    'x-ratelimit-remaining': String(usage.remaining),
    'x-ratelimit-reset': String(Math.ceil(usage.resetAt.getTime() / 1000)),
  };
}
