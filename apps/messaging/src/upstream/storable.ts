import { storableText } from '@switchboard/contracts';

/**
 * Replaces NUL characters and lone surrogates in JSON with U+FFFD. PostgreSQL rejects them, so a contact could
 * otherwise write a message that can never be stored.
 */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return storableText(value) as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storable(name), storable(part)])) as T;
}
