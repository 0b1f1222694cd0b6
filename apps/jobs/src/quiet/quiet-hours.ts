import { type JobQuietHours, minuteOfDay } from '@switchboard/contracts';
import { zonesOf } from './regions';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** More steps than the zones of any country. */
const MOST_STEPS = 100;

/** Formats by time zone. Node.js knows about 600 names of zones. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the first time from `at` on at which a job may send to a region: `at` itself, or the end of the quiet hours.
 * No zone of the region has quiet hours at that time.
 */
export function openingOf(region: string, quiet: JobQuietHours, at: number): number {
  const zones = zonesOf(region, quiet.timeZone);
  const to = minuteOfDay(quiet.to);
  let time = at;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const start = time;
    const zone = zones.find((each) => isQuietIn(each, quiet, start));
    if (zone === undefined) return time;
    time = nextAt(zone, to, time);
  }
  return time;
}

/** Returns the next time after `at` at which the quiet hours start in a zone of the region. */
export function closingOf(region: string, quiet: JobQuietHours, at: number): number {
  const from = minuteOfDay(quiet.from);
  return Math.min(...zonesOf(region, quiet.timeZone).map((zone) => nextAt(zone, from, at)));
}

function isQuietIn(zone: string, { from, to }: JobQuietHours, at: number): boolean {
  const [minute, start, end] = [minuteIn(zone, at), minuteOfDay(from), minuteOfDay(to)];
  return start < end ? minute >= start && minute < end : minute >= start || minute < end;
}

/**
 * Returns the next time after `at` at which the clock of a zone shows a minute of the day. If the clock skips that
 * minute, returns a time after the gap.
 */
function nextAt(zone: string, minute: number, at: number): number {
  const start = Math.floor(at / MINUTE_MS) * MINUTE_MS;
  const ahead = (minute - minuteIn(zone, start) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const assumed = start + ahead * MINUTE_MS;
  // The clock may change between both times.
  const drift = ((minuteIn(zone, assumed) - minute + 1.5 * DAY_MINUTES) % DAY_MINUTES) - DAY_MINUTES / 2;
  const corrected = assumed - drift * MINUTE_MS;
  return corrected > at && minuteIn(zone, corrected) === minute ? corrected : assumed;
}

/** Returns the minute of the day that the clock of a zone shows. */
function minuteIn(zone: string, at: number): number {
  const clock = clocks.get(zone) ?? newClock(zone);
  clocks.set(zone, clock);
  return minuteOfDay(clock.format(at));
}

function newClock(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}
