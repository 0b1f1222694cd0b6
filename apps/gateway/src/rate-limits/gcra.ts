/** Rate limit: number of requests per window, evenly refilled, and the maximum burst. */
export interface Rate {
  limit: number;
  windowMs: number;
  burst: number;
}

/** Outcome of a request. */
export interface Take {
  admitted: boolean;
  /** Debt of the client's requests, as time ahead of now; 0 when fully refilled. */
  debtMs: number;
}

/**
 * Generic cell rate algorithm. Each request adds the refill time of one request to the client's debt, and is admitted
 * while the debt is within a burst.
 * @param debtMs current debt in milliseconds
 */
export function take({ limit, windowMs, burst }: Rate, debtMs: number): Take {
  const costMs = windowMs / limit;
  const ceilingMs = burst * costMs;
  // After a change to a smaller plan, the old debt is limited to one burst.
  const owed = Math.min(Math.max(debtMs, 0), ceilingMs);
  const admitted = owed + costMs <= ceilingMs + ROUNDING_MS;
  return { admitted, debtMs: admitted ? owed + costMs : owed };
}

/** Upper bound of the rounding error for refill times such as 60/7 s. */
const ROUNDING_MS = 1e-6;

/** Returns the number of requests that would be admitted now. */
export function remainingOf({ limit, windowMs, burst }: Rate, debtMs: number): number {
  const costMs = windowMs / limit;
  return Math.max(0, Math.min(burst, Math.floor((burst * costMs - Math.max(debtMs, 0) + ROUNDING_MS) / costMs)));
}

/** Returns the time in milliseconds from a rejection until the next request is admitted. */
export function waitMsOf({ limit, windowMs, burst }: Rate, debtMs: number): number {
  const costMs = windowMs / limit;
  return Math.max(0, debtMs + costMs - burst * costMs);
}
