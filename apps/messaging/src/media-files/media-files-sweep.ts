import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { AppError, USED_MEDIA_MAX } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { CONFIG, Every, LOGGER, type Logger } from '@switchboard/platform';
import { JobsClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import {
  DELETE_EXPIRED,
  FIND_BLOBS,
  FIND_DELETED,
  FIND_EXPIRED,
  FORGET_FILE,
  RETAIN_FILES,
} from './media-files.queries';

const EXPIRE_EVERY_MS = 3_600_000;
const REMOVE_EVERY_MS = 5_000;
const REMOVED_BATCH = 50;
const ORPHANS_EVERY_MS = 6 * 3_600_000;
/** Far longer than the request of an upload: older bytes without a file belong to a process that died. */
const ORPHAN_AGE_MS = 24 * 3_600_000;
const BLOBS_BATCH = 500;
const FOLDER = 'media/';

interface DeletedFile {
  id: string;
  accountId: string;
  blobKey: string;
}

/** Deletes uploaded files whose retention has passed, and bytes that belong to no file. Safe on several replicas. */
@Injectable()
export class MediaFilesSweep {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    private readonly jobs: JobsClient,
    @Inject(CONFIG) private readonly config: Pick<MessagingConfig, 'UPLOADED_MEDIA_RETENTION_DAYS'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Marks expired files of one account as deleted, except those that unfinished jobs use. If the jobs service does not
   * respond, all stay.
   * @returns whether there may be more
   */
  @Every({ name: 'media-files.expire', everyMs: EXPIRE_EVERY_MS })
  async expire(): Promise<boolean> {
    const { UPLOADED_MEDIA_RETENTION_DAYS: days } = this.config;
    const expired = await query<{ id: string; accountId: string }>(this.dataSource, FIND_EXPIRED, [
      days,
      USED_MEDIA_MAX,
    ]);
    const [first] = expired;
    if (!first) return false;
    const { accountId } = first;
    const ids = expired.map(({ id }) => id);
    const used = await this.usedOf(accountId, ids);
    if (!used) return false;
    if (used.length > 0) await query(this.dataSource, RETAIN_FILES, [accountId, used]);
    const others = ids.filter((id) => !used.includes(id));
    const deleted = await query(this.dataSource, DELETE_EXPIRED, [accountId, others, days]);
    this.logger.info({ accountId, deleted: deleted.length, inUse: used.length }, 'media-files.expired');
    return true;
  }

  /**
   * Deletes the bytes of deleted files, and then their rows. In this order a crash leaves a row that is retried, never
   * an orphaned file.
   * @returns whether there may be more
   */
  @Every({ name: 'media-files.remove', everyMs: REMOVE_EVERY_MS, restsWhenIdle: true })
  async removeDeleted(): Promise<boolean> {
    const deleted = await query<DeletedFile>(this.dataSource, FIND_DELETED, [REMOVED_BATCH]);
    for (const { id, accountId, blobKey } of deleted) {
      await this.blobs.delete(blobKey);
      await query(this.dataSource, FORGET_FILE, [accountId, id]);
    }
    return deleted.length === REMOVED_BATCH;
  }

  @Every({ name: 'media-files.orphans', everyMs: ORPHANS_EVERY_MS })
  run(): Promise<void> {
    return this.removeOrphans(new Date());
  }

  /** Deletes old bytes without a file, which a gateway stored just before it died. */
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
    const found = await query<{ blobKey: string }>(this.dataSource, FIND_BLOBS, [keys]);
    const known = new Set(found.map(({ blobKey }) => blobKey));
    const orphans = keys.filter((key) => !known.has(key));
    for (const key of orphans) await this.blobs.delete(key);
    if (orphans.length > 0) this.logger.warn({ removed: orphans.length }, 'media-files.orphans-removed');
  }

  /** @returns undefined if the jobs service did not respond */
  private async usedOf(accountId: string, mediaIds: string[]): Promise<string[] | undefined> {
    try {
      return (await this.jobs.listUsedMedia({ accountId, mediaIds })).mediaIds;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.logger.warn({ err: error, accountId }, 'media-files.expiry-postponed');
      return undefined;
    }
  }
}
