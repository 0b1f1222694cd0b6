import {
  AppError,
  BodySchema,
  createJobV1,
  Doc,
  Either,
  faultOfLabels,
  givenLabelsOf,
  IsJobName,
  IsRecipient,
  IsTime,
  JOB_NAME_DOC,
  JOB_POSITIONS_MAX,
  type JobRow,
  type JobRowFault,
  ListOf,
  MessageContent,
  Nested,
  pascalCase,
  PHONE_SCHEMA,
  QuietHours,
  RECIPIENT_SCHEMA,
  SendLabels,
  SpendLimit,
  TEMPLATE_VARIABLES_SCHEMAS,
  TemplateComponent,
  VARIABLE_NAMES_DOC,
} from '@switchboard/contracts';
import { IsArray, IsBoolean, IsOptional } from 'class-validator';
import { fieldError } from '../http/field-error';
import { FROM_DOC, NUMBERS_SCHEMA } from './given-numbers';
import { DRY_RUN_DOC, EXPIRE_AT_DOC, HOLD_DOC } from './job-times';
import { MAX_SPEND_DOC } from './max-spend';
import { QUIET_HOURS_DOC } from './quiet-hours';

/** Recipient of a bulk call with its own values (spec §8.1.2). */
class GivenRecipient extends SendLabels {
  @IsRecipient() to: string;
  @Doc(
    `Values keyed by variable name, or an ordered list of the body values only. ${VARIABLE_NAMES_DOC}. Variables that are not set for the recipient use the values of the job's \`template\``,
  )
  @IsOptional()
  @Either(...TEMPLATE_VARIABLES_SCHEMAS)
  variables?: string[] | Record<string, string>;
  @IsOptional() @ListOf(() => TemplateComponent) components?: TemplateComponent[];
}

/**
 * Body of a bulk call (spec §8.1), for the API description only. `givenRecipients`, `parseNumbers`, `parseJobTimes`,
 * `parseHold`, `parseMaxSpend`, `parseQuietHours` and `parseJobName` validate the added fields, since one invalid
 * recipient must not reject the others and there may be tens of thousands.
 */
@BodySchema({
  kinds: { by: 'type', nameOf: (type) => `Bulk${pascalCase(type)}` },
  example: () => ({
    recipients: [
      { to: '919812345678', variables: { '1': 'A-17', '2': 'Monday', 'button 1': 'A-17' } },
      { to: '919812345679', variables: { '1': 'A-18', '2': 'Friday', 'button 1': 'A-18' }, clientRef: 'order-7781' },
    ],
    ...createJobV1.sample.request.message,
  }),
})
export class BulkRequest extends MessageContent {
  @IsArray() @Either({ title: 'A phone number or a user id', ...RECIPIENT_SCHEMA }, GivenRecipient) recipients: (
    | string
    | GivenRecipient
  )[];
  /** Validated by `parseNumbers`. */
  @Doc(FROM_DOC)
  @IsOptional()
  @Either({ title: 'A number', ...PHONE_SCHEMA }, { title: 'Numbers', ...NUMBERS_SCHEMA })
  override from?: string;
  @Doc(JOB_NAME_DOC, { example: 'Order updates, Monday' }) @IsOptional() @IsJobName() name?: string;
  @Doc('Start time, within the next 35 days; defaults to now') @IsOptional() @IsTime() scheduledAt?: string;
  @Doc(EXPIRE_AT_DOC) @IsOptional() @IsTime() expireAt?: string;
  @Doc(HOLD_DOC, { example: true }) @IsOptional() @IsBoolean() hold?: boolean;
  @Doc(DRY_RUN_DOC, { example: true }) @IsOptional() @IsBoolean() dryRun?: boolean;
  @Doc(MAX_SPEND_DOC) @IsOptional() @Nested(() => SpendLimit) maxSpend?: SpendLimit;
  @Doc(QUIET_HOURS_DOC) @IsOptional() @Nested(() => QuietHours) quietHours?: QuietHours;
}

/** Maximum variables of a recipient, more than any template has: ten carousel cards with some dozens each. */
const MAX_VARIABLES = 500;
/** Maximum characters of a recipient, one more than the longest user id has, so that a truncated text is not valid. */
const SHOWN_CHARACTERS = 136;

/**
 * Reads the recipients of a bulk call. A malformed recipient becomes a row with a fault and does not affect the others.
 * The jobs service validates numbers and values (spec §8.1.5). Uses plain loops, since there may be tens of thousands.
 * @throws AppError MISSING_FIELD, INVALID_PARAMETER, BULK_LIMIT_EXCEEDED
 */
export function givenRecipients(value: unknown, most: number): JobRow[] {
  if (value === undefined) throw fieldError('MISSING_FIELD', 'recipients', 'recipients is required');
  if (!Array.isArray(value)) throw fieldError('INVALID_PARAMETER', 'recipients', 'recipients must be an array');
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
    return {
      position,
      phone: shown(value),
      fault: wrong('a recipient must be a phone number or user id in quotes, or an object'),
    };
  }
  const { to, variables, components } = value as Record<string, unknown>;
  const fault = faultOf(value as Record<string, unknown>);
  if (fault) return { position, phone: shown(to), fault };
  return {
    position,
    phone: shown(to),
    ...(variables !== undefined && { variables: variables as JobRow['variables'] }),
    ...(components !== undefined && { components: components as unknown[] }),
    ...givenLabelsOf(value),
  };
}

function faultOf(recipient: Record<string, unknown>): JobRowFault | undefined {
  const { to, variables, components } = recipient;
  if (to === undefined) return { code: 'MISSING_FIELD', message: 'to is required' };
  if (typeof to !== 'string') return wrong('to must be a string');
  const labelFault = faultOfLabels(recipient);
  if (labelFault) return labelFault;
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

/** Formats the value given as a number: text unchanged, anything else as JSON. */
function shown(value: unknown): string {
  if (value === undefined) return '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, SHOWN_CHARACTERS);
}
