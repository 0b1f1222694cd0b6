import { isObject } from '../body-class';
import { storableText } from '../validation';

/** Maximum length of a form's response that is parsed, in UTF-16 units (spec §11.3.28). */
export const FORM_RESPONSE_MAX_CHARACTERS = 32_768;
/** Maximum nesting of objects and lists in a form's response. */
export const FORM_RESPONSE_MAX_DEPTH = 16;

/** Keys that could change the prototype of an object in the receiver. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses the response of a form. Keeps the names that the flow defines, except those that could change a prototype.
 * @returns null if the text is not a JSON object, or is longer or nested deeper than allowed
 */
export function formResponse(text: unknown): object | null {
  if (typeof text !== 'string' || text.length > FORM_RESPONSE_MAX_CHARACTERS) return null;
  const parsed = parse(text);
  if (!isObject(parsed) || Array.isArray(parsed) || isDeeper(parsed, FORM_RESPONSE_MAX_DEPTH)) return null;
  return copied(parsed) as object;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true;
  return Object.values(value).some((member: unknown) => isObject(member) && isDeeper(member, levels - 1));
}

/** Copies a value with storable texts. Numbers beyond the range of a double become null, as JSON has none. */
function copied(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(copied);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !UNSAFE_NAMES.has(name));
  return Object.fromEntries(members.map(([name, member]) => [storableText(name), copied(member)]));
}
