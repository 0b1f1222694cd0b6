import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { BlobStore } from '@switchboard/blobs';
import { LOGGER, type Logger, type Loop, startLoop } from '@switchboard/platform';
import { BLOBS } from './blobs';

const EVERY_MS = 3_600_000;
/** Far longer than any upload and its reading: what is older belongs to a process that died. */
const ORPHAN_AGE_MS = 24 * 3_600_000;
const SHEETS = 'sheets/';

/** Removes spreadsheets that nobody has read to the end. */
@Injectable()
export class SheetSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private loop?: Loop;

  constructor(
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = startLoop({
      name: 'sheet-sweep',
      everyMs: EVERY_MS,
      logger: this.logger,
      turn: () => this.sweep(new Date()),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** Replicas that do it at the same time do no harm. */
  async sweep(now: Date): Promise<void> {
    const removed = await this.blobs.sweep(SHEETS, new Date(now.getTime() - ORPHAN_AGE_MS));
    if (removed > 0) this.logger.warn({ removed }, 'sheet.orphans-removed');
  }
}
