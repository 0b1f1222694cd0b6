import { Inject, Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER, CLEANUP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { DELETE_OLD_CALLBACKS } from '../callbacks/callbacks.queries';
import { DELETE_OLD_ERASURES } from '../contacts/erasures';
import type { GatewayConfig } from '../config';
import { DELETE_OVER } from '../sessions/sessions.queries';
import { DELETE_OLD } from '../idempotency/idempotency.queries';

const ROUND = { everyMs: 600_000, statementMs: CLEANUP_STATEMENT_MS };

/** A purge of expired rows. The last parameter of its statement is the batch size; it returns the deleted rows. */
interface Cleanup {
  sql: string;
  batchSize: number;
  /** Parameters before the last. */
  params(config: GatewayConfig): number[];
}

const CLEANUPS = {
  /** Contains customer content. Bodies can be 3 MB each, hence the small batch. */
  callbacks: {
    sql: DELETE_OLD_CALLBACKS,
    batchSize: 500,
    params: ({ CALLBACK_RETENTION_HOURS }) => [CALLBACK_RETENTION_HOURS],
  },
  /** Abandoned erasures, which hold names of contacts. */
  erasures: {
    sql: DELETE_OLD_ERASURES,
    batchSize: 1_000,
    params: ({ CALLBACK_RETENTION_HOURS }) => [CALLBACK_RETENTION_HOURS],
  },
  /** Idempotency-Keys older than a day, with their stored responses. */
  idempotency: { sql: DELETE_OLD, batchSize: 5_000, params: () => [] },
  /** Expired sessions and sign-in attempts, which no longer have any effect. */
  console: { sql: DELETE_OVER, batchSize: 1_000, params: ({ CONSOLE_IDLE_MINUTES }) => [CONSOLE_IDLE_MINUTES] },
} satisfies Record<string, Cleanup>;
type CleanupName = keyof typeof CLEANUPS;

/** Deletes expired data. Each kind has its own loop, so that a failing one does not block the others. */
@Injectable()
export class CleanupService {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every({ name: 'callbacks-purge', ...ROUND })
  deleteCallbacks(): Promise<boolean> {
    return this.deleteBatch('callbacks');
  }

  @Every({ name: 'erasures-purge', ...ROUND })
  deleteErasures(): Promise<boolean> {
    return this.deleteBatch('erasures');
  }

  @Every({ name: 'idempotency-purge', ...ROUND })
  deleteIdempotencyKeys(): Promise<boolean> {
    return this.deleteBatch('idempotency');
  }

  @Every({ name: 'console-purge', ...ROUND })
  deleteSessions(): Promise<boolean> {
    return this.deleteBatch('console');
  }

  /** @returns whether there may be more to delete */
  async deleteBatch(name: CleanupName): Promise<boolean> {
    const { sql, batchSize, params }: Cleanup = CLEANUPS[name];
    const removed = await query(this.dataSource, sql, [...params(this.config), batchSize]);
    if (removed.length > 0) this.logger.info({ removed: removed.length }, `${name}.purged`);
    return removed.length >= batchSize;
  }
}
