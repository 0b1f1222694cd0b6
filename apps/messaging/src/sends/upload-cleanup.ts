import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { query } from '@switchboard/database';
import { Every, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { DELETE_EXPIRED_LEASES, DELETE_EXPIRED_UPLOADS } from './upload.queries';

const EVERY_MS = 3_600_000;
/** Far longer than any send. An older file was left behind by a process that died. */
const ORPHAN_AGE_MS = 24 * 3_600_000;
const UPLOADS = 'uploads/';
/** Received media stay. Only unfinished files of dead processes are deleted here. */
const INBOUND = 'inbound/';

/** Deletes uploaded files that no send has deleted, and upload ids that have expired upstream. */
@Injectable()
export class UploadCleanup {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every({ name: 'upload-sweep', everyMs: EVERY_MS })
  run(): Promise<void> {
    return this.deleteOrphans(new Date());
  }

  /** Safe to run on several replicas concurrently. */
  async deleteOrphans(now: Date): Promise<void> {
    const before = new Date(now.getTime() - ORPHAN_AGE_MS);
    const removed = await this.blobs.deleteOlderThan(UPLOADS, before);
    await this.blobs.deleteUnfinished(INBOUND, before);
    await query(this.dataSource, DELETE_EXPIRED_UPLOADS);
    await query(this.dataSource, DELETE_EXPIRED_LEASES);
    if (removed > 0) this.logger.warn({ removed }, 'upload.orphans-removed');
  }
}
