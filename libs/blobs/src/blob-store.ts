import type { Readable } from 'node:stream';

/** What was written, or what is there. */
export interface BlobFacts {
  key: string;
  bytes: number;
  storedAt: Date;
}

/** First and last byte, both counted from 0 and both included, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Files by key: `uploads/<accountId>/<id>`, `inbound/<accountId>/<id>`. A key is made of segments of letters, digits,
 * `_`, `-` and `.`; any other is refused with a TypeError, so that no key leads out of the store.
 */
export interface BlobStore {
  /**
   * Stores a stream; nothing is held in memory as a whole. When it resolves the bytes are on disk, when it rejects
   * there is nothing under the key. A key that exists is replaced at once: a reader sees the old bytes or the new ones.
   * @returns the number of bytes and their SHA-256 in hex
   */
  put(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options?: { contentType?: string },
  ): Promise<{ bytes: number; sha256: string }>;
  /**
   * Reads a blob or a part of it.
   * @returns the stream, which the caller reads to its end or destroys, and how many bytes it will give
   * @throws AppError NOT_FOUND when there is none
   */
  get(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }>;
  /** Removes a blob; one that is not there is no error. */
  delete(key: string): Promise<void>;
  /** What is stored under a key; undefined when nothing is. */
  stat(key: string): Promise<BlobFacts | undefined>;
  /** Every blob whose key begins with the prefix (whole segments, ending in `/`), in no certain order. */
  list(prefix: string): AsyncIterable<BlobFacts>;
  /**
   * Removes the blobs under a prefix that were stored before a time, and what interrupted writes begun before it left
   * behind.
   * @returns how many blobs were removed
   */
  sweep(prefix: string, before: Date): Promise<number>;
  /**
   * Removes only what interrupted writes left behind that were begun before a time; under the prefix, as far as the
   * store can tell.
   */
  sweepUnfinished(prefix: string, before: Date): Promise<void>;
}
