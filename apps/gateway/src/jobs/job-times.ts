import { HELD_JOB_DAYS } from '@switchboard/contracts';
import { fieldError } from '../http/field-error';
import { TIME_FAULT, timeOf } from '../pagination/query-rules';

const MAX_AHEAD_DAYS = 35;
/** Maximum days until the expiry, which must be able to follow the latest start. */
const MAX_EXPIRY_DAYS = 70;
/** Tolerance for clock skew in milliseconds: a time that has just passed counts as now. */
const PAST_GRACE_MS = 60_000;
const DAY_MS = 86_400_000;

/** API description of `expireAt`. */
export const EXPIRE_AT_DOC = `Expiry time of the job. Recipients not reached by then fail. Must be in the future, after \`scheduledAt\` and at most ${MAX_EXPIRY_DAYS} days ahead. By default the job does not expire. Time spent paused does not count`;

/** API description of `hold`. */
export const HOLD_DOC = `Whether to create the job in the state \`paused\` with the pauseReason \`HELD\`. Nothing is sent until you resume the job. A job not resumed within ${HELD_JOB_DAYS} days is cancelled`;

/** API description of `dryRun`. */
export const DRY_RUN_DOC =
  'Whether to estimate the job without creating it. The response is then 200 with the expected price, failures and duration. The `Idempotency-Key` is ignored';

/** Start and expiry of a job; absent means immediately and never. */
export interface JobTimes {
  scheduledAt?: string;
  expireAt?: string;
}

/**
 * Parses the start, within the next 35 days (immediately if absent), and the expiry, after the start (never if absent).
 * @throws AppError INVALID_PARAMETER (400), INVALID_VALUE (422)
 */
export function parseJobTimes(given: { scheduledAt?: unknown; expireAt?: unknown }, now = Date.now()): JobTimes {
  const scheduledAt = parseTime('scheduledAt', given.scheduledAt);
  const expireAt = parseTime('expireAt', given.expireAt);
  if (scheduledAt !== undefined && !isWithin(scheduledAt, now - PAST_GRACE_MS, now + MAX_AHEAD_DAYS * DAY_MS)) {
    throw fieldError('INVALID_VALUE', 'scheduledAt', `scheduledAt must be within the next ${MAX_AHEAD_DAYS} days`);
  }
  if (expireAt !== undefined && !isWithin(expireAt, now + 1, now + MAX_EXPIRY_DAYS * DAY_MS)) {
    throw fieldError(
      'INVALID_VALUE',
      'expireAt',
      `expireAt must be in the future, within the next ${MAX_EXPIRY_DAYS} days`,
    );
  }
  if (scheduledAt !== undefined && expireAt !== undefined && expireAt <= scheduledAt)
    throw fieldError('INVALID_VALUE', 'expireAt', 'expireAt must be after scheduledAt');
  return { ...(scheduledAt !== undefined && { scheduledAt }), ...(expireAt !== undefined && { expireAt }) };
}

/**
 * Parses `hold`: a boolean, or its text in a form.
 * @throws AppError INVALID_PARAMETER
 */
export function parseHold(given: unknown): { hold?: true } {
  if (given === undefined || given === false || given === 'false') return {};
  if (given === true || given === 'true') return { hold: true };
  throw fieldError('INVALID_PARAMETER', 'hold', 'hold must be true or false');
}

/**
 * Parses `dryRun`: a boolean, or its text in a form.
 * @throws AppError INVALID_PARAMETER
 */
export function parseDryRun(given: unknown): boolean {
  if (given === undefined || given === false || given === 'false') return false;
  if (given === true || given === 'true') return true;
  throw fieldError('INVALID_PARAMETER', 'dryRun', 'dryRun must be true or false');
}

function parseTime(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw fieldError('INVALID_PARAMETER', name, `${name} must be a string`);
  const time = timeOf(value);
  if (time === undefined) throw fieldError('INVALID_VALUE', name, `${name} ${TIME_FAULT}`);
  return time;
}

function isWithin(time: string, from: number, to: number): boolean {
  const at = Date.parse(time);
  return at >= from && at <= to;
}
