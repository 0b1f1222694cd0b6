/**
 * What an entry of a cache takes besides its contents: the key's object, the value's object and the list that keeps
 * them in order.
 */
const ENTRY_BYTES = 300;
/** V8 keeps text with any character beyond Latin-1 in two bytes a character. */
const BYTES_PER_CHARACTER = 2;

/** One mebibyte: caches name their bounds in it. */
export const MIB = 1024 * 1024;

/**
 * How many bytes an entry of a cache takes at most, roughly: for caches that are bounded by bytes (`maxSize` of
 * lru-cache).
 * @param parts texts, buffers, and plain values, which count as their JSON does
 */
export function entryBytes(...parts: readonly unknown[]): number {
  return parts.reduce((sum: number, part) => sum + bytesOf(part), ENTRY_BYTES);
}

function bytesOf(part: unknown): number {
  if (part instanceof Uint8Array) return part.byteLength;
  if (typeof part === 'string') return part.length * BYTES_PER_CHARACTER;
  return (JSON.stringify(part) ?? '').length * BYTES_PER_CHARACTER;
}
