import type { BlobConfig } from '../../src';
import { startFauxqs } from 'fauxqs';

const BUCKET = 'switchboard-media';

export interface S3Server {
  settings: Partial<BlobConfig>;
  close(): Promise<void>;
}

/** Starts an S3-compatible HTTP server with one empty bucket. It does not check signatures. */
export async function startS3Server(): Promise<S3Server> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  server.createBucket(BUCKET);
  return {
    settings: {
      BLOB_STORE: 's3',
      BLOB_S3_ENDPOINT: `http://127.0.0.1:${server.port}`,
      BLOB_S3_BUCKET: BUCKET,
      BLOB_S3_FORCE_PATH_STYLE: true,
      BLOB_S3_ACCESS_KEY_ID: 'test',
      BLOB_S3_SECRET_ACCESS_KEY: 'test',
    },
    close: () => server.stop(),
  };
}
