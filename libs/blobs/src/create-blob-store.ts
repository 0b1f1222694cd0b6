import { type BlobConfig, blobProblems } from './blob-fields';
import type { BlobStore } from './blob-store';
import { LocalBlobStore } from './local-blob-store';

/**
 * Creates the configured blob store.
 * @throws Error with the problems that `blobProblems` finds
 */
export async function createBlobStore(config: Partial<BlobConfig>): Promise<BlobStore> {
  if (config.BLOB_STORE !== 's3') return new LocalBlobStore(config.BLOB_DIR ?? '.local/blobs');
  const problems = blobProblems(config);
  if (config.BLOB_S3_BUCKET === undefined || problems.length > 0) throw new Error(problems.join('\n'));
  // Load lazily, because the client costs memory and startup time.
  const { S3BlobStore } = await import('./s3-blob-store');
  return new S3BlobStore({ ...config, BLOB_S3_BUCKET: config.BLOB_S3_BUCKET });
}
