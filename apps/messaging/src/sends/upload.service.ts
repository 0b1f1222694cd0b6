import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { AppError, ERRORS, type ErrorCode, type UploadedFile } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { CONFIG, counter, LOGGER, type Logger } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import type { KnownNumber } from '../numbers/number-cache';
import { UpstreamNumbers } from '../numbers/upstream-numbers';
import { errorOfCall, upstreamWords } from '../messages/message-error';
import { FIND_UPLOADED, FORGET_UPLOADED, NOTE_UPLOADED } from './upload.queries';

/**
 * The platform's error code for a file that it rejects. Its other uses concern parameters that this service generates.
 */
const CODE_INVALID_PARAMETER = 100;

const uploads = counter('messaging_uploads_total', 'Files for upstream: handed over, known there already, refused', {
  outcome: ['handed-over', 'known', 'refused'],
});

/** Uploads accounts' files to the upstream platform, once per number and content. */
@Injectable()
export class UploadService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly upstream: UpstreamNumbers,
    @Inject(CONFIG) private readonly config: MessagingConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Returns the upstream id of a file, and uploads the file if necessary.
   * @param until deadline on the clock of `performance.now()`
   * @throws UpstreamError; nothing was sent then
   */
  async mediaIdOf(number: KnownNumber, file: UploadedFile, until: number): Promise<string> {
    const [known] = await query<{ mediaId: string }>(this.dataSource, FIND_UPLOADED, keyOf(number, file));
    if (known) uploads.inc({ outcome: 'known' });
    return known?.mediaId ?? (await this.uploadMedia(number, file, until));
  }

  /** Uploads the file again after upstream rejected its id, and returns the new id. */
  async renew(
    number: KnownNumber,
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

  private async uploadMedia(number: KnownNumber, file: UploadedFile, until: number): Promise<string> {
    const { mimeType, bytes, filename = 'file', blobKey } = file;
    const startedAt = performance.now();
    const { stream: content } = await this.blobs.get(blobKey);
    try {
      const timeoutMs = Math.min(until - startedAt, this.config.UPLOAD_TIMEOUT_MS);
      const mediaId = await this.upstream.upload(number, { file: { mimeType, filename, bytes, content }, timeoutMs });
      await query(this.dataSource, NOTE_UPLOADED, [...keyOf(number, file), mediaId]);
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

function keyOf(number: KnownNumber, { sha256, mimeType }: UploadedFile): string[] {
  return [number.id, sha256, mimeType];
}
