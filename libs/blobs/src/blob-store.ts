import type { Readable } from 'node:stream';

export interface BlobFacts {
  key: string;
  bytes: number;
  storedAt: Date;
}

/** First and last byte position, zero-based and inclusive, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Store for files by key, such as `uploads/<accountId>/<id>`. A key consists of segments of letters, digits, `_`, `-`
 * and `.`, separated by slashes. All methods reject any other key with a TypeError, so that no key points outside the
 * store.
 */
export interface BlobStore {
  /**
   * Stores a stream without buffering it as a whole. When the promise resolves, the bytes are on disk. When it rejects,
   * no new blob exists under the key. An existing blob is replaced atomically.
   * @returns the number of bytes and their SHA-256 in hex
   */
  put(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options?: { contentType?: string },
  ): Promise<{ bytes: number; sha256: string }>;
  /**
   * Reads a blob or a part of it.
   * @returns the stream, which the caller must read to its end or destroy, and its length in bytes
   * @throws AppError NOT_FOUND when there is no such blob
   */
  get(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }>;
  delete(key: string): Promise<void>;
  /** Returns the metadata of a blob, or undefined when there is none. */
  stat(key: string): Promise<BlobFacts | undefined>;
  /** Lists all blobs under a prefix (whole segments, ending in `/`), in no particular order. */
  list(prefix: string): AsyncIterable<BlobFacts>;
  /**
   * Deletes the blobs under a prefix that were stored before a time, and the remains of interrupted writes that started
   * before it.
   * @returns the number of deleted blobs
   */
  deleteOlderThan(prefix: string, before: Date): Promise<number>;
  /**
   * Deletes only the remains of interrupted writes that started before a time. Limited to the prefix if the store can
   * tell their prefix.
   */
  deleteUnfinished(prefix: string, before: Date): Promise<void>;
}
