/** What a client may do: so many requests a window, spread over it, and so many at once. */
export interface Rate {
  limit: number;
  windowMs: number;
  burst: number;
}

/** The outcome of one request. */
export interface Take {
  admitted: boolean;
  /** How far the client's requests reach ahead of now; 0 when none counts any more. */
  debtMs: number;
}

/**
 * The generic cell rate algorithm: each request pushes the client's account ahead by the time in which one request
 * comes back; it is admitted as long as the account is ahead by no more than a burst.
 * @param debtMs how far it is ahead now
 */
export function take({ limit, windowMs, burst }: Rate, debtMs: number): Take {
  const costMs = windowMs / limit;
  const ceilingMs = burst * costMs;
  // A plan that was made smaller does not hold old requests against the client for longer than a whole burst.
  const owed = Math.min(Math.max(debtMs, 0), ceilingMs);
  const admitted = owed + costMs <= ceilingMs + ROUNDING_MS;
  return { admitted, debtMs: admitted ? owed + costMs : owed };
}

/** Sums of a period such as 60/7 s miss their mark by less than this. */
const ROUNDING_MS = 1e-6;

/** Requests that are admitted now, one after the other. */
export function remainingOf({ limit, windowMs, burst }: Rate, debtMs: number): number {
  const costMs = windowMs / limit;
  return Math.max(0, Math.min(burst, Math.floor((burst * costMs - Math.max(debtMs, 0) + ROUNDING_MS) / costMs)));
}

/** How long after a refusal the next request is admitted. */
export function waitMsOf({ limit, windowMs, burst }: Rate, debtMs: number): number {
  const costMs = windowMs / limit;
  return Math.max(0, debtMs + costMs - burst * costMs);
}
