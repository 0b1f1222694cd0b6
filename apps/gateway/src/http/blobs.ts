import type { Readable } from 'node:stream';
import type { FactoryProvider } from '@nestjs/common';
import { type BlobStore, type ByteRange, createBlobStore } from '@switchboard/blobs';
import { AppError } from '@switchboard/contracts';
import { CONFIG } from '@switchboard/platform';
import type { GatewayConfig } from '../config';

/** The blob store that the gateway shares with messaging. */
export const BLOBS = Symbol('BLOBS');

export const blobsProvider: FactoryProvider<BlobStore> = {
  provide: BLOBS,
  inject: [CONFIG],
  useFactory: (config: GatewayConfig) => createBlobStore(config),
};

/** A file on its way into the blob store. */
export interface IncomingBlob {
  key: string;
  /** Where it comes from: what breaks there is the sender's fault. */
  source: Readable;
  /** What is stored of it, as its checks pass it on. */
  content: AsyncIterable<Uint8Array>;
}

/**
 * Stores what comes from a customer.
 * @throws AppError of the checks; INVALID_PARAMETER when its form breaks off, UNAVAILABLE when the store is away or
 * fails
 */
export async function storeBlob(
  blobs: BlobStore,
  { key, source, content }: IncomingBlob,
): Promise<{ bytes: number; sha256: string }> {
  try {
    return await blobs.put(key, content);
  } catch (error) {
    if (error instanceof AppError) throw error;
    // Node destroys a source with an AbortError when its reader, here the store, stops first.
    if (source.errored && source.errored.name !== 'AbortError')
      throw new AppError('INVALID_PARAMETER', { message: 'the form cannot be read: it is malformed', cause: error });
    throw new AppError('UNAVAILABLE', { cause: error });
  }
}

/**
 * Reads a file or a part of it.
 * @throws AppError NOT_FOUND when there is none, UNAVAILABLE when the store is away or fails
 */
export async function readBlob(
  blobs: BlobStore,
  key: string,
  range?: ByteRange,
): Promise<{ stream: Readable; bytes: number }> {
  try {
    return await blobs.get(key, range);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('UNAVAILABLE', { cause: error });
  }
}
