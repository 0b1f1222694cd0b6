import { Inject, Injectable } from '@nestjs/common';
import { BLOBS, type BlobStore } from '@switchboard/blobs';
import { HEADER_SAMPLES, headerSampleKey } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import type { TemplatesConfig } from '../config';
import { deleteUnused, findKnown } from './header-samples.queries';
import { releaseNeverListed } from './template-samples.queries';

const EVERY_MS = 3_600_000;
const AT_A_TIME = 100;
/** Far longer than any upload. An older file without a row was left behind by a process that died. */
const ORPHAN_AGE_MS = 24 * 3_600_000;

@Injectable()
export class SampleCleanup {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Inject(BLOBS) private readonly blobs: BlobStore,
    @Inject(CONFIG) private readonly config: TemplatesConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every({ name: 'sample-purge', everyMs: EVERY_MS })
  run(): Promise<void> {
    return this.deleteUnused(new Date());
  }

  /**
   * Deletes samples that no draft and no template needs, and files that were never registered. Safe to run on several
   * replicas concurrently.
   */
  async deleteUnused(now: Date): Promise<void> {
    const days = this.config.HEADER_SAMPLE_DAYS;
    await this.transactions.run((tx) => releaseNeverListed(tx, { days, limit: AT_A_TIME }));
    let unused = 0;
    for (let removed = AT_A_TIME; removed === AT_A_TIME; unused += removed) removed = await this.removeUnused();
    const before = new Date(now.getTime() - ORPHAN_AGE_MS);
    await this.blobs.deleteUnfinished(HEADER_SAMPLES, before);
    const orphans = await this.removeOrphans(before);
    if (unused + orphans > 0) this.logger.info({ unused, orphans }, 'header-sample.purged');
  }

  /** Deletes files before their rows. After a crash in between, the next run deletes the remaining rows. */
  private removeUnused(): Promise<number> {
    return this.transactions.run(async (tx) => {
      const removed = await deleteUnused(tx, { days: this.config.HEADER_SAMPLE_DAYS, limit: AT_A_TIME });
      for (const { accountId, id } of removed) await this.blobs.delete(headerSampleKey(accountId, id));
      return removed.length;
    });
  }

  private async removeOrphans(before: Date): Promise<number> {
    let orphans = 0;
    let page: { accountId: string; id: string }[] = [];
    const removePage = async (): Promise<void> => {
      const known = await findKnown(this.dataSource, page);
      for (const { accountId, id } of page.filter((file) => !known.has(file.id))) {
        await this.blobs.delete(headerSampleKey(accountId, id));
        orphans += 1;
      }
      page = [];
    };
    for await (const { key, storedAt } of this.blobs.list(HEADER_SAMPLES)) {
      const [, accountId = '', id = ''] = key.split('/');
      if (storedAt < before) page.push({ accountId, id });
      if (page.length === AT_A_TIME) await removePage();
    }
    await removePage();
    return orphans;
  }
}
