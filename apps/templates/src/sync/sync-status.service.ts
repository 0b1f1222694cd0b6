import { Injectable } from '@nestjs/common';
import type { TemplateSyncRecord } from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { SyncService } from './sync.service';
import { listSyncStatus, requestSync } from './sync-status.queries';

/** Readings as the account sees them: asked for, and watched. */
@Injectable()
export class SyncStatus {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sync: SyncService,
  ) {}

  /** Has all templates of the account read again. @returns how far that is */
  async request(accountId: string): Promise<TemplateSyncRecord[]> {
    await requestSync(this.dataSource, accountId);
    this.sync.wakeup.wake();
    return this.list(accountId);
  }

  async list(accountId: string): Promise<TemplateSyncRecord[]> {
    const rows = await listSyncStatus(this.dataSource, accountId);
    return rows.map(({ requestedAt, lastReadAt, nextReadAt, ...row }) => ({
      ...row,
      requestedAt: requestedAt?.toISOString() ?? null,
      lastReadAt: lastReadAt?.toISOString() ?? null,
      nextReadAt: nextReadAt.toISOString(),
    }));
  }
}
