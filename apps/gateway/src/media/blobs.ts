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

/** Reads a file or a part of it. @throws AppError NOT_FOUND when there is none, UNAVAILABLE when the store is away or fails */
export async function readBlob(blobs: BlobStore, key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }> {
  try {
    return await blobs.get(key, range);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('UNAVAILABLE', { cause: error });
  }
}
