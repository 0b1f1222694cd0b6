import type { JobQuietHours } from '@switchboard/contracts';
import { closingOf, openingOf } from './quiet-hours';

/** Recipients of a job in one region that have not been released. */
export interface RegionCount {
  region: string;
  pending: number;
}

/** Recipients that wait for the end of their quiet hours. */
export interface Waiting {
  waitingRecipients: number;
  /** Time at which the first of them may be sent to; null if none waits. */
  waitingUntil: string | null;
}

/** Maximum changes of quiet hours to compute: a week of those of 140 regions, or 50 days of 20. */
const MOST_CHANGES = 2_000;

/** Returns how many recipients have quiet hours at a time. */
export function waitingAt(regions: readonly RegionCount[], quiet: JobQuietHours, at: number): Waiting {
  const openings = regions.flatMap(({ region, pending }) => {
    const opening = openingOf(region, quiet, at);
    return pending > 0 && opening > at ? [{ opening, pending }] : [];
  });
  const first = Math.min(...openings.map(({ opening }) => opening));
  return {
    waitingRecipients: openings.reduce((sum, { pending }) => sum + pending, 0),
    waitingUntil: openings.length > 0 ? new Date(first).toISOString() : null,
  };
}

/**
 * Returns the expected seconds until a job with quiet hours has sent to all recipients, without messaging limits.
 * Returns null if it takes too many days.
 * @param rate messages per second of all numbers
 */
export function quietSeconds(
  counts: readonly RegionCount[],
  { quiet, at, rate }: { quiet: JobQuietHours; at: number; rate: number },
): number | null {
  if (rate <= 0) return null;
  const regions = counts
    .filter(({ pending }) => pending > 0)
    .map(({ region, pending }) => ({ region, left: pending, opening: openingOf(region, quiet, at), closing: 0 }));
  let time = at;
  for (let change = 0; change < MOST_CHANGES; change += 1) {
    for (const each of regions) if (each.opening <= time && each.closing <= time) openAt(each, quiet, time);
    const waiting = regions.filter(({ left }) => left > 0);
    if (waiting.length === 0) return Math.ceil((time - at) / 1_000);
    const open = waiting.filter(({ opening }) => opening <= time);
    const left = open.reduce((sum, each) => sum + each.left, 0);
    const next = Math.min(...waiting.map(({ opening, closing }) => (opening > time ? opening : closing)));
    const end = open.length > 0 ? Math.min(next, time + (left * 1_000) / rate) : next;
    const share = left > 0 ? Math.min(((end - time) * rate) / 1_000 / left, 1) : 0;
    for (const each of open) each.left = end < next || share === 1 ? 0 : each.left * (1 - share);
    time = end;
  }
  return null;
}

/** Finds the next start of quiet hours of an open region, or the next opening of one whose quiet hours have started. */
function openAt(
  region: { region: string; opening: number; closing: number },
  quiet: JobQuietHours,
  time: number,
): void {
  region.opening = openingOf(region.region, quiet, time);
  region.closing = region.opening > time ? 0 : closingOf(region.region, quiet, time);
}
