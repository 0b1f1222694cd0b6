/**
 * Overhead of a cache entry in addition to its contents: key object, value object, and its node in the recency list.
 */
const ENTRY_BYTES = 300;
/** V8 stores a string with any character beyond Latin-1 in two bytes per character. */
const BYTES_PER_CHARACTER = 2;

/** One mebibyte, the unit of cache limits. */
export const MIB = 1024 * 1024;

/**
 * Estimates the maximum size of a cache entry in bytes, for caches limited by size (`maxSize` of lru-cache).
 * @param parts strings, buffers, and plain values, whose size is that of their JSON
 */
export function entryBytes(...parts: readonly unknown[]): number {
  return parts.reduce((sum: number, part) => sum + bytesOf(part), ENTRY_BYTES);
}

function bytesOf(part: unknown): number {
  if (part instanceof Uint8Array) return part.byteLength;
  if (typeof part === 'string') return part.length * BYTES_PER_CHARACTER;
  return (JSON.stringify(part) ?? '').length * BYTES_PER_CHARACTER;
}
