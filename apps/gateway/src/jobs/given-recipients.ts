import { AppError, JOB_POSITIONS_MAX, type JobRow } from '@switchboard/contracts';
import { refusal } from '../lists/list-query';

/** More than any template has. */
const MAX_VARIABLES = 100;

/**
 * The recipients of a bulk call. What is of the wrong type refuses the call; whether a number or a value is right is judged for each
 * alone, where the job is made (decisions 7). Loops are plain: there may be tens of thousands.
 * @throws AppError MISSING_FIELD, INVALID_PARAMETER, INVALID_VALUE, BULK_LIMIT_EXCEEDED
 */
export function givenRecipients(value: unknown, most: number): JobRow[] {
  if (value === undefined) throw refusal('MISSING_FIELD', 'recipients', 'recipients is required');
  if (!Array.isArray(value)) throw refusal('INVALID_PARAMETER', 'recipients', 'recipients must be an array');
  const limit = Math.min(most, JOB_POSITIONS_MAX);
  if (value.length > limit) throw new AppError('BULK_LIMIT_EXCEEDED', { message: `too many recipients for your plan: ${value.length} given, ${limit} allowed` });
  return value.map((recipient: unknown, position) => givenRecipient(recipient, position));
}

function givenRecipient(value: unknown, position: number): JobRow {
  if (typeof value === 'string') return { position, phone: value };
  const field = `recipients.${position}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(field, 'must be a phone number or an object');
  const { to, variables, components, clientRef } = value as Record<string, unknown>;
  if (to === undefined) throw refusal('MISSING_FIELD', `${field}.to`, `${field}.to is required`);
  if (typeof to !== 'string') throw wrong(`${field}.to`, 'must be a string');
  if (clientRef !== undefined && typeof clientRef !== 'string') throw wrong(`${field}.clientRef`, 'must be a string');
  if (components !== undefined && !Array.isArray(components)) throw wrong(`${field}.components`, 'must be an array');
  if (variables !== undefined && (typeof variables !== 'object' || variables === null)) throw wrong(`${field}.variables`, 'must be an array or an object');
  if (variables !== undefined && Object.keys(variables).length > MAX_VARIABLES) {
    throw refusal('INVALID_VALUE', `${field}.variables`, `${field}.variables must have at most ${MAX_VARIABLES} entries`);
  }
  if (variables !== undefined && components !== undefined) throw wrong(field, 'must have variables or components, not both');
  return {
    position,
    phone: to,
    ...(variables !== undefined && { variables: variables as JobRow['variables'] }),
    ...(components !== undefined && { components }),
    ...(clientRef !== undefined && { clientRef }),
  };
}

function wrong(field: string, what: string): AppError {
  return refusal('INVALID_PARAMETER', field, `${field} ${what}`);
}
