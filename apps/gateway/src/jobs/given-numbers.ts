import { isPhone, JOB_NUMBERS_MAX, PHONE_SCHEMA, phoneFault, type Schema } from '@switchboard/contracts';
import { fieldError } from '../http/field-error';

/** API description of `from` of a bulk call. */
export const FROM_DOC = `Business number of the account, or a list of at most ${JOB_NUMBERS_MAX} business numbers; defaults to the primary number. Recipients are distributed over the numbers by throughput and remaining messaging limit. Each recipient receives the message once, from one number`;

/** Schema of a list of business numbers. */
export const NUMBERS_SCHEMA: Schema = {
  type: 'array',
  items: PHONE_SCHEMA,
  minItems: 1,
  maxItems: JOB_NUMBERS_MAX,
  example: ['15550783881', '15550783882'],
};

/**
 * Numbers to send from. Without `from`, the primary number sends. If there are several, `from` is the first of them.
 */
export interface GivenNumbers {
  from?: string;
  numbers?: string[];
}

/**
 * Parses `from` of a bulk call, a number or a list of numbers. Removes duplicates.
 * @throws AppError INVALID_PARAMETER, INVALID_VALUE, INVALID_PHONE
 */
export function parseNumbers(given: unknown): GivenNumbers {
  if (given === undefined) return {};
  if (!Array.isArray(given)) return { from: requireNumber(given, 'from') };
  if (given.length === 0 || given.length > JOB_NUMBERS_MAX)
    throw fieldError('INVALID_VALUE', 'from', `from must list 1 to ${JOB_NUMBERS_MAX} business numbers`);
  const numbers = [...new Set(given.map((number: unknown, index) => requireNumber(number, `from.${index}`)))];
  return numbers.length > 1 ? { from: numbers[0], numbers } : { from: numbers[0] };
}

/** Parses `from` of a form, a number or a comma-separated list. */
export function parseFormNumbers(given: string | undefined): GivenNumbers {
  return parseNumbers(given?.includes(',') ? given.split(',').map((number) => number.trim()) : given);
}

function requireNumber(value: unknown, field: string): string {
  if (typeof value !== 'string') throw fieldError('INVALID_PARAMETER', field, `${field} must be a string`);
  if (!isPhone(value)) throw fieldError('INVALID_PHONE', field, phoneFault(value));
  return value;
}
