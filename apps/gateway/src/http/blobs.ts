import type { Readable } from 'node:stream';
import type { BlobStore, ByteRange } from '@switchboard/blobs';
import { AppError, notFound } from '@switchboard/contracts';

/** File being written to the blob store. */
export interface IncomingBlob {
  key: string;
  /** Stream of the file; its errors are caused by the sender. */
  source: Readable;
  /** Content to store, which passes through the checks. */
  content: AsyncIterable<Uint8Array>;
}

/**
 * Stores a customer's file.
 * @throws AppError from the checks; INVALID_PARAMETER if the form is cut off; UNAVAILABLE if the store is down or fails
 */
export async function storeBlob(
  blobs: BlobStore,
  { key, source, content }: IncomingBlob,
): Promise<{ bytes: number; sha256: string }> {
  try {
    return await blobs.put(key, content);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Node destroys the source with an AbortError if its reader, here the store, stops first.
    if (source.errored && source.errored.name !== 'AbortError')
      throw new AppError('INVALID_PARAMETER', { message: 'the form cannot be read: it is malformed', cause: error });
    throw new AppError('UNAVAILABLE', { cause: error });
  }
}

/**
 * Reads a file or a part of it.
 * @throws AppError NOT_FOUND for an unknown file; UNAVAILABLE if the store is down or fails
 */
export async function readBlob(
  blobs: BlobStore,
  key: string,
  range?: ByteRange,
): Promise<{ stream: Readable; bytes: number }> {
  try {
    return await blobs.get(key, range);
  } catch (error) {
    if (error instanceof AppError) throw error.code === 'NOT_FOUND' ? notFound('file') : error;
    throw new AppError('UNAVAILABLE', { cause: error });
  }
}
