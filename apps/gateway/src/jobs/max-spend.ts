import {
  AMOUNT_PATTERN,
  BodySchema,
  CURRENCY_PATTERN,
  Doc,
  Nested,
  parseBody,
  SpendLimit,
} from '@switchboard/contracts';
import { IsOptional } from 'class-validator';
import { fieldError } from '../http/field-error';

/** API description of `maxSpend`. */
export const MAX_SPEND_DOC =
  'Spend cap of the job, in the currency of the rate card. The job pauses (`pauseReason`: `SPEND_CAP`) rather than exceed the cap';

/** Body of a call that resumes a job, for the API description only: `parseMaxSpend` validates it. */
@BodySchema({ name: 'ResumeRequest', example: () => ({ maxSpend: { amount: '750.00', currency: 'USD' } }) })
export class ResumeRequest {
  @Doc(
    'New spend cap of a job that already has one. Must not be lower than the current cap. Stored only if the job is resumed',
  )
  @IsOptional()
  @Nested(() => SpendLimit)
  maxSpend?: SpendLimit;
}

/** Returns the `maxSpend` of a body, or undefined without a body. */
export function givenMaxSpend(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'maxSpend' in body ? body.maxSpend : undefined;
}

/**
 * Parses `maxSpend`: an object, or its JSON in a form.
 * @throws AppError INVALID_PARAMETER, INVALID_VALUE
 */
export function parseMaxSpend(given: unknown): { maxSpend?: SpendLimit } {
  if (given === undefined) return {};
  const value: unknown = typeof given === 'string' ? parsed(given) : given;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fieldError('INVALID_PARAMETER', 'maxSpend', 'maxSpend must be an object with amount and currency');
  const { amount, currency } = value as Record<string, unknown>;
  if (typeof amount !== 'string' || !AMOUNT_PATTERN.test(amount))
    throw fieldError(
      'INVALID_VALUE',
      'maxSpend.amount',
      'maxSpend.amount must be an amount such as "500.00", with at most 8 decimals',
    );
  if (typeof currency !== 'string' || !CURRENCY_PATTERN.test(currency))
    throw fieldError(
      'INVALID_VALUE',
      'maxSpend.currency',
      'maxSpend.currency must be three capital letters, such as USD',
    );
  return { maxSpend: parseBody(SpendLimit, { amount, currency }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
