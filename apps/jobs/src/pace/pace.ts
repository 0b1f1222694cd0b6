import { sustainedRate } from './duration';

/** Rate of a number that only the upstream platform's throttling limits. */
const WITHOUT_PACE = 100_000;
/** Maximum time whose unused allowance is saved, to prevent large bursts. */
const MOST_SAVED_MS = 1_000;
/** Share of its maximum rate that a throttled number regains per second. */
const RECOVERY_PER_SECOND = 0.02;
/** Delay before the rate recovers, because messages in flight together are throttled several times. */
const RECOVERY_AFTER_MS = 2_000;

/** Release rate of a number. */
export interface Pace {
  /** Current recipients per second. */
  rate: number;
  /** Unused fraction of the allowance, in recipients. */
  carry: number;
}

export interface PaceFacts extends Pace {
  /** Messages per second that the upstream platform accepts from the number. */
  throughput: number;
  /** Time since the last round, on the database clock. */
  elapsedMs: number;
  /** Time since the last throttling. Null when there was none. */
  slowedMs: number | null;
}

/**
 * Returns the rate after the elapsed time and the number of recipients that it allows now. `SLOW_LANE` halves the rate
 * on throttling. Afterwards the rate grows evenly to the number's throughput.
 * @param maxPace configured maximum rate; 0 for none
 */
export function advancePace(
  { rate, carry, throughput, elapsedMs, slowedMs }: PaceFacts,
  maxPace: number,
): Pace & { allowed: number } {
  const highest = maxPace === 0 ? WITHOUT_PACE : sustainedRate(throughput, maxPace);
  const rested = slowedMs === null || slowedMs > RECOVERY_AFTER_MS;
  const seconds = Math.min(Math.max(elapsedMs, 0), MOST_SAVED_MS) / 1_000;
  const grown = rested ? rate + highest * RECOVERY_PER_SECOND * seconds : rate;
  const wasNeverSlowed = slowedMs === null;
  const next = Math.min(wasNeverSlowed ? highest : grown, highest);
  const saved = carry + next * seconds;
  const allowed = Math.floor(saved);
  return { rate: next, carry: saved - allowed, allowed };
}

/** Returns the carry including the unused allowance, up to the maximum that may be saved. */
export function carryOver({ rate, carry }: Pace, unused: number): number {
  return Math.min(carry + unused, (rate * MOST_SAVED_MS) / 1_000);
}

/**
 * Returns the maximum number of recipients of a number that have no result: a few seconds' worth, so that pausing a job
 * takes effect soon.
 */
export function windowOf(rate: number, most: number): number {
  return Math.min(most, Math.max(LEAST_WINDOW, Math.ceil(rate * WINDOW_SECONDS)));
}
const LEAST_WINDOW = 20;
const WINDOW_SECONDS = 5;
