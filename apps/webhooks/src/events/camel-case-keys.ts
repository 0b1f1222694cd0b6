/** Names that could reach the prototype of a receiver's object. */
const UNSAFE_NAMES = new Set(['__proto__', 'constructor', 'prototype']);

/** A copy of parsed JSON whose keys are in camelCase (`mime_type` → `mimeType`), in their order. */
export function camelCaseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCaseKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !UNSAFE_NAMES.has(name));
  return Object.fromEntries(entries.map(([name, inner]) => [camelCase(name), camelCaseKeys(inner)]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}
