import { currentWork, gauge, integerField, type Workload, WORKLOADS } from '@switchboard/platform';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

/**
 * Maximum wait for a connection, in milliseconds. After that, callers get a 503 instead of joining an unbounded queue.
 */
export const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Longer limit for tasks and events, because no caller waits for them and the prefetch bounds their number. With the
 * short limit, a burst that keeps all connections busy would look like an outage and pause all tasks of the process.
 */
const EVENT_CONNECT_TIMEOUT_MS = 10_000;
const POOL_SIZE_HELP = 'Most connections of a pool at a time';
/**
 * Time for which an idle connection is kept. A new connection costs more than a hundred queries: a server process, a
 * login, and empty caches for tables and plans. With the driver's default of 10 s, each burst would pay that cost.
 */
const IDLE_TIMEOUT_MS = 600_000;
/** Time without traffic after which the operating system probes the peer. */
export const KEEP_ALIVE_DELAY_MS = 10_000;
/**
 * Time after which the server ends an idle transaction and releases its locks, because its process hangs or has exited.
 */
const IDLE_TRANSACTION_MS = 60_000;
/**
 * Time after a statement timeout at which the server counts as silent, because it should have cancelled the statement
 * by then.
 */
export const SILENCE_MARGIN_MS = 1_000;

/**
 * Limit for one statement of each workload, in milliseconds. It is shorter than the time for which the caller waits.
 */
export const STATEMENT_MS: Record<Workload, number> = {
  requests: 3_000,
  reads: 2_500,
  events: 10_000,
  background: 10_000,
};
const LOCK_TIMEOUT_MS = 2_000;

/** Fallback pools for workloads without a separate pool. */
const INSTEAD: Record<Workload, Workload> = {
  requests: 'requests',
  reads: 'requests',
  events: 'background',
  background: 'requests',
};

/** Maximum number of connections of one process by workload. Requests always have a separate pool. */
export type PoolSizes = { requests: number } & Partial<Record<Workload, number>>;

const CONNECTION_FIELDS = {
  requests: ['DATABASE_REQUEST_CONNECTIONS', 'write requests'],
  reads: ['DATABASE_READ_CONNECTIONS', 'reads'],
  events: ['DATABASE_EVENT_CONNECTIONS', 'tasks, events and callbacks'],
  background: ['DATABASE_BACKGROUND_CONNECTIONS', 'background loops'],
} as const satisfies Record<Workload, readonly [string, string]>;

type FieldOf<Kind extends Workload> = (typeof CONNECTION_FIELDS)[Kind][0];
type PoolFields<Sizes extends PoolSizes> = Record<FieldOf<keyof Sizes & Workload>, ReturnType<typeof integerField>>;

/** Declares the settings for the pools of a service, with their default sizes. */
export function poolFields<const Sizes extends PoolSizes>(sizes: Sizes): PoolFields<Sizes> {
  const kinds = WORKLOADS.filter((kind) => sizes[kind] !== undefined);
  const fields = kinds.map((kind) => {
    const [name, work] = CONNECTION_FIELDS[kind];
    const description = `Maximum number of database connections of one process for ${work}. All pools of all processes together must stay below the server's max_connections`;
    return [name, integerField({ min: 1, max: 100, fallback: sizes[kind] ?? 1 }, description)];
  });
  return Object.fromEntries(fields) as PoolFields<Sizes>;
}

/** Returns the pool sizes from the settings. */
export function poolSizes(
  config: { DATABASE_REQUEST_CONNECTIONS: number } & Partial<Record<FieldOf<Workload>, number>>,
): PoolSizes {
  const { requests, reads, events, background } = CONNECTION_FIELDS;
  return {
    requests: config[requests[0]],
    reads: config[reads[0]],
    events: config[events[0]],
    background: config[background[0]],
  };
}

export interface ConnectionOptions {
  schema: string;
  workload?: Workload;
  /** Limit for one statement, in milliseconds; Infinity for no limit. Defaults to the limit of the workload. */
  statementMs?: number;
}

/** Returns the driver options of a connection, which sees only the service's own schema. */
export function connectionOptions({
  schema,
  workload = 'requests',
  statementMs = STATEMENT_MS[workload],
}: ConnectionOptions): pg.PoolConfig {
  const isLimited = Number.isFinite(statementMs);
  return {
    options: `-c search_path=${schema}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    pipeline: true,
    ...(isLimited && {
      statement_timeout: statementMs,
      query_timeout: statementMs + SILENCE_MARGIN_MS,
      idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
      ...(workload === 'requests' && { lock_timeout: LOCK_TIMEOUT_MS }),
    }),
  };
}

/** TypeORM DataSource whose own pool serves requests, with separate pools for other workloads. */
export class PooledDataSource extends DataSource {
  private readonly pools = new Map<Workload, pg.Pool>();

  constructor(
    options: DataSourceOptions,
    private readonly connection: { schema: string; url: string; sizes: PoolSizes },
  ) {
    super(options);
  }

  poolFor(workload: Workload): pg.Pool {
    if (workload === 'requests') return ownPool(this);
    if (!this.connection.sizes[workload]) return this.poolFor(INSTEAD[workload]);
    const pool = this.pools.get(workload) ?? this.open(workload);
    this.pools.set(workload, pool);
    return pool;
  }

  showPools(): this {
    // Create the metric up front: one created during a scrape appears only in the next.
    gauge('pg_pool_size', POOL_SIZE_HELP, ['workload']);
    gauge(
      'pg_pool',
      'Connections of a pool by the work that uses it: busy, idle, and callers that wait for one',
      ['workload', 'state'],
      () => this.setFigures(),
    );
    return this;
  }

  override async initialize(): Promise<this> {
    await super.initialize();
    surviveErrors(ownPool(this));
    return this;
  }

  override async destroy(): Promise<void> {
    await Promise.all([...this.pools.values()].map((pool) => pool.end()));
    await super.destroy();
  }

  private setFigures(): void {
    const figures = gauge('pg_pool', '', ['workload', 'state']);
    const sizes = gauge('pg_pool_size', POOL_SIZE_HELP, ['workload']);
    const own: [Workload, pg.Pool][] = this.isInitialized ? [['requests', ownPool(this)]] : [];
    for (const [workload, { totalCount, idleCount, waitingCount }] of [...own, ...this.pools]) {
      figures.set({ workload, state: 'busy' }, totalCount - idleCount);
      figures.set({ workload, state: 'idle' }, idleCount);
      figures.set({ workload, state: 'waiting' }, waitingCount);
      sizes.set({ workload }, this.connection.sizes[workload] ?? 0);
    }
  }

  private open(workload: Workload): pg.Pool {
    const { schema, url, sizes } = this.connection;
    const pool = new pg.Pool({
      ...connectionOptions({ schema, workload }),
      connectionString: url,
      connectionTimeoutMillis: workload === 'events' ? EVENT_CONNECT_TIMEOUT_MS : CONNECT_TIMEOUT_MS,
      application_name: `switchboard-${schema}-${workload}`,
      max: sizes[workload],
    });
    // The pool removes a broken idle connection, and the next caller gets another one.
    pool.on('error', () => undefined);
    return surviveErrors(pool);
  }
}

/**
 * Adds an error listener to each new connection. A stopping server may send its error in the packet that ends the
 * login, which the driver processes before the caller can listen. An unhandled error would end the process.
 */
function surviveErrors(pool: pg.Pool): pg.Pool {
  return pool.on('connect', (client) => client.on('error', () => undefined));
}

export function poolOf(dataSource: DataSource): pg.Pool {
  return dataSource instanceof PooledDataSource ? dataSource.poolFor(currentWork().workload) : ownPool(dataSource);
}

function ownPool({ driver }: DataSource): pg.Pool {
  return (driver as unknown as { master: pg.Pool }).master;
}
