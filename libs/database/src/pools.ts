import { currentWork, gauge, integerField, type Workload, WORKLOADS } from '@switchboard/platform';
import pg from 'pg';
import { DataSource, type DataSourceOptions } from 'typeorm';

/** A statement waits at most this long for a connection, then fails: callers get 503 instead of a queue without end. */
export const CONNECT_TIMEOUT_MS = 2_000;
/**
 * Tasks and events wait longer, for nobody waits for them, and the broker hands out no more than the prefetch. A burst
 * that keeps all connections busy must not pass for a database that is away, which stops all tasks of the process.
 */
const EVENT_CONNECT_TIMEOUT_MS = 10_000;
const POOL_SIZE_HELP = 'Most connections of a pool at a time';
/**
 * A connection that nobody needs is kept for so long. A new one costs more than a hundred queries: a process of the
 * server, a login, and all that the server knows of tables and plans anew. With the driver's 10 s each burst paid for
 * that.
 */
const IDLE_TIMEOUT_MS = 600_000;
/** The operating system asks the other side after so long without a word whether it is still there. */
const KEEP_ALIVE_DELAY_MS = 10_000;
/** A transaction that nobody goes on with is ended by the server, with its locks: its process hangs or is gone. */
const IDLE_TRANSACTION_MS = 60_000;
/** The server ends a statement that takes too long; when it does not even do that for so much longer, it is silent. */
export const SILENCE_MARGIN_MS = 1_000;

/** How long one statement of each kind of work may take, in milliseconds: less than the caller waits. */
export const STATEMENT_MS: Record<Workload, number> = {
  requests: 3_000,
  reads: 2_500,
  events: 10_000,
  background: 10_000,
};
/** A request waits so long for a row that somebody else holds. */
const LOCK_TIMEOUT_MS = 2_000;

/** Which connections a kind of work uses in a service that has none for it alone. */
const INSTEAD: Record<Workload, Workload> = {
  requests: 'requests',
  reads: 'requests',
  events: 'background',
  background: 'requests',
};

/** Most connections at a time of one process, by the kind of work; the requests have their own in any case. */
export type PoolSizes = { requests: number } & Partial<Record<Workload, number>>;

const CONNECTION_FIELDS = {
  requests: ['DATABASE_REQUEST_CONNECTIONS', 'write requests'],
  reads: ['DATABASE_READ_CONNECTIONS', 'reads'],
  events: ['DATABASE_EVENT_CONNECTIONS', 'tasks, events and callbacks'],
  background: ['DATABASE_BACKGROUND_CONNECTIONS', 'background loops'],
} as const satisfies Record<Workload, readonly [string, string]>;

type FieldOf<Kind extends Workload> = (typeof CONNECTION_FIELDS)[Kind][0];
type PoolFields<Sizes extends PoolSizes> = Record<FieldOf<keyof Sizes & Workload>, ReturnType<typeof integerField>>;

/** Settings for the pools of a service, with the number of connections that each has unless it is set. */
export function poolFields<const Sizes extends PoolSizes>(sizes: Sizes): PoolFields<Sizes> {
  const kinds = WORKLOADS.filter((kind) => sizes[kind] !== undefined);
  const fields = kinds.map((kind) => {
    const [name, work] = CONNECTION_FIELDS[kind];
    const description = `Maximum number of database connections of one process for ${work}. All pools of all processes together must stay below the server's max_connections`;
    return [name, integerField({ min: 1, max: 100, fallback: sizes[kind] ?? 1 }, description)];
  });
  return Object.fromEntries(fields) as PoolFields<Sizes>;
}

/** The sizes as they were set. */
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
  /** The service's own schema. */
  schema: string;
  /** Whose statements it carries. */
  workload?: Workload;
  /**
   * How long one statement may take, in milliseconds; Infinity for as long as it likes. That of the kind of work when
   * absent.
   */
  statementMs?: number;
}

/** What the driver is told of each connection. A service sees its own schema alone. */
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

/** TypeORM's DataSource, whose own pool serves the requests, and pools beside it for the other kinds of work. */
export class PooledDataSource extends DataSource {
  private readonly pools = new Map<Workload, pg.Pool>();

  constructor(
    options: DataSourceOptions,
    private readonly connection: { schema: string; url: string; sizes: PoolSizes },
  ) {
    super(options);
  }

  /** The connections for a kind of work. */
  poolFor(workload: Workload): pg.Pool {
    if (workload === 'requests') return ownPool(this);
    if (!this.connection.sizes[workload]) return this.poolFor(INSTEAD[workload]);
    const pool = this.pools.get(workload) ?? this.open(workload);
    this.pools.set(workload, pool);
    return pool;
  }

  /** Shows the pools at `/metrics`. */
  showPools(): this {
    // Known from the first look on: what is made during one is shown by the next.
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
    // An idle connection that breaks leaves the pool; who needs one gets another.
    pool.on('error', () => undefined);
    return surviveErrors(pool);
  }
}

/**
 * A server that stops may say so in the packet that ends the login of a new connection: the driver reads both in one
 * go, before whoever asked for the connection can listen. An error that nobody hears ends the process.
 */
function surviveErrors(pool: pg.Pool): pg.Pool {
  return pool.on('connect', (client) => client.on('error', () => undefined));
}

/** The pool for the work that is under way. */
export function poolOf(dataSource: DataSource): pg.Pool {
  return dataSource instanceof PooledDataSource ? dataSource.poolFor(currentWork().workload) : ownPool(dataSource);
}

/** TypeORM's own pool. */
function ownPool({ driver }: DataSource): pg.Pool {
  return (driver as unknown as { master: pg.Pool }).master;
}
