import { isISO8601 } from 'class-validator';
import { LATEST_MS } from './messaging/parameter-objects';

/** Milliseconds since 1970, of our century: what is shorter are seconds, or a year. */
const MILLISECONDS = /^[0-9]{13,16}$/;
/** With its zone: what the sender means by a time without one nobody knows. */
const ISO_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})$/;

export const OFFER_END_WORDS =
  'must be a time with its zone such as 2030-01-31T18:00:00Z, or that time in milliseconds since 1970';

/** The end of a limited-time offer in milliseconds since 1970; undefined for a value that names no time. */
export function offerEndOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (MILLISECONDS.test(text)) return Number(text) <= LATEST_MS ? Number(text) : undefined;
  // Strictly: `Date.parse` makes the 3rd of March of the 30th of February.
  const time = ISO_TIME.test(text) && isISO8601(text, { strict: true }) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
