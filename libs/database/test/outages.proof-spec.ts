import { currentWork, inWorkload, withLongStatements } from '@switchboard/platform';
import {
  createTestDatabase,
  eventually,
  startTcpProxy,
  type TcpProxy,
  type TestDatabase,
  testDatabaseUrl,
} from '@switchboard/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  createMessageTables,
  dataSourceOptions,
  failsWholeBatch,
  isDatabaseAway,
  isDatabaseBusy,
  isDatabaseUnavailable,
  isDatabaseUnreached,
  PooledDataSource,
  preparedQuery,
  query,
  Transactions,
} from '../src';

const CONNECTIONS = 3;

class CreateThings1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of createMessageTables) await runner.query(sql);
    await runner.query('CREATE TABLE things (id int PRIMARY KEY, name text)');
    await runner.query('INSERT INTO things VALUES (1), (2)');
    await runner.query(
      `CREATE FUNCTION fail_with(code text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = code; END $$`,
    );
  }
  async down(): Promise<void> {}
}

describe('the database client', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let db: PooledDataSource;
  let transactions: Transactions;

  beforeAll(async () => {
    database = await createTestDatabase('demo', [CreateThings1700000000000]);
    const { hostname: host, port } = new URL(database.url);
    proxy = await startTcpProxy({ host, port: Number(port) });
  });
  beforeEach(async () => {
    const url = proxy.through(database.url);
    const sizes = { requests: CONNECTIONS, reads: 1, background: 1 };
    db = new PooledDataSource(dataSourceOptions({ schema: 'demo', url, poolSize: sizes.requests }), {
      schema: 'demo',
      url,
      sizes,
    });
    await db.initialize();
    transactions = new Transactions(db);
  });
  afterEach(() => db.destroy());
  afterAll(async () => {
    await database.drop();
    await proxy.close();
  });

  const write = (): Promise<unknown> => query(db, "UPDATE things SET name = 'new' WHERE id = 1");
  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => 'nothing',
      (error: unknown) => error,
    );
  const ownPid = async (): Promise<number | undefined> =>
    (await query<{ pid: number }>(db, 'SELECT pg_backend_pid() AS pid'))[0]?.pid;
  /** Opens and uses every connection of the pool for requests. */
  const warmUp = () => Promise.all(Array.from({ length: CONNECTIONS }, () => query(db, 'SELECT pg_sleep(0.05)')));
  const judge = (error: unknown) => ({
    away: isDatabaseAway(error),
    busy: isDatabaseBusy(error),
    didNothing: isDatabaseUnreached(error),
  });
  const admin = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: testDatabaseUrl() });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const name = (): string => new URL(database.url).pathname.slice(1);

  describe('with a demoted server', () => {
    const demote = async (): Promise<void> => {
      await admin(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`);
      await admin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`);
      await eventually(() => query(db, 'SELECT 1'));
    };
    const promote = () => admin(`ALTER DATABASE ${name()} RESET default_transaction_read_only`);
    afterEach(promote);

    it.each([
      ['a statement', () => write()],
      ['a prepared statement', () => preparedQuery(db, "INSERT INTO things VALUES ($1, 'x')", [7])],
      ['a transaction', () => transactions.run((tx) => tx.query('DELETE FROM things'))],
    ])('reports %s as an outage in which nothing was done', async (_what, change) => {
      await demote();
      const error = await failureOf(change());
      expect(error).toMatchObject({ code: '25006' });
      expect(judge(error)).toEqual({ away: true, busy: false, didNothing: true });
    });

    it('replaces read-only sessions immediately', async () => {
      await demote();
      await warmUp();
      await failureOf(write());
      await promote();
      // A session from before the promotion would stay read-only.
      await Promise.all(Array.from({ length: CONNECTIONS * 2 }, write));
      expect(await query(db, 'SELECT name FROM things WHERE id = 1')).toEqual([{ name: 'new' }]);
    });
  });

  describe('with an error code', () => {
    const codes = (...given: string[]): [string][] => given.map((code) => [code]);

    it.each(
      codes(
        '08000',
        '08006',
        '25006',
        '53000',
        '53100',
        '53200',
        '53300',
        '53400',
        '55000',
        '57P01',
        '57P02',
        '57P03',
        '57P04',
        '57P05',
        '58000',
        '58030',
      ),
    )('%s is reported as an outage', async (code) => {
      const error = await failureOf(transactions.run((tx) => tx.query('SELECT fail_with($1)', [code])));
      expect(error).toMatchObject({ code });
      expect(isDatabaseAway(error)).toBe(true);
      expect(failsWholeBatch(error)).toBe(true);
    });

    it.each([
      ['23505', 'INSERT INTO things VALUES (1)'],
      ['42P01', 'SELECT * FROM nothings'],
      ['22012', 'SELECT 1 / 0'],
      ['22P02', "SELECT 'x'::int"],
    ])('%s is reported as a statement error', async (code, sql) => {
      const error = await failureOf(query(db, sql));
      expect(error).toMatchObject({ code });
      expect([isDatabaseUnavailable(error), failsWholeBatch(error), isDatabaseUnreached(error)]).toEqual([
        false,
        false,
        false,
      ]);
    });

    it('replaces the connection when the disk is full', async () => {
      const before = await ownPid();
      await failureOf(transactions.run((tx) => tx.query("SELECT fail_with('53100')")));
      expect(await ownPid()).not.toBe(before);
    });
  });

  it('reports that nothing was sent when the server rejects connections', async () => {
    await admin(`ALTER DATABASE ${name()} WITH ALLOW_CONNECTIONS false`);
    proxy.drop();
    const isRefused = async (): Promise<void> => {
      const error = await failureOf(write());
      expect(error).toMatchObject({ name: 'DatabaseUnreachedError', cause: { code: '55000' } });
      expect(judge(error)).toEqual({ away: true, busy: false, didNothing: true });
    };
    try {
      await eventually(isRefused);
    } finally {
      await admin(`ALTER DATABASE ${name()} WITH ALLOW_CONNECTIONS true`);
    }
    await write();
  });

  it('reports that nothing was sent when the port is closed', async () => {
    await proxy.refuse();
    await eventually(async () =>
      expect(judge(await failureOf(write()))).toEqual({ away: true, busy: false, didNothing: true }),
    );
    await proxy.listen();
    await eventually(write);
  });

  it('replaces silent sessions within seconds', async () => {
    await warmUp();
    proxy.freezeOpen();
    const startedAt = performance.now();
    // These statements use all connections but one.
    const failures = await Promise.all(
      Array.from({ length: CONNECTIONS - 1 }, () =>
        failureOf(transactions.run(async (tx) => void (await tx.query('DELETE FROM things')))),
      ),
    );
    const silentMs = performance.now() - startedAt;
    for (const error of failures) expect(judge(error)).toEqual({ away: true, busy: false, didNothing: false });
    // The pool replaces the idle connection too.
    const againAt = performance.now();
    await write();
    expect(performance.now() - againAt).toBeLessThan(1_000);
    expect(silentMs).toBeLessThan(6_000);
  });

  it('keeps connections that responded after the others went silent', async () => {
    await warmUp();
    await inWorkload('reads', () => query(db, 'SELECT 1'));
    proxy.freezeOpen();
    const last = Promise.all(Array.from({ length: CONNECTIONS - 1 }, () => failureOf(write())));
    // Reads have a shorter limit, so this statement fails first.
    await inWorkload('reads', () => failureOf(query(db, 'SELECT 1')));
    const [one, other] = [await ownPid(), await ownPid()];
    expect(other).toBe(one);
    await last;
    expect(await ownPid()).toBe(one);
  });

  it('sets the statement timeout of each workload', async () => {
    const limits = { requests: '3s', reads: '2500ms', events: '10s', background: '10s' };
    for (const [workload, limit] of Object.entries(limits)) {
      const shown = await inWorkload(workload as keyof typeof limits, () => query(db, 'SHOW statement_timeout'));
      expect(shown).toEqual([{ statement_timeout: limit }]);
    }
  });

  it('reports a slow read as busy and keeps its connection', async () => {
    await inWorkload('reads', async () => {
      const before = await ownPid();
      const error = await failureOf(query(db, 'SELECT pg_sleep(30)'));
      expect(error).toMatchObject({ code: '57014' });
      expect(judge(error)).toEqual({ away: false, busy: true, didNothing: true });
      expect(await ownPid()).toBe(before);
    });
  });

  it('reports a locked row as busy, but not as a batch failure', async () => {
    const error = await transactions.run(async (tx) => {
      await tx.query('SELECT 1 FROM things WHERE id = 1 FOR UPDATE');
      return failureOf(write());
    });
    expect(error).toMatchObject({ code: '55P03' });
    expect([judge(error), failsWholeBatch(error)]).toEqual([{ away: false, busy: true, didNothing: true }, false]);
  });

  it('extends the statement timeout only for work that requests it', async () => {
    await inWorkload('reads', async () => {
      await withLongStatements(60_000, () => transactions.run((tx) => tx.query('SELECT pg_sleep(3.6)')));
      expect(await query(db, 'SHOW statement_timeout')).toEqual([{ statement_timeout: '2500ms' }]);
      await failureOf(withLongStatements(60_000, () => query(db, 'SELECT 1 / 0')));
      expect(await query(db, 'SHOW statement_timeout')).toEqual([{ statement_timeout: '2500ms' }]);
    });
  });

  it('serves other workloads while one uses all its connections', async () => {
    const slow = inWorkload('background', () => query(db, 'SELECT pg_sleep(1)'));
    const startedAt = performance.now();
    expect(currentWork().workload).toBe('requests');
    await Promise.all([write(), inWorkload('reads', () => query(db, 'SELECT 1'))]);
    expect(performance.now() - startedAt).toBeLessThan(900);
    await slow;
  });
});
