import { AppError } from '@switchboard/contracts';
import { refusal, timeOf } from '../lists/list-query';

const MAX_AHEAD_DAYS = 35;
/** Clocks differ a little: a time that has just passed is now. */
const PAST_GRACE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * When a job should begin: a time of the next 35 days, or undefined for now.
 * @throws AppError INVALID_PARAMETER (400), INVALID_VALUE (422)
 */
export function parseScheduledAt(value: unknown, now = Date.now()): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw refusal('INVALID_PARAMETER', 'scheduledAt', 'scheduledAt must be a string');
  const time = timeOf({ scheduledAt: value }, 'scheduledAt');
  if (time === undefined) return undefined;
  const ahead = Date.parse(time) - now;
  if (ahead < -PAST_GRACE_MS || ahead > MAX_AHEAD_DAYS * DAY_MS) {
    const message = `scheduledAt must be within the next ${MAX_AHEAD_DAYS} days`;
    throw new AppError('INVALID_VALUE', { message, details: [{ field: 'scheduledAt', message }] });
  }
  return time;
}
