/** A JSON object whose fields were not looked at yet. */
export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The named fields of an object, and always its id: what `?fields=a,b{c}` narrows an answer to. A field's own
 * fields are all shown.
 */
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
