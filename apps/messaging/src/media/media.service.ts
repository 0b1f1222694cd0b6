import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type FetchMediaV1,
  fetchMediaV1,
  type GetMediaCommand,
  type GetMediaReply,
  notFound,
} from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { counter, Every, type Logger, LOGGER } from '@switchboard/platform';
import { BlockedMediaUrlError, MediaUrlExpiredError, UpstreamError } from '@switchboard/upstream';
import { DataSource } from 'typeorm';
import {
  finalReason,
  MediaDamagedError,
  MediaInterruptedError,
  mediaRetrySeconds,
  MediaTooLargeError,
} from './media-failure';
import { MediaFetcher } from './media-fetcher';
import { MediaFilesService } from '../media-files/media-files.service';
import {
  CLAIM_OVERDUE_MEDIA,
  FIND_MEDIA,
  FORGET_MEDIA,
  MARK_FAILED,
  MARK_RETRY,
  MARK_STORED,
  type MediaRow,
  REMOVED_MEDIA,
} from './media.queries';

const LOOK_EVERY_MS = 60_000;

const OVERDUE_BATCH = 100;
const REMOVE_EVERY_MS = 5_000;
const REMOVED_BATCH = 50;

type MediaRef = Pick<MediaRow, 'id' | 'accountId' | 'blobKey'>;
const LOST = 'not found: the media could not be fetched from the upstream platform';

const fetched = counter(
  'messaging_media_total',
  'Attempts to fetch received media: stored, removed meanwhile, retried, failed',
  { outcome: ['stored', 'removed', 'retried', 'failed'] },
);

/** Fetches received media into the blob store, once per file. */
@Injectable()
export class MediaService {
  /** Running fetches of this process, so that a command and a task do not fetch the same bytes twice. */
  private readonly underWay = new Map<string, Promise<MediaRow | undefined>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly fetcher: MediaFetcher,
    private readonly files: MediaFilesService,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Makes the attempt that is due. If upstream fails, stores the next attempt and its task in one transaction. Only
   * internal failures throw.
   */
  async attemptFetch({ accountId, mediaId }: FetchMediaV1): Promise<void> {
    const media = await this.find(accountId, mediaId);
    if (media?.state !== 'pending' || !media.isDue) return;
    try {
      await this.fetch(media);
    } catch (error) {
      if (!isFailureOfUpstream(error)) throw error;
      await this.recordFailure(media, error);
    }
  }

  /**
   * Returns where the bytes of a received or uploaded file are stored. Fetches received ones first if they are not
   * stored yet.
   * @throws AppError NOT_FOUND, UPSTREAM_ERROR
   */
  async getMedia({ accountId, mediaId }: GetMediaCommand): Promise<GetMediaReply> {
    const media = await this.find(accountId, mediaId);
    if (!media) return this.getUploaded(accountId, mediaId);
    if (media.state === 'failed') throw new AppError('NOT_FOUND', { message: LOST });
    if (media.state === 'stored') return replyOf(media);
    const stored = await this.fetchNow(media);
    if (!stored) throw notFound('file');
    return replyOf(stored);
  }

  /**
   * Enqueues new tasks for media whose task the broker lost.
   * @returns true if there may be more
   */
  @Every({ name: 'media-overdue', everyMs: LOOK_EVERY_MS })
  async remindOfOverdue(): Promise<boolean> {
    return this.transactions.run(async (tx) => {
      const overdue = await tx.query<{ id: string; accountId: string }>(CLAIM_OVERDUE_MEDIA, [OVERDUE_BATCH]);
      for (const { id, accountId } of overdue) tx.enqueue(fetchMediaV1, { accountId, mediaId: id });
      if (overdue.length > 0) this.logger.warn({ media: overdue.length }, 'media.overdue');
      return overdue.length === OVERDUE_BATCH;
    });
  }

  /**
   * Deletes the bytes of files whose messages were deleted, then their rows. In this order, a crash leaves a row that
   * is retried, never an orphaned file.
   * @returns true if there may be more
   */
  @Every({ name: 'media-removed', everyMs: REMOVE_EVERY_MS, restsWhenIdle: true })
  async removeDeleted(): Promise<boolean> {
    const removed = await query<MediaRef>(this.dataSource, REMOVED_MEDIA, [REMOVED_BATCH]);
    for (const media of removed) {
      await this.fetcher.discard(media);
      await query(this.dataSource, FORGET_MEDIA, [media.id, media.accountId]);
    }
    if (removed.length > 0) this.logger.info({ media: removed.length }, 'media.removed');
    return removed.length === REMOVED_BATCH;
  }

  /** @throws AppError NOT_FOUND */
  private async getUploaded(accountId: string, mediaId: string): Promise<GetMediaReply> {
    const file = await this.files.find(accountId, mediaId);
    if (!file) throw notFound('file');
    const { mimeType, bytes, sha256, fileName: filename, blobKey } = file;
    return { mimeType, bytes: Number(bytes), sha256, filename, blobKey };
  }

  private async find(accountId: string, mediaId: string): Promise<MediaRow | undefined> {
    const [media] = await query<MediaRow>(this.dataSource, FIND_MEDIA, [mediaId, accountId]);
    return media;
  }

  /** @throws AppError NOT_FOUND if the bytes can never be fetched, UPSTREAM_ERROR if another attempt may succeed */
  private async fetchNow(media: MediaRow): Promise<MediaRow | undefined> {
    try {
      return await this.fetch(media);
    } catch (error) {
      if (!isFailureOfUpstream(error)) throw error;
      const reason = finalReason(error, media);
      if (reason === undefined) throw new AppError('UPSTREAM_ERROR', { cause: error });
      await this.giveUp(media, reason);
      throw new AppError('NOT_FOUND', { message: LOST, cause: error });
    }
  }

  /** @returns undefined if the media was removed meanwhile */
  private fetch(media: MediaRow): Promise<MediaRow | undefined> {
    const running =
      this.underWay.get(media.id) ?? this.fetchAndNote(media).finally(() => this.underWay.delete(media.id));
    this.underWay.set(media.id, running);
    return running;
  }

  private async fetchAndNote(media: MediaRow): Promise<MediaRow | undefined> {
    const startedAt = performance.now();
    const { bytes, sha256, mimeType } = await this.fetcher.fetchIntoStore(media);
    const [kept] = await query(this.dataSource, MARK_STORED, [media.id, media.accountId, bytes, sha256, mimeType]);
    if (!kept) {
      // Retention or an erasure has already removed the row, so delete the bytes here.
      await this.fetcher.discard(media);
      return void fetched.inc({ outcome: 'removed' });
    }
    fetched.inc({ outcome: 'stored' });
    const durationMs = Math.round(performance.now() - startedAt);
    this.logger.info(
      { mediaId: media.id, accountId: media.accountId, bytes, mimeType, attempt: media.attempts + 1, durationMs },
      'media.stored',
    );
    return { ...media, state: 'stored', bytes: String(bytes), sha256, mimeType: mimeType ?? media.mimeType };
  }

  private async recordFailure(media: MediaRow, error: Error): Promise<void> {
    const { id, accountId, attempts } = media;
    const reason = finalReason(error, media);
    if (reason !== undefined) return this.giveUp(media, reason);
    const delaySeconds = mediaRetrySeconds(attempts + 1);
    await this.transactions.run(async (tx) => {
      const [isSet] = await tx.query(MARK_RETRY, [id, accountId, attempts, delaySeconds, error.message]);
      if (isSet) tx.enqueue(fetchMediaV1, { accountId, mediaId: id }, { delaySeconds });
    });
    fetched.inc({ outcome: 'retried' });
    this.logger.warn(
      { mediaId: id, accountId, attempt: attempts + 1, reason: error.message, delaySeconds },
      'media.fetch-failed',
    );
  }

  private async giveUp({ id, accountId, attempts }: MediaRow, reason: string): Promise<void> {
    await query(this.dataSource, MARK_FAILED, [id, accountId, reason]);
    fetched.inc({ outcome: 'failed' });
    this.logger.warn({ mediaId: id, accountId, attempt: attempts + 1, reason }, 'media.failed');
  }
}

/** Returns false for internal failures: database, blob store, bugs. */
function isFailureOfUpstream(error: unknown): error is Error {
  const classes = [
    UpstreamError,
    MediaUrlExpiredError,
    BlockedMediaUrlError,
    MediaTooLargeError,
    MediaInterruptedError,
    MediaDamagedError,
  ];
  return classes.some((type) => error instanceof type);
}

function replyOf({ mimeType, bytes, sha256, filename, blobKey }: MediaRow): GetMediaReply {
  return {
    mimeType,
    bytes: Number(bytes),
    sha256: Buffer.from(sha256 ?? '', 'base64').toString('hex'),
    filename,
    blobKey,
  };
}
