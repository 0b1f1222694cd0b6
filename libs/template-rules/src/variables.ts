import type { Fault } from './fault';
import { isJson, type Json } from './draft-content';

const VARIABLE = /\{\{([^{}]*)\}\}/g;
const NUMBER = /^[1-9][0-9]*$/;
const NAME = /^[a-z][a-z0-9_]*$/;
const NO_EXAMPLE =
  'an example is a text that is not empty, without line breaks, tabs and more than four spaces in a row';

/** Returns the distinct contents of double braces in a draft's text, valid or not, in the order of the text. */
export function bracedTextsOf(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];
}

/**
 * Returns the variables of a text in the order of their values, as used in examples and sends: numbers in numerical
 * order, then names in the order of the text.
 */
export function variableNamesOf(text: string): string[] {
  const rank = (name: string): number => (/^[0-9]+$/.test(name) ? Number(name) : Number.POSITIVE_INFINITY);
  return bracedTextsOf(text).sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
}

/** Returns the number of words, excluding variables and standalone punctuation. */
export function wordsOf(text: string): number {
  return text
    .replace(VARIABLE, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/**
 * Validates the variables of a text: {{1}}, {{2}} and so on without gaps, or names such as {{first_name}}. Every brace
 * must belong to a variable.
 */
export function variableFaults(field: string, text: string): Fault[] {
  const fault = (message: string): Fault[] => [{ field, message }];
  if (/\{\{|\}\}/.test(text.replace(VARIABLE, ''))) return fault('braces must stand in pairs around a variable: {{1}}');
  const names = bracedTextsOf(text);
  if (names.every((name) => NAME.test(name))) return [];
  if (names.every((name) => NAME.test(name) || NUMBER.test(name)))
    return names.some((name) => NAME.test(name))
      ? fault('the variables of a template have either numbers or names, not both')
      : sequenceFaults(field, names);
  return fault(
    'variables are numbers, {{1}}, {{2}} and so on, or names of lower-case letters, digits and underscores: {{first_name}}',
  );
}

function sequenceFaults(field: string, numbers: readonly string[]): Fault[] {
  return numbers.every((name) => Number(name) <= numbers.length)
    ? []
    : [{ field, message: 'variables are numbered from 1 without gaps' }];
}

/** Validates the variable of a URL, which is always {{1}}, even where texts use names. */
export function addressVariableFaults(field: string, address: string): Fault[] {
  const names = bracedTextsOf(address);
  if (names.length > 0 && names.every((name) => NAME.test(name)))
    return [{ field, message: 'the variable of an address is {{1}}' }];
  return variableFaults(field, address);
}

export const hasNames = (text: unknown): boolean =>
  typeof text === 'string' && bracedTextsOf(text).some((name) => NAME.test(name));

/** Requires one example with the matching name for each named variable. */
export function namedExampleFaults(field: string, examples: unknown, names: readonly string[]): Fault[] {
  const given = (Array.isArray(examples) ? (examples as unknown[]) : []).filter(isJson);
  const wrong = (message: string): Fault[] => [{ field, message }];
  const missing = names.find((name) => !given.some((one) => one.param_name === name));
  if (missing !== undefined) return wrong(`an example is needed for {{${missing}}}`);
  if (given.length > names.length) return wrong('one example is needed for each variable, and no other');
  return given.every((one) => isExample(one.example)) ? [] : wrong(NO_EXAMPLE);
}

/** Requires one example for each variable, with a value that a message could contain. */
export function exampleFaults(field: string, examples: unknown, count: number): Fault[] {
  const values: unknown[] = Array.isArray(examples) ? examples : [];
  if (values.length !== count)
    return [
      {
        field,
        message: `${count === 1 ? 'one example is' : `${count} examples are`} needed, one for each variable; ${values.length} given`,
      },
    ];
  return values.every(isExample) ? [] : [{ field, message: NO_EXAMPLE }];
}

/** Returns whether a message could contain the value. */
export const isExample = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && !/[\n\r\t]| {5,}/.test(value);

export function examplesOf({ example }: Json, name: string): unknown {
  return isJson(example) ? example[name] : undefined;
}

export function textFaults(field: string, text: unknown, most: number): Fault[] {
  if (typeof text !== 'string' || text.trim() === '') return [{ field, message: 'a text is needed' }];
  return text.length <= most ? [] : [{ field, message: `${text.length} characters are too many: at most ${most}` }];
}
