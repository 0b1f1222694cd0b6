import { useSyncExternalStore } from 'react';
import { LOCALE } from './numbers';

const full = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' });
const utc = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
const day = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const clock = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const hour = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat(LOCALE, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const dayAndMonth = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' });
const near = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Date and time in the browser's time zone, such as `27 Nov 2026, 04:22:10`. */
export const localTime = (at: string): string => full.format(new Date(at));

/** Returns the time in the browser's time zone and in UTC. */
export const fullTime = (at: string): string => `${full.format(new Date(at))} · ${utc.format(new Date(at))} UTC`;

/** `04:22` */
export const hourAndMinute = (at: string): string => hour.format(new Date(at));

/** `27 Nov 2026` */
export const dayText = (at: string): string => day.format(new Date(at));

/** `Friday, 27 November 2026` */
export const longDay = (at: string): string => weekday.format(new Date(at));

/** `04:22` for today, otherwise `26 Nov`. */
export const shortTime = (at: string): string =>
  dayText(at) === day.format(new Date()) ? hourAndMinute(at) : dayAndMonth.format(new Date(at));

export const clockTime = (at: string): string => clock.format(new Date(at));

/** Returns `5 min ago`, `just now`, `in under a minute`, `in 2 hr`, or the date when it is over a month away. */
export function relativeTime(at: string): string {
  const seconds = (new Date(at).getTime() - Date.now()) / 1_000;
  if (Math.abs(seconds) > 30 * 86_400) return day.format(new Date(at));
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  if (unit === 'second') return seconds > 0 ? 'in under a minute' : 'just now';
  return relative.format(Math.round(seconds / length), unit);
}

/** Returns the time of day, with the day unless it is today: `04:22`, `tomorrow 04:22`, `28 Nov 2026, 04:22`. */
export function timeAndDay(at: string): string {
  const time = hour.format(new Date(at));
  const on = day.format(new Date(at));
  if (on === day.format(new Date())) return time;
  const next = [1, -1].find((days) => on === day.format(daysFromNow(days)));
  return next === undefined ? `${on}, ${time}` : `${near.format(next, 'day')} ${time}`;
}

/** Calendar arithmetic, because a day can have 23 hours. */
function daysFromNow(days: number): Date {
  const date = new Date();
  date.setDate(date.getDate() + days);
  return date;
}

const MINUTE_MS = 60_000;
const readers = new Set<() => void>();
let minutes = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer for all times on the page. */
function everyMinute(reader: () => void): () => void {
  readers.add(reader);
  timer ??= setInterval(() => {
    minutes += 1;
    for (const tell of readers) tell();
  }, MINUTE_MS);
  return () => {
    readers.delete(reader);
    if (readers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Re-renders a component every minute, so that relative times stay current. */
export const useMinutes = (): number => useSyncExternalStore(everyMinute, () => minutes);

/** Period that one point of a chart covers. */
export type PeriodUnit = 'hour' | 'day';
/** Days are in UTC, like the statistics; hours are in the browser's time zone. */
const STARTS: Record<PeriodUnit, Record<'short' | 'long', Intl.DateTimeFormat>> = {
  day: {
    short: new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' }),
    long: new Intl.DateTimeFormat(LOCALE, { weekday: 'short', day: 'numeric', month: 'long', timeZone: 'UTC' }),
  },
  hour: {
    short: new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit' }),
    long: new Intl.DateTimeFormat(LOCALE, { weekday: 'short', hour: '2-digit', minute: '2-digit' }),
  },
};

/** Returns the label of the hour or day that starts at this time. */
export const startText = (at: string, unit: PeriodUnit, length: 'short' | 'long'): string =>
  STARTS[unit][length].format(new Date(at));
