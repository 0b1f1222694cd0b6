import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { AppError, ERRORS, type ErrorCode, type UploadedFile } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { CONFIG, counter, LOGGER, type Logger } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { type StoredNumber, UpstreamNumbers } from '../numbers/upstream-numbers';
import { errorOfCall, upstreamWords } from '../messages/message-error';
import {
  CLAIM_UPLOAD,
  END_LEASE,
  EXTEND_LEASE,
  FIND_UPLOADED,
  FORGET_UPLOADED,
  LEASE_SECONDS,
  NOTE_UPLOADED,
} from './upload.queries';

/**
 * The platform's error code for a file that it rejects. Its other uses concern parameters that this service generates.
 */
const CODE_INVALID_PARAMETER = 100;

const uploads = counter('messaging_uploads_total', 'Files for upstream: handed over, known there already, refused', {
  outcome: ['handed-over', 'known', 'refused'],
});

/** Delays between checks if another process is uploading the same file. */
const FIRST_CHECK_MS = 50;
const MAX_CHECK_MS = 500;
const EXTEND_EVERY_MS = (LEASE_SECONDS * 1_000) / 3;

/** Uploads accounts' files to the upstream platform, once per number and content. */
@Injectable()
export class UploadService {
  /** Uploads of this process, and waits for those of others, so that concurrent sends share them. */
  private readonly running = new Map<string, Promise<string>>();

  constructor(
    private readonly dataSource: DataSource,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly upstream: UpstreamNumbers,
    @Inject(CONFIG) private readonly config: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Maximum duration of an upload. */
  get timeoutMs(): number {
    return this.config.UPLOAD_TIMEOUT_MS;
  }

  /**
   * Returns the upstream id of a file. Uploads the file if necessary, unless this or another process is uploading it.
   * @param until deadline on the clock of `performance.now()`
   * @throws UpstreamError; nothing was sent. AppError NOT_FOUND if the bytes were deleted
   */
  async mediaIdOf(number: StoredNumber, file: UploadedFile, until: number): Promise<string> {
    const known = await this.find(number, file);
    if (known !== undefined) return known;
    const key = keyOf(number, file).join(' ');
    const running =
      this.running.get(key) ?? this.uploadOnce(number, file, until).finally(() => this.running.delete(key));
    this.running.set(key, running);
    return running;
  }

  /** Uploads the file again after upstream rejected its id, and returns the new id. */
  async renew(
    number: StoredNumber,
    file: UploadedFile,
    { goneId, until }: { goneId: string; until: number },
  ): Promise<string> {
    await query(this.dataSource, FORGET_UPLOADED, [...keyOf(number, file), goneId]);
    return this.mediaIdOf(number, file, until);
  }

  /** Deletes the file from the blob store. If this fails, `UploadCleanup` deletes it later. */
  async discard({ blobKey }: UploadedFile): Promise<void> {
    try {
      await this.blobs.delete(blobKey);
    } catch (error) {
      this.logger.warn({ err: error, blobKey }, 'upload.delete-failed');
    }
  }

  private async find(number: StoredNumber, file: UploadedFile): Promise<string | undefined> {
    const [known] = await query<{ mediaId: string }>(this.dataSource, FIND_UPLOADED, keyOf(number, file));
    if (known) uploads.inc({ outcome: 'known' });
    return known?.mediaId;
  }

  /** Uploads the file, or waits for the process that holds the lease. */
  private async uploadOnce(number: StoredNumber, file: UploadedFile, until: number): Promise<string> {
    const lease = [...keyOf(number, file), randomUUID()];
    for (let pauseMs = FIRST_CHECK_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_CHECK_MS)) {
      if ((await query(this.dataSource, CLAIM_UPLOAD, lease)).length > 0)
        return this.uploadWith(lease, { number, file, until });
      if (performance.now() + pauseMs > until) throw busy();
      await delay(pauseMs);
      const known = await this.find(number, file);
      if (known !== undefined) return known;
    }
  }

  private async uploadWith(
    lease: string[],
    { number, file, until }: { number: StoredNumber; file: UploadedFile; until: number },
  ): Promise<string> {
    const extending = setInterval(() => void this.extend(lease), EXTEND_EVERY_MS);
    try {
      // Another process may have finished just before the claim.
      return (await this.find(number, file)) ?? (await this.uploadMedia(number, { file, until, lease }));
    } finally {
      clearInterval(extending);
      // Another process can claim the upload when the lease expires.
      await query(this.dataSource, END_LEASE, lease).catch((err: unknown) =>
        this.logger.warn({ err }, 'upload.lease-kept'),
      );
    }
  }

  private async extend(lease: string[]): Promise<void> {
    await query(this.dataSource, EXTEND_LEASE, lease).catch((err: unknown) =>
      this.logger.warn({ err }, 'upload.lease-not-extended'),
    );
  }

  private async uploadMedia(
    number: StoredNumber,
    { file, until, lease }: { file: UploadedFile; until: number; lease: string[] },
  ): Promise<string> {
    const { mimeType, bytes, filename = 'file', blobKey } = file;
    const startedAt = performance.now();
    const { stream: content } = await this.blobs.get(blobKey);
    try {
      const timeoutMs = Math.min(until - startedAt, this.config.UPLOAD_TIMEOUT_MS);
      const mediaId = await this.upstream.upload(number, { file: { mimeType, filename, bytes, content }, timeoutMs });
      await query(this.dataSource, NOTE_UPLOADED, [...lease, mediaId]);
      uploads.inc({ outcome: 'handed-over' });
      this.logger.info(
        { numberId: number.id, mimeType, bytes, durationMs: Math.round(performance.now() - startedAt) },
        'upload.completed',
      );
      return mediaId;
    } catch (error) {
      uploads.inc({ outcome: 'refused' });
      throw error;
    } finally {
      content.destroy();
    }
  }
}

/** Returns the error for a failed upload. No message was sent. */
export function refusalOfUpload(error: UpstreamError): AppError {
  const code: ErrorCode =
    error.kind !== 'rejected'
      ? 'UPSTREAM_ERROR'
      : error.code === CODE_INVALID_PARAMETER && !error.stopsNumber
        ? 'UNSUPPORTED_MEDIA'
        : error.answer;
  const retryAfterSeconds = code === 'UPSTREAM_THROTTLED' ? (error.retryAfterSeconds ?? 10) : undefined;
  return new AppError(code, {
    message: `${ERRORS[code].message}: the file was not accepted: ${error.title}`,
    retryAfterSeconds,
    extra: upstreamWords({ ...errorOfCall(error), reason: code }),
    cause: error,
  });
}

/** Returns true if upstream rejected a send because it no longer knows the file's id. */
export function isMediaGone(outcome: unknown): boolean {
  return outcome instanceof UpstreamError && outcome.kind === 'rejected' && outcome.category === 'media';
}

/** Returns the error if another process did not finish the upload in time. Nothing was sent. */
function busy(): UpstreamError {
  return new UpstreamError({
    kind: 'unavailable',
    title: 'The file is still being uploaded',
    retriable: true,
    category: 'other',
    answer: 'UPSTREAM_ERROR',
  });
}

function keyOf(number: Pick<StoredNumber, 'id'>, { sha256, mimeType }: UploadedFile): string[] {
  return [number.id, sha256, mimeType];
}
