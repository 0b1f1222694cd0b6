import { HasNoFault, storableText, Transform } from '@switchboard/contracts';
import { IsIn, maxLength, ValidateBy } from 'class-validator';

/**
 * Rules for query parameters, in addition to those of class-validator. Query classes declare rules as body classes do,
 * and `RequestValidationPipe` checks `@Query() query: SomeQuery`. A parameter arrives as text, or as a list if it is
 * repeated.
 */

const MIN_FRAGMENT_CHARACTERS = 2;
export const MAX_FRAGMENT_CHARACTERS = 100;
/** Covers message ids of the upstream platform. */
const MAX_SEARCH_CHARACTERS = 256;
/** A day, or a time with a zone. */
const TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

function all(...decorators: PropertyDecorator[]): PropertyDecorator {
  return (prototype, name) => {
    for (const decorate of decorators) decorate(prototype, name);
  };
}

/**
 * Creates a type rule, which rejects values with 400 INVALID_PARAMETER.
 * @param fault error message after the property name
 */
function typeRule(name: string, isKept: (value: unknown) => boolean, fault: string): PropertyDecorator {
  return ValidateBy({ name, validator: { validate: isKept, defaultMessage: () => `$property ${fault}` } });
}

/** Transforms a text. Leaves lists unchanged for `IsGivenOnce` to reject. */
function TransformText(transform: (text: string) => unknown): PropertyDecorator {
  return Transform((value) => (typeof value === 'string' ? transform(value) : value));
}

/** Rejects a repeated parameter. */
export function IsGivenOnce(): PropertyDecorator {
  return typeRule('isGivenOnce', (value) => !Array.isArray(value), 'must be given once');
}

/** Requires one of the given values. */
export function IsOneOf(values: readonly string[]): PropertyDecorator {
  return all(IsGivenOnce(), IsIn(values, { message: `$property must be one of ${values.join(', ')}` }));
}

export function IsFlag(): PropertyDecorator {
  return all(
    TransformText((text) => (text === 'true' || text === 'false' ? text === 'true' : text)),
    IsGivenOnce(),
    IsIn([true, false], { message: '$property must be one of true, false' }),
  );
}

/** Requires a text that matches a pattern. @param kind noun for the error message */
export function IsLike(pattern: RegExp, kind: string): PropertyDecorator {
  return all(
    IsGivenOnce(),
    typeRule('isLike', (value) => typeof value === 'string' && pattern.test(value), `is not ${kind}`),
  );
}

/** Requires a positive integer. Larger values than `most` count as `most`. */
export function IsCount(most: number): PropertyDecorator {
  return all(
    TransformText((text) => (/^[0-9]+$/.test(text) && !/^0+$/.test(text) ? Math.min(Number(text), most) : text)),
    IsGivenOnce(),
    typeRule('isCount', (value) => typeof value === 'number', 'must be a positive integer'),
  );
}

/** Requires an integer within bounds, inclusive. */
export function IsWholeNumber({ least, most }: { least: number; most: number }): PropertyDecorator {
  const isWithin = (number: unknown): boolean => typeof number === 'number' && number >= least && number <= most;
  return all(
    TransformText((text) => (/^[0-9]{1,9}$/.test(text) ? Number(text) : text)),
    IsGivenOnce(),
    typeRule('isWholeNumber', isWithin, `must be a whole number from ${least} to ${most}`),
  );
}

/** Requires a non-empty text of at most `maxCharacters`, counted as `MaxLength` does; returns 422 INVALID_VALUE. */
export function IsRecordText(maxCharacters: number): PropertyDecorator {
  return all(
    IsGivenOnce(),
    HasNoFault((text) => {
      if (typeof text !== 'string' || text === '' || !maxLength(text, maxCharacters))
        return `must have 1 to ${maxCharacters} characters`;
      return storableText(text) === text ? undefined : 'holds characters that cannot be stored';
    }),
  );
}

/** Requires an ISO 8601 time, or a day, which starts at midnight UTC; returns 422 INVALID_VALUE. */
export function IsPointInTime(): PropertyDecorator {
  return all(
    TransformText((text) => timeOf(text) ?? text),
    IsGivenOnce(),
    HasNoFault((text) => (typeof text === 'string' && timeOf(text) !== undefined ? undefined : TIME_FAULT)),
  );
}

/** Error message for an invalid time, after the property name. */
export const TIME_FAULT = 'must be a time such as 2026-03-02T10:15:00Z';

/** Returns the time in ISO 8601 with milliseconds; undefined for an invalid time. */
export function timeOf(text: string): string | undefined {
  const time = new Date(text);
  return TIME.test(text) && isOfCalendar(text) && isOfFourDigits(time) ? time.toISOString() : undefined;
}

/** Checks that the date exists, because JavaScript interprets 30 February as 2 March. */
function isOfCalendar(text: string): boolean {
  const day = text.slice(0, 10);
  return !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
}

/** Checks that the year has four digits after conversion to UTC. */
function isOfFourDigits(time: Date): boolean {
  return !Number.isNaN(time.getTime()) && /^\d{4}-/.test(time.toISOString());
}

/** API description of a parameter with `IsFragment`. */
export const FRAGMENT_SCHEMA = {
  type: 'string' as const,
  minLength: MIN_FRAGMENT_CHARACTERS,
  maxLength: MAX_FRAGMENT_CHARACTERS,
};

/**
 * Requires a search term for a part of a name or number, and removes plus signs and spaces; returns 422 INVALID_VALUE.
 */
export function IsFragment(): PropertyDecorator {
  return all(
    TransformText((text) => text.replace(/[+\s]/g, '')),
    IsGivenOnce(),
    HasNoFault((text) => (typeof text === 'string' ? fragmentFault(text) : 'must be a text')),
  );
}

/** API description of a parameter with `IsSearchText`. */
export const SEARCH_TEXT_SCHEMA = {
  type: 'string' as const,
  minLength: MIN_FRAGMENT_CHARACTERS,
  maxLength: MAX_SEARCH_CHARACTERS,
};

/** Requires a text to search for, and removes the blanks at its ends; returns 422 INVALID_VALUE. */
export function IsSearchText(): PropertyDecorator {
  return all(
    TransformText((text) => text.trim()),
    IsGivenOnce(),
    HasNoFault((text) => (typeof text === 'string' ? fragmentFault(text, MAX_SEARCH_CHARACTERS) : 'must be a text')),
  );
}

/** Accents, vowel points and invisible characters, which searches ignore. */
const MARKS = /(?=[\p{sc=Inherited}\p{sc=Arabic}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Syriac}])\p{Mn}|[\p{Cf}\u0640]/gu;

/** Returns a text without accents, vowel points and invisible characters. */
export const withoutMarks = (text: string): string => text.normalize('NFKD').replace(MARKS, '').normalize('NFC');

const lettersOf = (text: string): number => Array.from(withoutMarks(text)).length;

function fragmentFault(text: string, most = MAX_FRAGMENT_CHARACTERS): string | undefined {
  if (lettersOf(text.replace(/[+\s]/g, '')) < MIN_FRAGMENT_CHARACTERS)
    return `must have at least ${MIN_FRAGMENT_CHARACTERS} characters, not counting blanks, pluses and accents`;
  if (Array.from(text).length > most) return `must have at most ${most} characters`;
  return storableText(text) === text ? undefined : 'holds characters that no name has';
}
