import { parseBody, TemplateContent, VARIABLE_NAMES_DOC } from '@switchboard/contracts';
import { fieldError } from '../http/field-error';

/** API description of `variables` in the form for a spreadsheet. */
export const SHEET_VALUES_DOC = `Values for all rows, keyed by variable name, of variables that need no column then. A column of the same variable overrides them. ${VARIABLE_NAMES_DOC}. JSON-encoded`;

/**
 * Parses `variables` of a form: a JSON object of texts.
 * @throws AppError INVALID_PARAMETER, TEXT_TOO_LONG
 */
export function parseSheetValues(given: string | undefined): { variables?: Record<string, string> } {
  if (given === undefined) return {};
  const value = parsed(given);
  const isTexts = (texts: object): boolean => Object.values(texts).every((text) => typeof text === 'string');
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !isTexts(value))
    throw fieldError('INVALID_PARAMETER', 'variables', 'variables must be an object of texts');
  parseBody(TemplateContent, { name: 'any', language: { code: 'en' }, variables: value });
  return { variables: value as Record<string, string> };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
