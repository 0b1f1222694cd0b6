import { type ValidationOptions, ValidateBy } from 'class-validator';
import { AppError, ERRORS, type ErrorCode, type ErrorDetail } from './errors';
import { isObject } from './body-class';
import { isId } from './ids';
import type { BodyClass } from './message-contract';
import { jsonBytes } from './parts';
import { isPhone, isRecipient, phoneFault } from './phone';
import { blankFault, isPublicLink, isWebAddress, LINK_MAX_CHARACTERS } from './public-host';
import { type Fault, faultsOf, readBody } from './read-body';

/** NUL characters and lone surrogates, which PostgreSQL cannot store. */
const UNSTORABLE_TEXT = /\u0000|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;
const ALL_UNSTORABLE_TEXT = new RegExp(UNSTORABLE_TEXT, 'g');

/** Maximum nesting depth of a body: copying and validating deeper ones could exhaust the stack. */
const MAX_DEPTH = 64;

/** Error codes by class-validator rule. Rules that are not listed concern the type and return 400 INVALID_PARAMETER. */
const VALUE_CONSTRAINTS: Record<string, ErrorCode> = {
  isPhoneNumber: 'INVALID_PHONE',
  isRecipient: 'INVALID_PHONE',
  isMediaLink: 'INVALID_LINK',
  isMediaId: 'INVALID_VALUE',
  hasNoForeignCaption: 'CAPTION_NOT_ALLOWED',
  maxLength: 'TEXT_TOO_LONG',
  maxUnits: 'TEXT_TOO_LONG',
  isNotBlank: 'INVALID_VALUE',
  hasNoFault: 'INVALID_VALUE',
  isPlainName: 'INVALID_VALUE',
  isWebAddress: 'INVALID_LINK',
  minLength: 'INVALID_VALUE',
  isStorableText: 'INVALID_VALUE',
  isStorableJson: 'INVALID_VALUE',
  matches: 'INVALID_VALUE',
  min: 'INVALID_VALUE',
  max: 'INVALID_VALUE',
  arrayMaxSize: 'INVALID_VALUE',
  maxJsonBytes: 'TEXT_TOO_LONG',
};

/** Validates a phone number in the format of the API; returns 422 INVALID_PHONE. */
export function IsPhone(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isPhoneNumber',
      validator: {
        validate: (value) => typeof value === 'string' && isPhone(value),
        defaultMessage: (args) => phoneFault(typeof args?.value === 'string' ? args.value : ''),
      },
    },
    options,
  );
}

/** Validates a phone number, or the user id of a contact with a hidden number; returns 422 INVALID_PHONE. */
export function IsRecipient(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isRecipient',
      validator: {
        validate: (value) => typeof value === 'string' && isRecipient(value),
        defaultMessage: (args) => phoneFault(typeof args?.value === 'string' ? args.value : ''),
      },
    },
    options,
  );
}

/** Validates text without NUL characters or lone surrogates; returns 422 INVALID_VALUE. */
export function IsStorableText(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStorableText',
      validator: {
        validate: (value) => typeof value === 'string' && !UNSTORABLE_TEXT.test(value),
        defaultMessage: (args) => `${args?.property ?? 'text'} holds characters that cannot be stored`,
      },
    },
    options,
  );
}

/** Validates an object of any structure whose keys and texts PostgreSQL can store; returns 422 INVALID_VALUE. */
export function IsStorableJson(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isStorableJson',
      validator: {
        validate: (value) => isStorable(value),
        defaultMessage: (args) => `${args?.property ?? 'value'} holds characters that cannot be stored`,
      },
    },
    options,
  );
}

/** Recursion is safe: `MAX_DEPTH` has already been enforced. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !UNSTORABLE_TEXT.test(value);
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, member]) => !UNSTORABLE_TEXT.test(name) && isStorable(member));
}

/**
 * Validates the length of text for the upstream platform, which counts UTF-16 units: an emoji counts as two or more.
 * Returns 422 TEXT_TOO_LONG (spec §3.2.2).
 * @param most maximum units
 */
export function MaxUnits(most: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'maxUnits',
      constraints: [most],
      validator: {
        validate: (value) => typeof value === 'string' && value.length <= most,
        defaultMessage: (args) =>
          `${args?.property ?? 'text'} must be shorter than or equal to ${most} characters (UTF-16 units: an emoji counts as two or more)`,
      },
    },
    options,
  );
}

/**
 * Validates the size of an object or list as JSON; returns 422 TEXT_TOO_LONG.
 * @param most maximum bytes
 */
export function MaxJsonBytes(most: number, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'maxJsonBytes',
      constraints: [most],
      validator: {
        validate: (value) => typeof value !== 'object' || value === null || jsonBytes(value) <= most,
        defaultMessage: (args) =>
          `${args?.property ?? 'value'} must take at most ${Math.floor(most / 1_024)} KB as JSON`,
      },
    },
    options,
  );
}

/** Control characters, and characters that change the direction of the surrounding text. */
const UNPRINTABLE = /[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/;

/**
 * Checks that a name is safe to display anywhere, including in a terminal: it has no control or text-direction
 * characters.
 */
export function isPlainName(name: string): boolean {
  return !UNPRINTABLE.test(name);
}

/** Validates a name without control characters; returns 422 INVALID_VALUE. */
export function IsPlainName(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isPlainName',
      validator: {
        validate: (value) => typeof value === 'string' && isPlainName(value),
        defaultMessage: (args) => `${args?.property ?? 'name'} must have no control characters`,
      },
    },
    options,
  );
}

/** @throws AppError INVALID_VALUE for a name with control characters */
export function requirePlainName(name: string): void {
  if (isPlainName(name)) return;
  const message = 'name must have no control characters';
  throw new AppError('INVALID_VALUE', { message, details: [{ field: 'name', message }] });
}

/**
 * Validates that text is not blank, since the upstream platform rejects blank text; returns 422 INVALID_VALUE (spec
 * §3.2.3).
 */
export function IsNotBlank(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isNotBlank',
      validator: {
        // The length rule rejects an empty text.
        validate: (value) => typeof value === 'string' && (value === '' || value.trim() !== ''),
        defaultMessage: (args) => `${args?.property ?? 'text'} must not be only white space`,
      },
    },
    options,
  );
}

/** Validates a link from which the upstream platform may download a file; returns 422 INVALID_LINK (spec §3.3.2). */
export function IsMediaLink(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isMediaLink',
      validator: {
        validate: (value) => typeof value === 'string' && isPublicLink(value),
        defaultMessage: (args) => `${args?.property ?? 'link'} ${linkRule(args?.value)}`,
      },
    },
    options,
  );
}

/** Validates the format of the id of an uploaded file; returns 422 INVALID_VALUE. */
export function IsMediaId(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isMediaId',
      validator: {
        validate: (value) => typeof value === 'string' && isId('med', value),
        defaultMessage: (args) => `${args?.property ?? 'id'} must be the id of an uploaded file, such as med_…`,
      },
    },
    options,
  );
}

/** Rejects a property beside another one that has the same purpose, with 400 INVALID_PARAMETER. */
export function IsInsteadOf(other: string, options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isInsteadOf',
      constraints: [other],
      validator: {
        validate: (_value, args) => {
          const beside = (args?.object as Record<string, unknown> | undefined)?.[other];
          return beside === undefined || beside === null;
        },
        defaultMessage: (args) => `${args?.property ?? 'value'} cannot be given together with ${other}`,
      },
    },
    options,
  );
}

/** Validates the URL of a web page for contacts; returns 422 INVALID_LINK. */
export function IsWebAddress(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isWebAddress',
      validator: {
        validate: (value) => typeof value === 'string' && isWebAddress(value),
        defaultMessage: (args) => `${args?.property ?? 'url'} ${addressRule(args?.value)}`,
      },
    },
    options,
  );
}

/**
 * Validates an upstream rule that no other decorator covers; returns 422 INVALID_VALUE.
 * @param faultOf returns the fault as the rest of a sentence that starts with the property's name; receives the
 * unvalidated value and the object that contains it
 */
export function HasNoFault(
  faultOf: (value: unknown, body: Record<string, unknown>) => string | undefined,
  options?: ValidationOptions,
): PropertyDecorator {
  const faultIn = (value: unknown, body: object | undefined): string | undefined =>
    faultOf(value, (body ?? {}) as Record<string, unknown>);
  return ValidateBy(
    {
      name: 'hasNoFault',
      validator: {
        validate: (value, args) => faultIn(value, args?.object) === undefined,
        defaultMessage: (args) => `${args?.property ?? 'value'} ${faultIn(args?.value, args?.object) ?? 'is wrong'}`,
      },
    },
    options,
  );
}

/** Describes why a value is not a valid file link. */
export function linkRule(value: unknown): string {
  if (typeof value !== 'string') return 'must be an https URL with a public host';
  if (value.length > LINK_MAX_CHARACTERS) return `must be an https URL of at most ${LINK_MAX_CHARACTERS} characters`;
  return blankFault(value, isPublicLink) ?? 'must be an https URL with a public host';
}

function addressRule(value: unknown): string {
  const rule = `must be an http or https URL with a public host name, of at most ${LINK_MAX_CHARACTERS} characters`;
  return (typeof value === 'string' ? blankFault(value, isWebAddress) : undefined) ?? rule;
}

/**
 * Rejects a caption for a message type without captions with 400 CAPTION_NOT_ALLOWED (spec §3.3.5). Apply to the
 * message type.
 */
export function HasNoForeignCaption(captionTypes: readonly string[], options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'hasNoForeignCaption',
      constraints: [captionTypes],
      validator: {
        validate: (type, args) =>
          captionTypes.includes(type as string) || !hasCaption(args?.object as Record<string, unknown>, type),
        defaultMessage: (args) => `${ERRORS.CAPTION_NOT_ALLOWED.message}: ${String(args?.value)}`,
      },
    },
    options,
  );
}

/** Detects a caption at the top level or in the media object. */
function hasCaption(message: Record<string, unknown>, type: unknown): boolean {
  const nested =
    type === 'audio' || type === 'sticker' ? (message[type] as { caption?: unknown } | undefined)?.caption : undefined;
  return [message['caption'], nested].some((caption) => caption !== undefined && caption !== null);
}

/** Validates a JSON object or list, for upstream message content. */
export function IsObjectOrList(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'isObjectOrList',
      validator: {
        validate: (value) => typeof value === 'object' && value !== null,
        defaultMessage: (args) => `${args?.property ?? 'value'} must be an object or a list`,
      },
    },
    options,
  );
}

/** Replaces characters that PostgreSQL cannot store with U+FFFD. For external text that must not be rejected. */
export function storableText(text: string): string {
  return UNSTORABLE_TEXT.test(text) ? text.replace(ALL_UNSTORABLE_TEXT, '\uFFFD') : text;
}

/**
 * Converts parsed JSON to an instance of a body class, without undeclared fields.
 * @throws AppError MISSING_FIELD or INVALID_PARAMETER (400) for absent or wrongly typed fields; the code of the
 * violated rule (422) for well-formed but invalid values (spec §6.2)
 */
export function parseBody<T extends object>(type: BodyClass<T>, plain: unknown): T {
  if (typeof plain !== 'object' || plain === null || Array.isArray(plain)) {
    throw new AppError('INVALID_PARAMETER', { message: 'the body must be a JSON object' });
  }
  if (isDeeperThan(plain, MAX_DEPTH))
    throw new AppError('INVALID_PARAMETER', { message: `the body is nested more than ${MAX_DEPTH} levels deep` });
  const body = readBody(type, plain as Record<string, unknown>);
  const refusals = faultsOf(body).map((fault) => refusalOf(fault));
  const first = firstOf(refusals);
  if (!first) return body as T;
  const details = refusals.map(({ field, message }) => ({ field, message }));
  throw new AppError(first.code, { message: first.message, details });
}

/**
 * Validates the fields of a body class within an object that may have other fields.
 * @returns the fault that `parseBody` would throw, or undefined
 */
export function firstFaultOf(type: BodyClass, plain: object): { code: ErrorCode; message: string } | undefined {
  const body = readBody(type, plain as Record<string, unknown>);
  const first = firstOf(faultsOf(body).map((fault) => refusalOf(fault)));
  return first && { code: first.code, message: first.message };
}

/** Returns the fault that determines the error: malformed fields precede invalid values. */
function firstOf(refusals: readonly Refusal[]): Refusal | undefined {
  return refusals.find((refusal) => !isValueRefusal(refusal)) ?? refusals[0];
}

/**
 * Checks the nesting depth of objects and lists, including undeclared fields, which other code may read. Also removes
 * members named `__proto__`, since assigning them would change a prototype.
 */
function isDeeperThan(value: object, levels: number): boolean {
  if (levels === 0) return true;
  // Plain loops, because this visits every value of a body.
  if (Array.isArray(value)) {
    for (const element of value as unknown[]) if (isObject(element) && isDeeperThan(element, levels - 1)) return true;
    return false;
  }
  for (const name in value) {
    if (name === '__proto__') delete (value as Record<string, unknown>)[name];
    const member = (value as Record<string, unknown>)[name];
    if (name !== '__proto__' && isObject(member) && isDeeperThan(member, levels - 1)) return true;
  }
  return false;
}

interface Refusal extends ErrorDetail {
  code: ErrorCode;
}

function isValueRefusal(refusal: Refusal): boolean {
  return ERRORS[refusal.code].status === 422;
}

function refusalOf({ field, value, broken }: Fault): Refusal {
  if (value === undefined || value === null) return { field, code: 'MISSING_FIELD', message: `${field} is required` };
  const rule = broken.find(({ name }) => !(name in VALUE_CONSTRAINTS)) ?? broken[0];
  const property = field.slice(field.lastIndexOf('.') + 1);
  const message = rule?.message() ?? 'invalid value';
  return {
    field,
    code: VALUE_CONSTRAINTS[rule?.name ?? ''] ?? 'INVALID_PARAMETER',
    message: withPath(message, property, field),
  };
}

/** Adds the full path, since class-validator reports only the property name. */
function withPath(message: string, property: string, path: string): string {
  return message.startsWith(`${property} `) ? path + message.slice(property.length) : message;
}
