import type { FactoryProvider } from '@nestjs/common';
import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import { CONFIG } from '@switchboard/platform';
import type { TemplatesConfig } from './config';

/** The blob store into which the gateway puts samples of headers. */
export const BLOBS = Symbol('BLOBS');

export const blobsProvider: FactoryProvider<BlobStore> = {
  provide: BLOBS,
  inject: [CONFIG],
  useFactory: (config: TemplatesConfig) => createBlobStore(config),
};
