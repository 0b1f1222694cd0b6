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

/** Purge of expired rows. The statement's last parameter is the batch size; it returns the deleted rows. */
interface Cleanup {
  sql: string;
  batchSize: number;
  /** Returns the parameters that precede the batch size. */
  params(config: GatewayConfig): number[];
}

const CLEANUPS = {
  /** Stored callbacks, which contain customer content. The batch is small because bodies can have 3 MB. */
  callbacks: {
    sql: DELETE_OLD_CALLBACKS,
    batchSize: 500,
    params: ({ CALLBACK_RETENTION_HOURS }) => [CALLBACK_RETENTION_HOURS],
  },
  /** Abandoned erasures, which contain identifiers of contacts. */
  erasures: {
    sql: DELETE_OLD_ERASURES,
    batchSize: 1_000,
    params: ({ CALLBACK_RETENTION_HOURS }) => [CALLBACK_RETENTION_HOURS],
  },
  /** Idempotency-Keys older than a day, with their stored responses. */
  idempotency: { sql: DELETE_OLD, batchSize: 5_000, params: () => [] },
  /** Expired sessions and sign-in attempts, which have no further effect. */
  console: { sql: DELETE_OVER, batchSize: 1_000, params: ({ CONSOLE_IDLE_MINUTES }) => [CONSOLE_IDLE_MINUTES] },
} satisfies Record<string, Cleanup>;
type CleanupName = keyof typeof CLEANUPS;

/** Deletes expired data. Each kind has its own loop, so that a failing purge does not block the others. */
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

  /** @returns true if more rows may remain */
  async deleteBatch(name: CleanupName): Promise<boolean> {
    const { sql, batchSize, params }: Cleanup = CLEANUPS[name];
    const removed = await query(this.dataSource, sql, [...params(this.config), batchSize]);
    if (removed.length > 0) this.logger.info({ removed: removed.length }, `${name}.purged`);
    return removed.length >= batchSize;
  }
}
