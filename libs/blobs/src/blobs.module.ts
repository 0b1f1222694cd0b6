import { Module } from '@nestjs/common';
import { CONFIG } from '@switchboard/platform';
import { createBlobStore } from './create-blob-store';

export const BLOBS = Symbol('BLOBS');

/** Provides the blob store of a service whose settings include `blobFields`. */
@Module({
  providers: [{ provide: BLOBS, inject: [CONFIG], useFactory: createBlobStore }],
  exports: [BLOBS],
})
export class BlobsModule {}
