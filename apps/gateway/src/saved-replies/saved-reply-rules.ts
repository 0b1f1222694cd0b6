import { AppError } from '@switchboard/contracts';
import { fieldError } from '../http/field-error';

const NAME = /^[\p{L}\p{M}\p{N}-]{1,40}$/u;
const VARIABLES: readonly string[] = ['name', 'agent'];
/** Stops at the next opening braces, so that the time is proportional to the text. */
const VARIABLE = /\{\{((?:(?!\{\{|\}\}).)*)\}\}/gs;

/** Returns the form of a name that is unique per account. */
export const nameKeyOf = (name: string): string => name.toLowerCase();

/** @returns the name as it is stored @throws AppError INVALID_VALUE */
export function requireReplyName(given: string): string {
  const name = given.trim().normalize('NFC');
  if (NAME.test(name)) return name;
  throw fieldError('INVALID_VALUE', 'name', 'name must have 1 to 40 letters, digits or hyphens');
}

/** Rejects a text with variables that nothing replaces. @throws AppError INVALID_VALUE */
export function requireKnownVariables(text: string): void {
  for (const [variable, name = ''] of text.matchAll(VARIABLE))
    if (!VARIABLES.includes(name))
      throw fieldError('INVALID_VALUE', 'text', `text has the unknown variable ${variable.slice(0, 50)}`);
}

export function nameTaken(name: string): AppError {
  return fieldError('INVALID_VALUE', 'name', `name must be unique: there is a saved reply with the name ${name}`);
}
