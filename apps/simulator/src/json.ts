/** A JSON object with unvalidated fields. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Selects the named fields of an object, and always its id, for `?fields=a,b{c}`. Nested field lists are ignored. */
export function pickFields(object: object, fields: string | undefined): object {
  if (!fields) return object;
  const wanted = new Set([
    'id',
    ...fields
      .replace(/\{[^}]*\}/g, '')
      .split(',')
      .map((field) => field.trim()),
  ]);
  return Object.fromEntries(Object.entries(object).filter(([name]) => wanted.has(name)));
}
