import { storableText } from '@switchboard/contracts';

/** JSON text of a value whose texts PostgreSQL can all store: one odd character must not hold up a whole account. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storableText(part) : part));
}
