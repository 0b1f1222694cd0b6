import { HasNoFault, storableText, Transform } from '@switchboard/contracts';
import { IsIn, ValidateBy } from 'class-validator';

/**
 * Rules for query parameters, beside those of class-validator. A query class declares them as a body class does its
 * own, and `RequestValidationPipe` checks `@Query() query: SomeQuery`. A parameter arrives as text, or as a list when
 * it is given more than once.
 */

const MIN_FRAGMENT_CHARACTERS = 2;
const MAX_FRAGMENT_CHARACTERS = 100;
/** A day, or a time with its zone. */
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of decorators) decorate(prototype, name);
  };
}

/** A rule of a type, which rejects a value with 400 INVALID_PARAMETER. @param fault the rest of a sentence */
function typeRule(name: string, isKept: (value: unknown) => boolean, fault: string): PropertyDecorator {
  return ValidateBy({ name, validator: { validate: isKept, defaultMessage: () => `$property ${fault}` } });
}

/** Replaces a text; leaves a list for `IsGivenOnce`. */
function TransformText(transform: (text: string) => unknown): PropertyDecorator {
  return Transform((value) => (typeof value === 'string' ? transform(value) : value));
}

/** A parameter that is given once. */
export function IsGivenOnce(): PropertyDecorator {
  return typeRule('isGivenOnce', (value) => !Array.isArray(value), 'must be given once');
}

/** One of these values. */
export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return all(IsGivenOnce(), IsIn(values, { message: `$property must be one of ${values.join(', ')}` }));
}

/** `true` or `false`. */
export function IsFlag(): PropertyDecorator {
  return all(
    TransformText((text) => (text === 'true' || text === 'false' ? text === 'true' : text)),
    IsGivenOnce(),
    IsIn([true, false], { message: '$property must be one of true, false' }),
  );
}

/** A text of a pattern. @param kind what it would be, for the error */
export function IsLike(pattern: RegExp, kind: string): PropertyDecorator {
  return all(
    IsGivenOnce(),
    typeRule('isLike', (value) => typeof value === 'string' && pattern.test(value), `is not ${kind}`),
  );
}

/** A positive integer; a larger one than `most` counts as `most`. */
export function IsCount(most: number): PropertyDecorator {
  return all(
    TransformText((text) => (/^[0-9]+$/.test(text) && !/^0+$/.test(text) ? Math.min(Number(text), most) : text)),
    IsGivenOnce(),
    typeRule('isCount', (value) => typeof value === 'number', 'must be a positive integer'),
  );
}

/** A whole number within bounds. */
export function IsWholeNumber({ least, most }: { least: number; most: number }): PropertyDecorator {
  const isWithin = (number: unknown): boolean => typeof number === 'number' && number >= least && number <= most;
  return all(
    TransformText((text) => (/^[0-9]{1,9}$/.test(text) ? Number(text) : text)),
    IsGivenOnce(),
    typeRule('isWholeNumber', isWithin, `must be a whole number from ${least} to ${most}`),
  );
}

/** A text that a record may have: not empty, and no longer than these characters. 422 INVALID_VALUE otherwise. */
export function IsRecordText(maxCharacters: number): PropertyDecorator {
  return all(
    IsGivenOnce(),
    HasNoFault((text) => {
      if (typeof text !== 'string' || text === '' || text.length > maxCharacters)
        return `must have 1 to ${maxCharacters} characters`;
      return storableText(text) === text ? undefined : 'holds characters that cannot be stored';
    }),
  );
}

/** A point in time in ISO 8601; a day begins at midnight UTC. 422 INVALID_VALUE otherwise. */
export function IsPointInTime(): PropertyDecorator {
  return all(
    TransformText((text) => timeOf(text) ?? text),
    IsGivenOnce(),
    HasNoFault((text) => (typeof text === 'string' && timeOf(text) !== undefined ? undefined : TIME_FAULT)),
  );
}

/** What is wrong with a text that is no time, as the rest of a sentence. */
export const TIME_FAULT = 'must be a time such as 2026-03-02T10:15:00Z';

/** The time in ISO 8601 with milliseconds, or undefined for a text that is no time. */
export function timeOf(text: string): string | undefined {
  const time = new Date(text);
  return TIME.test(text) && isOfCalendar(text) && isOfFourDigits(time) ? time.toISOString() : undefined;
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

/** A part of a name or number to search for, without pluses and blanks. 422 INVALID_VALUE otherwise. */
export function IsFragment(): PropertyDecorator {
  return all(
    TransformText((text) => text.replace(/[+\s]/g, '')),
    IsGivenOnce(),
    HasNoFault((text) => (typeof text === 'string' ? fragmentFault(text) : 'must be a text')),
  );
}

/** Accents, vowel points and invisible characters, which no search looks at. */
const MARKS = /(?=[\p{sc=Inherited}\p{sc=Arabic}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Syriac}])\p{Mn}|[\p{Cf}\u0640]/gu;

const lettersOf = (text: string): number =>
  Array.from(text.normalize('NFKD').replace(MARKS, '').normalize('NFC')).length;

function fragmentFault(text: string): string | undefined {
  if (lettersOf(text) < MIN_FRAGMENT_CHARACTERS)
    return `must have at least ${MIN_FRAGMENT_CHARACTERS} characters, not counting blanks, pluses and accents`;
  if (Array.from(text).length > MAX_FRAGMENT_CHARACTERS)
    return `must have at most ${MAX_FRAGMENT_CHARACTERS} characters`;
  return storableText(text) === text ? undefined : 'holds characters that no name has';
}
