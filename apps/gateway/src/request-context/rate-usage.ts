/** Where a client stands with its rate limit. */
export interface RateUsage {
  /** Requests per window. */
  limit: number;
  /** Requests it may make at once, now. */
  remaining: number;
  windowSeconds: number;
  /** When all of its requests are there again, if it makes none. */
  resetAt: Date;
}

/** The headers of spec §2.4.3; `/me` shows the same figures (spec §2.4.4). */
export function rateHeaders(usage: RateUsage): Record<string, string> {
  return {
    'x-ratelimit-limit': String(usage.limit),
    'x-ratelimit-remaining': String(usage.remaining),
    'x-ratelimit-reset': String(Math.ceil(usage.resetAt.getTime() / 1000)),
  };
}
