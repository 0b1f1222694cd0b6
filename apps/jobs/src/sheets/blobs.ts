import type { FactoryProvider } from '@nestjs/common';
import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import { CONFIG } from '@switchboard/platform';
import type { JobsConfig } from '../config';

/** The blob store into which the gateway puts spreadsheets. */
export const BLOBS = Symbol('BLOBS');

export const blobsProvider: FactoryProvider<BlobStore> = {
  provide: BLOBS,
  inject: [CONFIG],
  useFactory: (config: JobsConfig) => createBlobStore(config),
};
