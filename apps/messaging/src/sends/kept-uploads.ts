import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import type { SendMessageCommand, UploadedFile } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { FIND_KEPT, KEEP_UPLOAD, REMOVE_BEYOND_QUOTA } from './kept-uploads.queries';

const MIB = 1_048_576;
const FOLDER = 'sent/';
const ORPHANS_EVERY_MS = 6 * 3_600_000;
/** Far longer than any send. Older bytes without a row belong to a process that died. */
const ORPHAN_AGE_MS = 24 * 3_600_000;
const BLOBS_BATCH = 500;

/**
 * Retains the files that users send from the dashboard. Their rows are those of received media, so that retention and
 * erasure delete them with their messages.
 */
@Injectable()
export class KeptUploads {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: Pick<MessagingConfig, 'SENT_MEDIA_QUOTA_MB'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Retains the file of a message whose row exists. A failure is only logged, because the message can still be sent.
   */
  async keep({ accountId, messageId, upload, keepsUpload }: SendMessageCommand): Promise<void> {
    if (!upload || !keepsUpload) return;
    const { blobKey, mimeType, bytes, sha256, filename = null } = upload;
    const hash = Buffer.from(sha256, 'hex').toString('base64');
    const values = [idOf(blobKey), messageId, accountId, mimeType, hash, bytes, filename, blobKey];
    try {
      await query(this.dataSource, KEEP_UPLOAD, values);
      const limits = [accountId, this.config.SENT_MEDIA_QUOTA_MB * MIB];
      const removed = await query(this.dataSource, REMOVE_BEYOND_QUOTA, limits);
      if (removed.length > 0) this.logger.info({ accountId, removed: removed.length }, 'sent-media.quota-exceeded');
    } catch (error) {
      this.logger.warn({ err: error, messageId }, 'sent-media.not-kept');
    }
  }

  /** Returns false only if the bytes are certainly not needed any more. */
  async mayBeKept({ blobKey }: UploadedFile): Promise<boolean> {
    try {
      return (await query(this.dataSource, FIND_KEPT, [[idOf(blobKey)]])).length > 0;
    } catch (error) {
      this.logger.warn({ err: error, blobKey }, 'sent-media.unknown');
      return true;
    }
  }

  @Every({ name: 'sent-media.orphans', everyMs: ORPHANS_EVERY_MS })
  run(): Promise<void> {
    return this.removeOrphans(new Date());
  }

  /** Deletes old bytes without a row, which a process left behind that died. Safe on several replicas. */
  async removeOrphans(now: Date): Promise<void> {
    const before = new Date(now.getTime() - ORPHAN_AGE_MS);
    let batch: string[] = [];
    for await (const { key, storedAt } of this.blobs.list(FOLDER)) {
      if (storedAt < before) batch.push(key);
      if (batch.length < BLOBS_BATCH) continue;
      await this.removeUnknown(batch);
      batch = [];
    }
    await this.removeUnknown(batch);
    await this.blobs.deleteUnfinished(FOLDER, before);
  }

  private async removeUnknown(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const found = await query<{ id: string }>(this.dataSource, FIND_KEPT, [keys.map(idOf)]);
    const known = new Set(found.map(({ id }) => id));
    const orphans = keys.filter((key) => !known.has(idOf(key)));
    for (const key of orphans) await this.blobs.delete(key);
    if (orphans.length > 0) this.logger.warn({ removed: orphans.length }, 'sent-media.orphans-removed');
  }
}

/** Returns the id of a file, the last part of its blob key. */
function idOf(blobKey: string): string {
  return blobKey.slice(blobKey.lastIndexOf('/') + 1);
}
