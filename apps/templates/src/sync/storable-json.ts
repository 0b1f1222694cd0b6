import { storableText } from '@switchboard/contracts';

/** Serialises a value to JSON that PostgreSQL can store. A single invalid character must not block a whole account. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
}
