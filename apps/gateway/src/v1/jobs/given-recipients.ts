import { AppError, JOB_POSITIONS_MAX, type JobRow, type JobRowFault } from '@switchboard/contracts';
import { refusal } from '../../lists/list-query';

/** More than any template has. */
const MAX_VARIABLES = 100;
/** The longest reference of a recipient, in characters. */
const CLIENT_REF_MAX_CHARACTERS = 128;
/** Of what stands in a recipient's place, as the list of rejected ones shows it: longer than any number. */
const SHOWN_CHARACTERS = 64;

/**
 * The recipients of a bulk call. One that is malformed is a row with a fault, and stops no other; whether a number or a
 * value is right is judged for each alone, where the job is made (spec §8.1.5). Loops are plain: there may be tens of
 * thousands.
 * @throws AppError MISSING_FIELD, INVALID_PARAMETER, BULK_LIMIT_EXCEEDED
 */
export function givenRecipients(value: unknown, most: number): JobRow[] {
  if (value === undefined) throw refusal('MISSING_FIELD', 'recipients', 'recipients is required');
  if (!Array.isArray(value)) throw refusal('INVALID_PARAMETER', 'recipients', 'recipients must be an array');
  const limit = Math.min(most, JOB_POSITIONS_MAX);
  if (value.length > limit)
    throw new AppError('BULK_LIMIT_EXCEEDED', {
      message: `too many recipients for your plan: ${value.length} given, ${limit} allowed`,
    });
  return value.map((recipient: unknown, position) => givenRecipient(recipient, position));
}

function givenRecipient(value: unknown, position: number): JobRow {
  if (typeof value === 'string') return { position, phone: shown(value) };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { position, phone: shown(value), fault: wrong('a recipient must be a phone number in quotes or an object') };
  }
  const { to, variables, components, clientRef } = value as Record<string, unknown>;
  const fault = faultOf(value as Record<string, unknown>);
  if (fault) return { position, phone: shown(to), fault };
  return {
    position,
    phone: shown(to),
    ...(variables !== undefined && { variables: variables as JobRow['variables'] }),
    ...(components !== undefined && { components: components as unknown[] }),
    ...(clientRef !== undefined && { clientRef: clientRef as string }),
  };
}

function faultOf({ to, variables, components, clientRef }: Record<string, unknown>): JobRowFault | undefined {
  if (to === undefined) return { code: 'MISSING_FIELD', message: 'to is required' };
  if (typeof to !== 'string') return wrong('to must be a string');
  if (clientRef !== undefined && typeof clientRef !== 'string') return wrong('clientRef must be a string');
  if (clientRef !== undefined && clientRef.length > CLIENT_REF_MAX_CHARACTERS) {
    return { code: 'TEXT_TOO_LONG', message: `clientRef must be at most ${CLIENT_REF_MAX_CHARACTERS} characters` };
  }
  if (components !== undefined && !Array.isArray(components)) return wrong('components must be an array');
  if (variables !== undefined && (typeof variables !== 'object' || variables === null))
    return wrong('variables must be an array or an object');
  if (variables !== undefined && Object.keys(variables).length > MAX_VARIABLES) {
    return { code: 'INVALID_VALUE', message: `variables must have at most ${MAX_VARIABLES} entries` };
  }
  return variables !== undefined && components !== undefined
    ? wrong('a recipient must have variables or components, not both')
    : undefined;
}

function wrong(message: string): JobRowFault {
  return { code: 'INVALID_PARAMETER', message };
}

/** What was given as the number, as far as it is text or a number. */
function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, SHOWN_CHARACTERS) : '';
}
