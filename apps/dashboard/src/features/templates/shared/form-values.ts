// Readers for untyped JSON in forms.

export type Json = Record<string, unknown>;

export const isOneOf = <Known extends string>(known: readonly Known[], value: unknown): value is Known =>
  known.some((one) => one === value);

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** Returns `CATALOG` as readable text. */
export function inWords(kind: unknown): string {
  const text = textOf(kind).replaceAll('_', ' ').toLowerCase();
  return text === '' ? 'Unknown' : text.charAt(0).toUpperCase() + text.slice(1);
}
