import { isObject } from '../body-class';
import { storableText } from '../validation';

/** Maximum length of a form response to parse, in UTF-16 units (spec §11.3.28). */
export const FORM_RESPONSE_MAX_CHARACTERS = 32_768;
/** Maximum nesting depth of objects and lists in a form response. */
export const FORM_RESPONSE_MAX_DEPTH = 16;

/** Member names that could change an object's prototype in the receiving program. */
export const UNSAFE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Parses a form response. Preserves the names that the flow defines, except for `UNSAFE_NAMES`.
 * @returns null if the text is not a JSON object, is too long or is nested too deeply
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

/** Copies a value with storable texts. Replaces numbers outside the range of a double, which JSON lacks, by null. */
function copied(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map(copied);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !UNSAFE_NAMES.has(name));
  return Object.fromEntries(members.map(([name, member]) => [storableText(name), copied(member)]));
}
