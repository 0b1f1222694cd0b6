import {
  AppError,
  type ErrorCode,
  isPhone,
  isRecipient,
  type PageRequest,
  phoneFault,
  RECIPIENT_SCHEMA,
  storableText,
} from '@switchboard/contracts';
import { MAX_LIMIT } from '../openapi/warnings';

export type Query = Record<string, unknown>;

const DEFAULT_LIMIT = 20;
/** The place of its first item is a number that is told exactly. */
const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MAX_LIMIT);
const MAX_CURSOR_CHARACTERS = 512;
const MIN_FRAGMENT_CHARACTERS = 2;
const MAX_FRAGMENT_CHARACTERS = 100;
/** A day, or a time with its zone. */
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * Which part of a list is asked for (spec §7.1). A limit above 100 becomes 100, however large it is.
 * @throws AppError INVALID_PARAMETER (400)
 */
export function parsePaging(query: Query): Omit<PageRequest, 'accountId'> {
  return {
    page: positiveInteger(query, 'page', 1),
    limit: Math.min(positiveInteger(query, 'limit', DEFAULT_LIMIT), MAX_LIMIT),
    cursor: cursorOf(query),
  };
}

/** A parameter that was given once, or undefined. */
export function single(query: Query, name: string): string | undefined {
  const value = query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw refusal('INVALID_PARAMETER', name, `${name} must be given once`);
}

export function refusal(code: ErrorCode, field: string, message: string): AppError {
  return new AppError(code, { message, details: [{ field, message }] });
}

export function oneOf<T extends string>(query: Query, name: string, values: readonly T[]): T | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  const found = values.find((value) => value === text);
  if (found === undefined) throw refusal('INVALID_PARAMETER', name, `${name} must be one of ${values.join(', ')}`);
  return found;
}

/** A whole number within bounds. */
export function wholeNumber(
  query: Query,
  name: string,
  { least, most, fallback }: { least: number; most: number; fallback: number },
): number {
  const text = single(query, name);
  if (text === undefined) return fallback;
  const number = Number(text);
  if (/^[0-9]{1,9}$/.test(text) && number >= least && number <= most) return number;
  throw refusal('INVALID_PARAMETER', name, `${name} must be a whole number from ${least} to ${most}`);
}

/** `true` or `false`. */
export function flagOf(query: Query, name: string): boolean | undefined {
  const text = oneOf(query, name, ['true', 'false']);
  return text === undefined ? undefined : text === 'true';
}

/** A text of a pattern. @param kind what it would be, for the refusal */
export function matching(query: Query, name: string, pattern: RegExp, kind: string): string | undefined {
  const text = single(query, name);
  if (text === undefined || pattern.test(text)) return text;
  throw refusal('INVALID_PARAMETER', name, `${name} is not ${kind}`);
}

/** A text that a record may hold: not empty, and no longer than these characters. */
export function storedTextOf(query: Query, name: string, maxCharacters: number): string | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  if (text === '' || text.length > maxCharacters)
    throw refusal('INVALID_VALUE', name, `${name} must have 1 to ${maxCharacters} characters`);
  if (storableText(text) !== text)
    throw refusal('INVALID_VALUE', name, `${name} holds characters that cannot be stored`);
  return text;
}

/** @throws AppError INVALID_PHONE (422) */
export function phoneOf(query: Query): string | undefined {
  const phone = single(query, 'phone');
  if (phone === undefined || isPhone(phone)) return phone;
  throw refusal('INVALID_PHONE', 'phone', phoneFault(phone));
}

/** A phone number or a user id. @throws AppError INVALID_PHONE (422) */
export function personOf(query: Query): string | undefined {
  const person = single(query, 'phone');
  return person === undefined ? undefined : requirePerson(person);
}

/** How the path of a conversation is described. */
export const PERSON_PARAMETER = {
  name: 'phone',
  description: 'A phone number, or the user id of a person who hides theirs',
  schema: { type: 'string' as const, pattern: RECIPIENT_SCHEMA.pattern, example: '919812345678' },
};

/** A phone number or a user id. @throws AppError INVALID_PHONE (422) */
export function requirePerson(person: string): string {
  if (isRecipient(person)) return person;
  throw refusal('INVALID_PHONE', 'phone', phoneFault(person));
}

/** A business number that a parameter may name. @throws AppError INVALID_PHONE (422) */
export function businessNumberOf(query: Query, name: string): string | undefined {
  const number = single(query, name);
  if (number === undefined || isPhone(number)) return number;
  throw refusal('INVALID_PHONE', name, phoneFault(number));
}

/** @throws AppError INVALID_PHONE (422) */
export function requirePhone(phone: string): string {
  if (isPhone(phone)) return phone;
  throw refusal('INVALID_PHONE', 'phone', phoneFault(phone));
}

/** A point in time in ISO 8601; a day begins at midnight UTC. */
export function timeOf(query: Query, name: string): string | undefined {
  const text = single(query, name);
  if (text === undefined) return undefined;
  const time = new Date(text);
  if (!TIME.test(text) || !isOfCalendar(text) || !isOfFourDigits(time))
    throw refusal('INVALID_VALUE', name, `${name} must be a time such as 2026-03-02T10:15:00Z`);
  return time.toISOString();
}

/** JavaScript takes the 30th of February for the 2nd of March. */
function isOfCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  return !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
}

/** A zone can carry a time out of the years that four digits name. */
function isOfFourDigits(time: Date): boolean {
  return !Number.isNaN(time.getTime()) && /^\d{4}-/.test(time.toISOString());
}

/** Accents, vowel points and invisible characters, which no search looks at. */
const MARKS = /(?=[\p{sc=Inherited}\p{sc=Arabic}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Syriac}])\p{Mn}|[\p{Cf}\u0640]/gu;

const lettersOf = (text: string): number =>
  Array.from(text.normalize('NFKD').replace(MARKS, '').normalize('NFC')).length;

/** A part of a name or number to search for, without pluses and blanks. */
export function fragmentOf(query: Query, name: string): string | undefined {
  const text = single(query, name)?.replace(/[+\s]/g, '');
  if (text === undefined) return undefined;
  const { length } = Array.from(text);
  if (lettersOf(text) < MIN_FRAGMENT_CHARACTERS)
    throw refusal(
      'INVALID_VALUE',
      name,
      `${name} must have at least ${MIN_FRAGMENT_CHARACTERS} characters, not counting blanks, pluses and accents`,
    );
  if (length > MAX_FRAGMENT_CHARACTERS)
    throw refusal('INVALID_VALUE', name, `${name} must have at most ${MAX_FRAGMENT_CHARACTERS} characters`);
  if (storableText(text) !== text) throw refusal('INVALID_VALUE', name, `${name} holds characters that no name has`);
  return text;
}

function positiveInteger(query: Query, name: string, fallback: number): number {
  const text = single(query, name);
  if (text === undefined) return fallback;
  if (!/^[0-9]+$/.test(text) || /^0+$/.test(text))
    throw refusal('INVALID_PARAMETER', name, `${name} must be a positive integer`);
  // No list is so long: a larger number is as far past its end as this one.
  return Math.min(Number(text), MAX_PAGE);
}

/** What a cursor holds is the answering service's own affair. */
function cursorOf(query: Query): string | undefined {
  const cursor = single(query, 'cursor');
  if (cursor === undefined || (/^[\w-]+$/.test(cursor) && cursor.length <= MAX_CURSOR_CHARACTERS)) return cursor;
  throw refusal('INVALID_PARAMETER', 'cursor', 'cursor is not one that the API gave');
}
