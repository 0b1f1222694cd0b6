import { templateRefusal } from '../graph-error';
import { isObject, type JsonObject } from '../json';
import { variablesOf, withoutVariables } from './parameters';

/** Subcodes of code 100, by invalid part of a template. */
export const SUBCODE = {
  length: 2388040,
  header: 2388047,
  body: 2388072,
  footer: 2388073,
  ratio: 2388293,
  ends: 2388299,
} as const;

const HEADER_FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'GIF', 'DOCUMENT', 'LOCATION', 'PRODUCT'];
const MAX_HEADER = 60;
const MAX_BODY = 1_024;
const MAX_FOOTER = 60;
const NAMED_VARIABLE = /^[a-z][a-z0-9_]*$/;

/** @throws GraphError 100 with subcode 2388040 for a text that is too long or missing */
export function checkLength(part: string, text: unknown, most: number): string {
  if (typeof text === 'string' && text.trim() !== '' && text.length <= most) return text;
  throw templateRefusal(SUBCODE.length, 'Character limit exceeded', `The ${part} must have 1 to ${most} characters.`);
}

/** @throws GraphError 100 for an invalid header of a new template */
export function checkNewHeader({ format, text, example }: JsonObject, isNamed: boolean): void {
  const wrong = (message: string): Error =>
    templateRefusal(SUBCODE.header, 'Message header format is incorrect', message);
  if (typeof format !== 'string' || !HEADER_FORMATS.includes(format))
    throw wrong(`The format of a header is one of ${HEADER_FORMATS.join(', ')}.`);
  if (format !== 'TEXT') return;
  const examples: JsonObject = isObject(example) ? example : {};
  const variables = variablesOf(checkLength('header', text, MAX_HEADER));
  if (variables.length > 1) throw wrong('A header can have one variable.');
  checkVariables(variables, isNamed, wrong);
  if (variables.length > countExamples(examples, 'header_text', isNamed))
    throw wrong('A header with a variable needs an example.');
}

/** @throws GraphError 100 for an invalid body of a new template */
export function checkNewBody({ text: given, example }: JsonObject, isNamed: boolean): void {
  const wrong = (message: string): Error => templateRefusal(SUBCODE.body, 'Message body format is incorrect', message);
  const text = checkLength('body', given, MAX_BODY).trim();
  const variables = variablesOf(text);
  if (text.startsWith('{{') || text.endsWith('}}')) {
    throw templateRefusal(
      SUBCODE.ends,
      'Leading or trailing variable',
      'Variables can not be at the start or the end of the body.',
    );
  }
  checkVariables(variables, isNamed, wrong);
  const words = withoutVariables(text)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  if (words < 2 * variables.length + 1) {
    throw templateRefusal(SUBCODE.ratio, 'Too many variables', 'The body has too many variables for its length.');
  }
  if (variables.length > countExamples(isObject(example) ? example : {}, 'body_text', isNamed))
    throw wrong('Each variable of the body needs an example.');
}

/** @throws GraphError 100 for a footer with a variable or of the wrong length */
export function checkNewFooter({ text: given }: JsonObject): void {
  const text = checkLength('footer', given, MAX_FOOTER);
  if (variablesOf(text).length > 0)
    throw templateRefusal(SUBCODE.footer, 'Message footer format is incorrect', 'A footer can not have variables.');
}

function checkVariables(variables: string[], isNamed: boolean, wrong: (message: string) => Error): void {
  if (isNamed) {
    if (!variables.every((name) => NAMED_VARIABLE.test(name)))
      throw wrong('Names of variables have lower-case letters, digits and underscores.');
    return;
  }
  const isSequence = variables.every((name) => /^[1-9]\d*$/.test(name) && Number(name) <= variables.length);
  if (!isSequence) throw wrong('Variables are numbered {{1}}, {{2}} and so on, without gaps.');
}

function countExamples(example: JsonObject, field: 'header_text' | 'body_text', isNamed: boolean): number {
  const given = example[isNamed ? `${field}_named_params` : field];
  if (!Array.isArray(given)) return 0;
  // The examples of a body are a list of lists.
  const values: unknown[] = !isNamed && field === 'body_text' && Array.isArray(given[0]) ? given[0] : given;
  return values.filter((value) => (typeof value === 'string' ? value !== '' : isObject(value))).length;
}
