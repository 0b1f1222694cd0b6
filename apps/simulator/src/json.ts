/** A JSON object with unvalidated fields. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Selects fields of an object for `?fields=a,b{c}`. Always includes the id, and ignores nested field lists. */
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
