import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { AppError } from '@switchboard/contracts';
import type { BlobConfig } from './blob-fields';
import { assertKey, assertPrefix } from './blob-key';
import type { BlobFacts, BlobStore, ByteRange } from './blob-store';
import { measured } from './measured';

/** Minimum part size of S3. A put buffers at most a part or two. */
const PART_BYTES = 5 * 1024 * 1024;

const UPLOADS_A_PAGE = 1_000;

const CONNECT_TIMEOUT_MS = 5_000;
/** Time without data after which the server counts as unavailable, in milliseconds. */
const SILENCE_TIMEOUT_MS = 30_000;

export class S3BlobStore implements BlobStore {
  private readonly client: S3Client;
  private readonly bucket: string;

  constructor(config: Partial<BlobConfig> & { BLOB_S3_BUCKET: string }) {
    const { BLOB_S3_ACCESS_KEY_ID: accessKeyId, BLOB_S3_SECRET_ACCESS_KEY: secretAccessKey } = config;
    this.bucket = config.BLOB_S3_BUCKET;
    this.client = new S3Client({
      endpoint: config.BLOB_S3_ENDPOINT,
      region: config.BLOB_S3_REGION ?? 'us-east-1',
      forcePathStyle: config.BLOB_S3_FORCE_PATH_STYLE ?? false,
      ...(accessKeyId && secretAccessKey && { credentials: { accessKeyId, secretAccessKey } }),
      requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_TIMEOUT_MS },
      // Only Amazon supports checksums in trailers; other servers reject them. `put` computes the SHA-256 itself.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async put(
    key: string,
    content: AsyncIterable<Uint8Array>,
    options: { contentType?: string } = {},
  ): Promise<{ bytes: number; sha256: string }> {
    const { chunks, facts } = measured(content);
    const params = {
      ...this.object(key),
      Body: Readable.from(chunks, { objectMode: false }),
      ContentType: options.contentType,
    };
    // The object appears when its last part is confirmed, and is then as durable as the bucket. A failed upload removes
    // its parts.
    await new Upload({
      client: this.client,
      params,
      partSize: PART_BYTES,
      queueSize: 1,
      leavePartsOnError: false,
    }).done();
    return facts();
  }

  async get(key: string, range?: ByteRange): Promise<{ stream: Readable; bytes: number }> {
    const Range = range && `bytes=${range.start}-${range.end}`;
    const found = await unlessAbsent(this.client.send(new GetObjectCommand({ ...this.object(key), Range })));
    if (!found?.Body) throw new AppError('NOT_FOUND');
    return { stream: found.Body as Readable, bytes: found.ContentLength ?? 0 };
  }

  async delete(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand(this.object(key)));
  }

  async stat(key: string): Promise<BlobFacts | undefined> {
    const found = await unlessAbsent(this.client.send(new HeadObjectCommand(this.object(key))));
    return found && { key, bytes: found.ContentLength ?? 0, storedAt: found.LastModified ?? new Date(0) };
  }

  async *list(prefix: string): AsyncGenerator<BlobFacts> {
    assertPrefix(prefix);
    for await (const page of paginateListObjectsV2({ client: this.client }, { Bucket: this.bucket, Prefix: prefix })) {
      for (const { Key, Size, LastModified } of page.Contents ?? []) {
        if (Key !== undefined) yield { key: Key, bytes: Size ?? 0, storedAt: LastModified ?? new Date() };
      }
    }
  }

  async deleteOlderThan(prefix: string, before: Date): Promise<number> {
    let removed = 0;
    for await (const blob of this.list(prefix)) {
      if (blob.storedAt >= before) continue;
      await this.delete(blob.key);
      removed += 1;
    }
    await this.deleteUnfinished(prefix, before);
    return removed;
  }

  /** Aborts uploads whose process died. Until then their parts are invisible but incur storage costs. */
  async deleteUnfinished(prefix: string, before: Date): Promise<void> {
    assertPrefix(prefix);
    let KeyMarker: string | undefined;
    let UploadIdMarker: string | undefined;
    do {
      const page: ListMultipartUploadsCommandOutput = await this.client.send(
        new ListMultipartUploadsCommand({
          Bucket: this.bucket,
          Prefix: prefix,
          KeyMarker,
          UploadIdMarker,
          MaxUploads: UPLOADS_A_PAGE,
        }),
      );
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Initiated && Initiated < before)
          await this.client.send(new AbortMultipartUploadCommand({ Bucket: this.bucket, Key, UploadId }));
      }
      ({ NextKeyMarker: KeyMarker, NextUploadIdMarker: UploadIdMarker } = page.IsTruncated ? page : {});
    } while (KeyMarker !== undefined);
  }

  private object(key: string): { Bucket: string; Key: string } {
    assertKey(key);
    return { Bucket: this.bucket, Key: key };
  }
}

async function unlessAbsent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (['NoSuchKey', 'NotFound'].includes((error as Error).name)) return undefined;
    throw error;
  }
}
