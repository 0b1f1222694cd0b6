/** Nothing but the upstream platform's throttling holds a number back. */
const WITHOUT_PACE = 100_000;
/** What a number did not use comes back for so long only: nobody is sent a minute's worth at once. */
const MOST_SAVED_MS = 1_000;
/** The share of its highest pace that a number which was slowed down gains per second. */
const RECOVERY_PER_SECOND = 0.02;
/** A throttling is followed by others of what was under way together; only then does the pace recover. */
const RECOVERY_AFTER_MS = 2_000;

/** How many recipients of a number may be released. */
export interface Pace {
  /** Per second, now. */
  rate: number;
  /** What is left of one recipient. */
  carry: number;
}

export interface PaceFacts extends Pace {
  /** Messages a second that the upstream platform takes from the number. */
  throughput: number;
  /** Since the last round, by the database's clock. */
  elapsedMs: number;
  /** Since the last throttling; null when there was none. */
  slowedMs: number | null;
}

/**
 * The pace after the time that passed, and how many recipients it allows now. Throttling halves the rate (where it is
 * noticed); from then on it grows evenly to what the number can take. @param maxPace the setting; 0 for no pace
 */
export function advancePace(
  { rate, carry, throughput, elapsedMs, slowedMs }: PaceFacts,
  maxPace: number,
): Pace & { allowed: number } {
  const highest = maxPace === 0 ? WITHOUT_PACE : Math.min(throughput, maxPace);
  const rested = slowedMs === null || slowedMs > RECOVERY_AFTER_MS;
  const seconds = Math.min(Math.max(elapsedMs, 0), MOST_SAVED_MS) / 1_000;
  const grown = rested ? rate + highest * RECOVERY_PER_SECOND * seconds : rate;
  const wasNeverSlowed = slowedMs === null;
  const next = Math.min(wasNeverSlowed ? highest : grown, highest);
  const saved = carry + next * seconds;
  const allowed = Math.floor(saved);
  return { rate: next, carry: saved - allowed, allowed };
}

/** What was allowed and not used stays, as far as it may be saved. */
export function giveBack({ rate, carry }: Pace, unused: number): number {
  return Math.min(carry + unused, (rate * MOST_SAVED_MS) / 1_000);
}

/**
 * The most recipients of a number that may be without a result: a few seconds' worth, so that what stops a job acts
 * soon.
 */
export function windowOf(rate: number, most: number): number {
  return Math.min(most, Math.max(LEAST_WINDOW, Math.ceil(rate * WINDOW_SECONDS)));
}
const LEAST_WINDOW = 20;
const WINDOW_SECONDS = 5;
