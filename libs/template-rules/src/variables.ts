import type { Fault } from './fault';
import { isJson, type Json } from './draft-content';

const VARIABLE = /\{\{([^{}]*)\}\}/g;
const NUMBER = /^[1-9][0-9]*$/;
const NAME = /^[a-z][a-z0-9_]*$/;
const NO_EXAMPLE =
  'an example is a text that is not empty, without line breaks, tabs and more than four spaces in a row';

/** What stands between double braces in a draft's text, right or wrong, each once, in the order of the text. */
export function bracedTextsOf(text: string): string[] {
  return [...new Set([...text.matchAll(VARIABLE)].map(([, name = '']) => name))];
}

/**
 * The variables of a text in the order in which their values are listed, in examples as in sends: by number, wherever
 * in the text they stand; names that are no numbers in the order of the text, behind these.
 */
export function variableNamesOf(text: string): string[] {
  const rank = (name: string): number => (/^[0-9]+$/.test(name) ? Number(name) : Number.POSITIVE_INFINITY);
  return bracedTextsOf(text).sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
}

/** The number of words without variables; marks alone are none. */
export function wordsOf(text: string): number {
  return text
    .replace(VARIABLE, ' ')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/**
 * Variables stand as {{1}}, {{2}} and so on, without gaps, or as names such as {{first_name}}, and every brace belongs
 * to one.
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

/** The variable of an address is always {{1}}, also where those of the texts have names. */
export function addressVariableFaults(field: string, address: string): Fault[] {
  const names = bracedTextsOf(address);
  if (names.length > 0 && names.every((name) => NAME.test(name)))
    return [{ field, message: 'the variable of an address is {{1}}' }];
  return variableFaults(field, address);
}

/** Whether a text has variables with names. */
export const hasNames = (text: unknown): boolean =>
  typeof text === 'string' && bracedTextsOf(text).some((name) => NAME.test(name));

/** One example for each variable with a name, under that name. */
export function namedExampleFaults(field: string, examples: unknown, names: readonly string[]): Fault[] {
  const given = (Array.isArray(examples) ? (examples as unknown[]) : []).filter(isJson);
  const wrong = (message: string): Fault[] => [{ field, message }];
  const missing = names.find((name) => !given.some((one) => one.param_name === name));
  if (missing !== undefined) return wrong(`an example is needed for {{${missing}}}`);
  if (given.length > names.length) return wrong('one example is needed for each variable, and no other');
  return given.every((one) => isExample(one.example)) ? [] : wrong(NO_EXAMPLE);
}

/** One example for each variable: a value that such a message could carry. */
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

/** Whether such a message could carry the value. */
export const isExample = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && !/[\n\r\t]| {5,}/.test(value);

/** The list under one name of an `example` object. */
export function examplesOf({ example }: Json, name: string): unknown {
  return isJson(example) ? example[name] : undefined;
}

/** @returns the text, or the fault that there is none of the right length */
export function textFaults(field: string, text: unknown, most: number): Fault[] {
  if (typeof text !== 'string' || text.trim() === '') return [{ field, message: 'a text is needed' }];
  return text.length <= most ? [] : [{ field, message: `${text.length} characters are too many: at most ${most}` }];
}
