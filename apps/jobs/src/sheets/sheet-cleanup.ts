import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { Every, type Logger, LOGGER } from '@switchboard/platform';

const EVERY_MS = 3_600_000;
/** Far longer than any upload and its processing. An older file was left behind by a process that died. */
const ORPHAN_AGE_MS = 24 * 3_600_000;
const SHEETS = 'sheets/';

/** Deletes spreadsheets that were never fully read. */
@Injectable()
export class SheetCleanup {
  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every({ name: 'sheet-sweep', everyMs: EVERY_MS })
  run(): Promise<void> {
    return this.deleteOrphans(new Date());
  }

  /** Safe to run on several replicas concurrently. */
  async deleteOrphans(now: Date): Promise<void> {
    const removed = await this.blobs.deleteOlderThan(SHEETS, new Date(now.getTime() - ORPHAN_AGE_MS));
    if (removed > 0) this.logger.warn({ removed }, 'sheet.orphans-removed');
  }
}
