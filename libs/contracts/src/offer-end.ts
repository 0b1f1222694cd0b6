import { isISO8601 } from 'class-validator';
import { LATEST_MS } from './messaging/parameter-objects';

/** Unix time in milliseconds in this century; a shorter number is in seconds, or a year. */
const MILLISECONDS = /^[0-9]{13,16}$/;
/** ISO 8601 time with a zone, which is required because a time without one is ambiguous. */
const ISO_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})$/;

export const OFFER_END_WORDS =
  'must be a time with its zone such as 2030-01-31T18:00:00Z, or that time in milliseconds since 1970';

/** Returns the end of a limited-time offer in milliseconds since 1970; undefined if the value is not a valid time. */
export function offerEndOf(value: unknown): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).trim();
  if (MILLISECONDS.test(text)) return Number(text) <= LATEST_MS ? Number(text) : undefined;
  // Strict validation, because `Date.parse` accepts February 30 as March 1 or 2.
  const time = ISO_TIME.test(text) && isISO8601(text, { strict: true }) ? Date.parse(text) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
