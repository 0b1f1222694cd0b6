import { Controller, Injectable } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CommandHandler } from '@switchboard/broker';
import {
  GetSyncCommand,
  getSyncV1,
  RequestSyncCommand,
  requestSyncV1,
  type SyncReply,
  type TemplateSyncRecord,
  type TemplateSyncState,
} from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { query } from '@switchboard/database';
import { SyncService } from './sync.service';

interface SyncStatusRow {
  wabaId: string;
  state: TemplateSyncState;
  requestedAt: Date | null;
  lastReadAt: Date | null;
  pagesRead: number;
  templatesRead: number;
  problem: string | null;
  nextReadAt: Date;
}

/**
 * If the syncing process dies, the sync counts as running until its lease ends. A failure from before the request is
 * not reported as its result.
 */
const LIST_STATUS = `
  SELECT waba_id AS "wabaId",
    CASE
      WHEN reading_since IS NOT NULL AND next_sync_at > now() THEN 'reading'
      WHEN failed_at >= coalesce(sync_requested_at, failed_at) THEN 'failed'
      WHEN last_synced_at IS NULL OR sync_requested_at > last_synced_at THEN 'waiting'
      ELSE 'done'
    END AS state,
    sync_requested_at AS "requestedAt", last_synced_at AS "lastReadAt", pages_read AS "pagesRead", templates_read AS "templatesRead",
    problem, greatest(next_sync_at, rest_until) AS "nextReadAt"
  FROM upstream_accounts WHERE account_id = $1 AND left_at IS NULL ORDER BY waba_id`;

const REQUEST_SYNC =
  'UPDATE upstream_accounts SET sync_requested_at = now(), next_sync_at = now() WHERE account_id = $1';

/** Returns the sync status of each business of the account. */
function listSyncStatus(dataSource: DataSource, accountId: string): Promise<SyncStatusRow[]> {
  return query<SyncStatusRow>(dataSource, LIST_STATUS, [accountId]);
}

/** Schedules a sync that starts after this call. Does nothing if a requested sync is already waiting. */
export async function requestSync(dataSource: DataSource, accountId: string): Promise<void> {
  await query(dataSource, REQUEST_SYNC, [accountId]);
}

@Injectable()
export class SyncStatus {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sync: SyncService,
  ) {}

  /**
   * Schedules a sync of all templates of the account.
   * @returns the sync status of each business
   */
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

@Controller()
export class SyncStatusController {
  constructor(private readonly status: SyncStatus) {}

  @CommandHandler(requestSyncV1)
  async request(@Payload() { accountId }: RequestSyncCommand): Promise<SyncReply> {
    return { businesses: await this.status.request(accountId) };
  }

  @CommandHandler(getSyncV1)
  async get(@Payload() { accountId }: GetSyncCommand): Promise<SyncReply> {
    return { businesses: await this.status.list(accountId) };
  }
}
