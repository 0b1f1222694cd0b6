/** Locale of all numbers and times, independent of the browser, because the texts are English. */
export const LOCALE = 'en-GB';

const whole = new Intl.NumberFormat(LOCALE);
const percent = new Intl.NumberFormat(LOCALE, {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const oneDigit = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const short = new Intl.NumberFormat(LOCALE, { notation: 'compact' });
const plurals = new Intl.PluralRules(LOCALE);

/** `10,000` */
export const countText = (count: number): string => whole.format(count);

/** `1 job`, `1,200 jobs` */
export const counted = (count: number, one: string, other = `${one}s`): string =>
  `${countText(count)} ${plurals.select(count) === 'one' ? one : other}`;

/** `92.1%` */
export const percentText = (share: number): string => percent.format(share);

/** `1.5` */
export const decimalText = (value: number): string => oneDigit.format(value);

/** `10k` */
export const compactText = (count: number): string => short.format(count);

/** `12 KB`, `1.5 MB` */
export const sizeText = (bytes: number): string =>
  bytes < 1_048_576
    ? `${countText(Math.max(1, Math.round(bytes / 1_024)))} KB`
    : `${decimalText(bytes / 1_048_576)} MB`;

/** Total of a list: `1,200`, or `10,000+` when counting stopped early. */
export const totalText = ({ total, totalIsExact }: { total: number; totalIsExact: boolean }): string =>
  `${countText(total)}${totalIsExact ? '' : '+'}`;

/** Time zone of the browser, in which times are shown while the account has none; UTC if the browser's is unknown. */
export function browserTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return isKnown(timeZone) ? timeZone : 'UTC';
}

function isKnown(timeZone: string): boolean {
  try {
    return Boolean(timeZone && new Intl.DateTimeFormat(LOCALE, { timeZone }));
  } catch {
    return false;
  }
}

/** Formats of times in one time zone. */
function timeFormats(timeZone: string) {
  const format = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(LOCALE, { timeZone, ...options });
  return {
    timeZone,
    full: format({ dateStyle: 'medium', timeStyle: 'medium' }),
    day: format({ dateStyle: 'medium' }),
    clock: format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }),
    hour: format({ hour: '2-digit', minute: '2-digit' }),
    weekday: format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
    dayAndMonth: format({ day: 'numeric', month: 'short' }),
    weekdayAndHour: format({ weekday: 'short', hour: '2-digit', minute: '2-digit' }),
    wall: format({
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    }),
  };
}

let times = timeFormats(browserTimeZone());
const utc = timeFormats('UTC');
const month = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const longUtcDay = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
});
const near = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });
const relative = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto', style: 'short' });
const DAY_MS = 86_400_000;
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Sets the time zone of all times and fields. Null, or a zone that this browser does not know, means the browser's. */
export function showTimesIn(timeZone: string | null): void {
  const wanted = timeZone && isKnown(timeZone) ? timeZone : browserTimeZone();
  if (times.timeZone !== wanted) times = timeFormats(wanted);
}

/** `America/New York` */
export const zoneText = (timeZone: string): string => timeZone.replaceAll('_', ' ');

/** Time zone of all times and fields, such as `Asia/Kolkata`. */
export const shownTimeZone = (): string => zoneText(times.timeZone);

/** Returns the names of all time zones in alphabetical order, with the given ones and UTC. */
export const timeZones = (known: readonly string[]): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', ...known])].sort();

/** Date and time, such as `27 Nov 2026, 04:22:10`. */
export const localTime = (at: string): string => times.full.format(new Date(at));

/** Returns the time in the shown time zone and in UTC. */
export const fullTime = (at: string): string => {
  const inUtc = `${utc.full.format(new Date(at))} UTC`;
  return times.timeZone === 'UTC' ? inUtc : `${localTime(at)} · ${inUtc}`;
};

/** `04:22` */
export const hourAndMinute = (at: string): string => times.hour.format(new Date(at));

/** `27 Nov 2026` */
export const dayText = (at: string): string => times.day.format(new Date(at));

/** `27 Nov` */
export const shortDay = (at: string): string => times.dayAndMonth.format(new Date(at));

/** `Friday, 27 November 2026` */
export const longDay = (at: string): string => times.weekday.format(new Date(at));

/** Month in UTC, such as `November 2026`. @param of such as `2026-11` */
export const monthText = (of: string): string => month.format(new Date(of));

/** `04:22` for today, otherwise `26 Nov`. */
export const shortTime = (at: string): string =>
  dayText(at) === times.day.format(new Date()) ? hourAndMinute(at) : shortDay(at);

/** `04:22:10` */
export const clockTime = (at: string): string => times.clock.format(new Date(at));

/** Returns `5 min ago`, `just now`, `in under a minute`, `in 2 hr`, or the date when it is over a month away. */
export function relativeTime(at: string): string {
  const seconds = (new Date(at).getTime() - Date.now()) / 1_000;
  if (Math.abs(seconds) > 30 * 86_400) return dayText(at);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  if (unit === 'second') return seconds > 0 ? 'in under a minute' : 'just now';
  return relative.format(Math.round(seconds / length), unit);
}

/** Returns the time of day, with the day unless it is today: `04:22`, `tomorrow 04:22`, `28 Nov 2026, 04:22`. */
export function timeAndDay(at: string): string {
  const time = hourAndMinute(at);
  const days = Math.floor(wallOf(Date.parse(at)) / DAY_MS) - Math.floor(wallOf(Date.now()) / DAY_MS);
  if (days === 0) return time;
  return Math.abs(days) === 1 ? `${near.format(days, 'day')} ${time}` : `${dayText(at)}, ${time}`;
}

/** Returns a duration in its largest unit, such as `45 s`, `12 min` or `1.5 h`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${decimalText(seconds)} s`;
  if (seconds < 3_600) return `${decimalText(seconds / 60)} min`;
  return seconds < 2 * 86_400 ? `${decimalText(seconds / 3_600)} h` : `${decimalText(seconds / 86_400)} days`;
}

/** Returns the day and the time of day with the shown time zone, such as `30 Nov 2026, 09:00 (UTC)`. */
export const dayAndTime = (at: string): string => `${dayText(at)}, ${hourAndMinute(at)} (${shownTimeZone()})`;

/** Period that one point of a chart covers. */
export type PeriodUnit = 'hour' | 'day';

/** Returns the label of the hour or day that starts at this time. Days are in UTC, like the statistics. */
export function startText(at: string, unit: PeriodUnit, length: 'short' | 'long'): string {
  const time = new Date(at);
  if (unit === 'day') return (length === 'short' ? utc.dayAndMonth : longUtcDay).format(time);
  return (length === 'short' ? times.hour : times.weekdayAndHour).format(time);
}

/** Returns the clock's date and time in the shown time zone, as if it were UTC. */
function wallOf(ms: number): number {
  const parts = Object.fromEntries(times.wall.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month: ofYear = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, ofYear - 1, day, hour, minute, second);
}

const FIELD = /^(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d))?$/;

/** Returns the text of a date and time field, such as `2026-11-28 14:30`. */
export const fieldText = (ms: number): string => new Date(wallOf(ms)).toISOString().slice(0, 16).replace('T', ' ');

/**
 * Returns the time of a field's text in the shown time zone, as an API timestamp; undefined for other text. A date is
 * its first minute. When the clock changes, a skipped time moves forward by the gap, and a repeated time is the first.
 */
export function timeOfField(text: string): string | undefined {
  const found = FIELD.exec(text.trim());
  if (!found) return undefined;
  const [year = 0, ofYear = 0, day = 0, hour = 0, minute = 0] = found.slice(1).map((digits) => Number(digits ?? 0));
  const wall = Date.UTC(year, ofYear - 1, day, hour, minute);
  const isReal = new Date(wall).toISOString().slice(0, 10) === found.slice(1, 4).join('-') && hour < 24 && minute < 60;
  if (!isReal) return undefined;
  const before = wall - offsetAt(wall - DAY_MS);
  const after = wall - offsetAt(wall + DAY_MS);
  const isAfter = wallOf(before) !== wall && wallOf(after) === wall;
  return new Date(isAfter ? after : before).toISOString();
}

/** Returns how far the clock is ahead of UTC, in milliseconds. */
const offsetAt = (ms: number): number => wallOf(ms) - ms;
