import { storableText } from '@switchboard/contracts';

/**
 * The same JSON with U+FFFD in place of NUL characters and halves of surrogate pairs. PostgreSQL refuses those, so a
 * customer could otherwise write a message that can never be stored.
 */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return storableText(value) as T;
  if (Array.isArray(value)) return value.map(storable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [storable(name), storable(part)])) as T;
}
