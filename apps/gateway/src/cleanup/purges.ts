import { Inject, Injectable } from '@nestjs/common';
import { query } from '@switchboard/database';
import { CONFIG, Every, type Logger, LOGGER, UPKEEP_STATEMENT_MS } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { DELETE_OLD_CALLBACKS } from '../callbacks/callbacks.queries';
import { DELETE_OLD_ERASURES } from '../contacts/erasures';
import type { GatewayConfig } from '../config';
import { DELETE_OVER } from '../sessions/sessions.queries';
import { DELETE_OLD } from '../idempotency/idempotency.queries';

const ROUND = { everyMs: 600_000, statementMs: UPKEEP_STATEMENT_MS };

/**
 * What is kept for a while only. Each statement takes the most rows of a batch as its last parameter and returns what
 * it removed.
 */
interface Purge {
  sql: string;
  batchSize: number;
  /** The parameters before the last. */
  params(config: GatewayConfig): number[];
}

const PURGES = {
  /** They hold what customers wrote. Bodies may be 3 MB each, so few at a time. */
  callbacks: {
    sql: DELETE_OLD_CALLBACKS,
    batchSize: 500,
    params: ({ CALLBACK_RETENTION_HOURS }) => [CALLBACK_RETENTION_HOURS],
  },
  /** Erasures that nobody went on with; they hold names of people. */
  erasures: {
    sql: DELETE_OLD_ERASURES,
    batchSize: 1_000,
    params: ({ CALLBACK_RETENTION_HOURS }) => [CALLBACK_RETENTION_HOURS],
  },
  /** Keys that are older than a day, and the answers stored under them. */
  idempotency: { sql: DELETE_OLD, batchSize: 5_000, params: () => [] },
  /** Sessions and sign-in attempts that are over; they count no more already. */
  console: { sql: DELETE_OVER, batchSize: 1_000, params: ({ CONSOLE_IDLE_MINUTES }) => [CONSOLE_IDLE_MINUTES] },
} satisfies Record<string, Purge>;
type PurgeName = keyof typeof PURGES;

/**
 * Removes what the gateway has kept for long enough, each kind in a loop of its own: one that fails does not hold up
 * the others.
 */
@Injectable()
export class Purges {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: GatewayConfig,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @Every({ name: 'callbacks-purge', ...ROUND })
  purgeCallbacks(): Promise<boolean> {
    return this.purgeBatch('callbacks');
  }

  @Every({ name: 'erasures-purge', ...ROUND })
  purgeErasures(): Promise<boolean> {
    return this.purgeBatch('erasures');
  }

  @Every({ name: 'idempotency-purge', ...ROUND })
  purgeIdempotencyKeys(): Promise<boolean> {
    return this.purgeBatch('idempotency');
  }

  @Every({ name: 'console-purge', ...ROUND })
  purgeSessions(): Promise<boolean> {
    return this.purgeBatch('console');
  }

  /** @returns whether there may be more to remove */
  async purgeBatch(name: PurgeName): Promise<boolean> {
    const { sql, batchSize, params }: Purge = PURGES[name];
    const removed = await query(this.dataSource, sql, [...params(this.config), batchSize]);
    if (removed.length > 0) this.logger.info({ removed: removed.length }, `${name}.purged`);
    return removed.length >= batchSize;
  }
}
