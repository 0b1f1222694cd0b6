import { Inject, Injectable } from '@nestjs/common';
import {
  type AddMediaFileCommand,
  type AddMediaFileReply,
  AppError,
  type DeleteMediaFileReply,
  ERRORS,
  type GetMediaFileCommand,
  ID_PATTERNS,
  type ListMediaFilesCommand,
  type ListMediaFilesReply,
  type MediaFileRecord,
  type MediaType,
  notFound,
} from '@switchboard/contracts';
import { pageOf, placeOf, query, refuseTooDeep, Transactions } from '@switchboard/database';
import { CONFIG, LOGGER, type Logger } from '@switchboard/platform';
import { JobsClient } from '@switchboard/service-clients';
import { DataSource } from 'typeorm';
import type { MessagingConfig } from '../config';
import { capped, COUNT_LIMIT } from '../list-totals/list-totals';
import {
  COUNT_FILES,
  DELETE_FILE,
  FIND_FILE,
  FIND_SENDABLE,
  INSERT_FILE,
  LIST_FILES,
  LOCK_QUOTA,
  NOTE_USE,
  RETAIN_FILES,
  type SendableFile,
  type ShownFile,
  SUM_BYTES,
} from './media-files.queries';

const MIB = 1_048_576;
const DAY_MS = 24 * 3_600_000;

type StoredFile = ShownFile & { blobKey: string };

/** Manages the files that accounts upload once and send often. */
@Injectable()
export class MediaFilesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly jobs: JobsClient,
    @Inject(CONFIG)
    private readonly config: Pick<MessagingConfig, 'UPLOADED_MEDIA_RETENTION_DAYS' | 'UPLOADED_MEDIA_QUOTA_MB'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Adds a file whose bytes are stored. A repeated command returns the file that the first one added, and restarts its
   * retention.
   * @throws AppError MEDIA_QUOTA_EXCEEDED, NOT_FOUND when that file was deleted since
   */
  async add(command: AddMediaFileCommand): Promise<AddMediaFileReply> {
    const { accountId, mediaId, type, mimeType, bytes, sha256, fileName = null, blobKey } = command;
    const file = await this.transactions.run(async (tx) => {
      await tx.query(LOCK_QUOTA, [accountId]);
      const [existing] = await tx.query<StoredFile>(FIND_FILE, [accountId, mediaId]);
      if (existing) {
        // The file may have been deleted since it was read.
        const [retained] = await tx.query<{ id: string }>(RETAIN_FILES, [accountId, [mediaId]]);
        return retained && { ...existing, retainedFrom: new Date() };
      }
      const [used] = await tx.query<{ bytes: number }>(SUM_BYTES, [accountId]);
      this.requireQuota((used?.bytes ?? 0) + bytes);
      const values = [accountId, mediaId, type, mimeType, bytes, sha256, fileName, blobKey];
      const [inserted] = await tx.query<StoredFile>(INSERT_FILE, values);
      return inserted;
    });
    if (!file) throw notFound('file');
    this.logger.info({ accountId, mediaId, mimeType, bytes }, 'media-file.added');
    return { ...this.recordOf(file), blobKey: file.blobKey };
  }

  /** @throws AppError NOT_FOUND */
  async get({ accountId, mediaId }: GetMediaFileCommand): Promise<MediaFileRecord> {
    const file = await this.find(accountId, mediaId);
    if (!file) throw notFound('file');
    return this.recordOf(file);
  }

  /** Returns a file with the location of its bytes; undefined if the account has no such file. */
  async find(accountId: string, mediaId: string): Promise<(StoredFile & { sha256: string }) | undefined> {
    const [file] = await query<StoredFile & { sha256: string }>(this.dataSource, FIND_FILE, [accountId, mediaId]);
    return file;
  }

  /** @throws AppError INVALID_PARAMETER for an invalid cursor, INVALID_VALUE for a page that is too deep */
  async list(command: ListMediaFilesCommand): Promise<ListMediaFilesReply> {
    const { accountId, limit } = command;
    const { after, offset, take } = placeOf(command, ID_PATTERNS.med);
    const [counted] = await query<{ total: number }>(this.dataSource, COUNT_FILES, [accountId, COUNT_LIMIT + 1]);
    const found = await query<ShownFile>(this.dataSource, LIST_FILES, [accountId, after, offset, take]);
    refuseTooDeep(command, found);
    const { rows, ...next } = pageOf(found, limit, ({ id }) => id);
    return { media: rows.map((file) => this.recordOf(file)), ...capped(counted?.total ?? 0), ...next };
  }

  /**
   * Deletes a file; `MediaFilesSweep` deletes its bytes.
   * @throws AppError NOT_FOUND, MEDIA_IN_USE
   */
  async delete({ accountId, mediaId }: GetMediaFileCommand): Promise<DeleteMediaFileReply> {
    if (!(await this.find(accountId, mediaId))) throw notFound('file');
    const { mediaIds: used } = await this.jobs.listUsedMedia({ accountId, mediaIds: [mediaId] });
    if (used.length > 0) throw new AppError('MEDIA_IN_USE');
    const deleted = await query(this.dataSource, DELETE_FILE, [accountId, mediaId]);
    if (deleted.length === 0) throw notFound('file');
    this.logger.info({ accountId, mediaId }, 'media-file.deleted');
    return { id: mediaId };
  }

  /** Returns files of the account that are to be sent, by id, and restarts their retention. */
  async forUse(accountId: string, ids: readonly string[]): Promise<Map<string, SendableFile>> {
    const files = await query<SendableFile>(this.dataSource, FIND_SENDABLE, [accountId, ids]);
    const stale = files.filter(({ isUseStale }) => isUseStale).map(({ id }) => id);
    if (stale.length > 0) await query(this.dataSource, NOTE_USE, [accountId, stale]);
    return new Map(files.map((file) => [file.id, file]));
  }

  private requireQuota(bytes: number): void {
    const { UPLOADED_MEDIA_QUOTA_MB: quota } = this.config;
    if (bytes <= quota * MIB) return;
    throw new AppError('MEDIA_QUOTA_EXCEEDED', {
      message: `${ERRORS.MEDIA_QUOTA_EXCEEDED.message}: at most ${quota} MB in total; delete files that you no longer send`,
    });
  }

  private recordOf({ type, bytes, createdAt, lastUsedAt, retainedFrom, ...file }: ShownFile): MediaFileRecord {
    const expiresAt = new Date(retainedFrom.getTime() + this.config.UPLOADED_MEDIA_RETENTION_DAYS * DAY_MS);
    return {
      id: file.id,
      type: type as MediaType,
      mimeType: file.mimeType,
      bytes: Number(bytes),
      fileName: file.fileName,
      createdAt: createdAt.toISOString(),
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      expiresAt: expiresAt.toISOString(),
    };
  }
}
