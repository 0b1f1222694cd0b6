import { deliverEventV1, messageReceivedV1 } from '@switchboard/contracts';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  createMessageTables,
  isDatabaseAway,
  isOutcomeUnknown,
  preparedQuery,
  query,
  trackSideEffects,
  type Transaction,
  Transactions,
} from '../src';

class CreateThings1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of createMessageTables) await runner.query(sql);
    await runner.query('CREATE TABLE things (id int PRIMARY KEY)');
  }
  async down(): Promise<void> {}
}

describe('a transaction', () => {
  let database: TestDatabase;
  let transactions: Transactions;
  let committed: number;

  beforeAll(async () => {
    database = await createTestDatabase('demo', [CreateThings1700000000000]);
  });
  afterAll(() => database.drop());
  beforeEach(async () => {
    await database.dataSource.query('TRUNCATE things, outbox');
    transactions = new Transactions(database.dataSource);
    committed = 0;
    transactions.onCommitted(() => (committed += 1));
  });

  const outbox = () =>
    query<{ kind: string; name: string; body: string; delay_seconds: number | null }>(
      database.dataSource,
      'SELECT * FROM outbox ORDER BY id',
    );

  it('runs a prepared statement any number of times', async () => {
    const insert = (tx: Transaction, id: number) =>
      tx.queryPrepared<{ id: number }>('INSERT INTO things VALUES ($1) RETURNING id', [id]);
    await transactions.run(async (tx) => {
      for (let id = 1; id <= 7; id += 1) expect(await insert(tx, id)).toEqual([{ id }]);
    });
    const failing = transactions.run(async (tx) => {
      await insert(tx, 8);
      await insert(tx, 1);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect(await query(database.dataSource, 'SELECT id FROM things')).toHaveLength(7);
  });

  it('runs queued statements in order before the next one or the commit', async () => {
    await transactions.run(async (tx) => {
      tx.queue('INSERT INTO things VALUES ($1)', [1]);
      expect(await tx.query('SELECT id FROM things')).toEqual([{ id: 1 }]);
      tx.queue('UPDATE things SET id = id * $1::int', [5]);
      tx.queue('UPDATE things SET id = id + $1::int', [1]);
    });
    expect(await query(database.dataSource, 'SELECT id FROM things')).toEqual([{ id: 6 }]);
  });

  it.each([
    ['the next statement', (tx: Transaction) => tx.query('INSERT INTO things VALUES (2)')],
    ['the commit', (tx: Transaction) => tx.publish(messageReceivedV1, messageReceivedV1.sample)],
  ])('fails as a whole when a statement queued before %s fails', async (_before, then) => {
    const failing = transactions.run(async (tx) => {
      await tx.query('INSERT INTO things VALUES (1)');
      tx.queue('INSERT INTO things VALUES ($1)', [1]);
      await then(tx);
    });
    await expect(failing).rejects.toMatchObject({ code: '23505' });
    expect([await query(database.dataSource, 'SELECT id FROM things'), await outbox(), committed]).toEqual([[], [], 0]);
  });

  it('never commits after one of its statements failed', async () => {
    const failing = transactions.run(async (tx) => {
      await tx.query('INSERT INTO things VALUES (1)');
      await tx.query('INSERT INTO things VALUES (1)').catch(() => undefined);
      tx.enqueue(deliverEventV1, deliverEventV1.sample);
    });
    await expect(failing).rejects.toThrow();
    const silent = transactions.run((tx) => tx.query('INSERT INTO nothings VALUES (1)').catch(() => undefined));
    await expect(silent).rejects.toThrow('rolled back');
    expect([await query(database.dataSource, 'SELECT id FROM things'), await outbox()]).toEqual([[], []]);
  });

  it('fails when its connection breaks, without affecting the next one', async () => {
    const ended = transactions.run((tx) => tx.query('SELECT pg_terminate_backend(pg_backend_pid())'));
    await expect(ended).rejects.toMatchObject({ code: '57P01' });
    const between = transactions.run(async (tx) => {
      const [own] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await query(database.dataSource, 'SELECT pg_terminate_backend($1)', [own?.pid]);
      await tx.query('INSERT INTO things VALUES (1)');
    });
    expect(isDatabaseAway(await between.catch((error: unknown) => error))).toBe(true);
    await transactions.run((tx) => tx.query('INSERT INTO things VALUES (2)'));
    expect(await query(database.dataSource, 'SELECT id FROM things')).toEqual([{ id: 2 }]);
  });

  const failureOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );
  const END_SESSION = 'pg_terminate_backend(pg_backend_pid())';

  it('has an unknown outcome when the response to its commit is lost', async () => {
    // The session ends during the commit, as if the response were lost.
    await database.dataSource.query(`
      CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM ${END_SESSION}; RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER ends AFTER INSERT ON things DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (NEW.id = 13) EXECUTE FUNCTION end_session()`);
    const lost = await failureOf(transactions.run((tx) => tx.query('INSERT INTO things VALUES (13)')));
    expect([isOutcomeUnknown(lost), isDatabaseAway(lost)]).toEqual([true, true]);
    const early = await failureOf(transactions.run((tx) => tx.query(`SELECT ${END_SESSION}`)));
    expect([isOutcomeUnknown(early), isDatabaseAway(early)]).toEqual([false, true]);
    const refused = await failureOf(transactions.run((tx) => tx.queue('INSERT INTO things VALUES ($1), ($1)', [1])));
    expect([isOutcomeUnknown(refused), isDatabaseAway(refused)]).toEqual([false, false]);
  });

  it.each([
    ['a change', `INSERT INTO things SELECT 1 WHERE ${END_SESSION}`, true],
    [
      'a change in a WITH clause',
      `WITH gone AS (DELETE FROM things RETURNING id) SELECT id, ${END_SESSION} FROM gone UNION ALL SELECT 0, ${END_SESSION}`,
      true,
    ],
    ['a read', `SELECT 1 WHERE ${END_SESSION}`, false],
    ['a locking read', `SELECT id FROM things WHERE ${END_SESSION} FOR NO KEY UPDATE`, false],
  ])('reports the outcome of a lost response to a single statement: %s', async (_what, sql, isUnknown) => {
    await database.dataSource.query('INSERT INTO things VALUES (2)');
    for (const ask of [query, preparedQuery]) {
      const lost = await failureOf(ask(database.dataSource as never, sql));
      expect([isOutcomeUnknown(lost), isDatabaseAway(lost)]).toEqual([isUnknown, true]);
    }
  });

  it('counts as a change once it has committed', async () => {
    const outcomes = await Promise.all(
      [
        () => transactions.run((tx) => tx.query('INSERT INTO things VALUES (3)')),
        () => query(database.dataSource, 'INSERT INTO things VALUES (4)'),
        () => query(database.dataSource, 'SELECT 1'),
      ].map(async (work) => {
        const changes = trackSideEffects();
        await changes.during(work);
        return changes.any();
      }),
    );
    expect(outcomes).toEqual([true, true, false]);
    const rolledBack = trackSideEffects();
    await failureOf(rolledBack.during(() => transactions.run((tx) => tx.query('INSERT INTO things VALUES (3)'))));
    expect(rolledBack.any()).toBe(false);
  });

  it('rejects statements after its end', async () => {
    const late = await transactions.run((tx) => ({ tx }));
    await expect(late.tx.query('SELECT 1')).rejects.toThrow('over');
  });

  it('commits rows together with messages, in order', async () => {
    await transactions.run(async (tx) => {
      tx.publish(messageReceivedV1, messageReceivedV1.sample);
      tx.enqueue(deliverEventV1, deliverEventV1.sample, { delaySeconds: 5 });
      await tx.query('INSERT INTO things VALUES (1)');
    });
    expect(await outbox()).toMatchObject([
      { kind: 'event', name: messageReceivedV1.name, delay_seconds: null },
      { kind: 'task', name: deliverEventV1.name, delay_seconds: 5 },
    ]);
    expect(JSON.parse((await outbox())[0]?.body ?? '')).toEqual(messageReceivedV1.sample);
    expect(committed).toBe(1);
  });

  it('leaves neither rows nor messages when the work throws', async () => {
    const failing = transactions.run(async (tx) => {
      tx.publish(messageReceivedV1, messageReceivedV1.sample);
      await tx.query('INSERT INTO things VALUES (2)');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await outbox()).toEqual([]);
    expect(await query(database.dataSource, 'SELECT * FROM things')).toEqual([]);
    expect(committed).toBe(0);
  });

  it('does not wake the relay when it has no messages', async () => {
    await transactions.run((tx) => tx.query('INSERT INTO things VALUES (3)'));
    expect(committed).toBe(0);
  });

  it('returns the rows of UPDATE and DELETE with RETURNING', async () => {
    await transactions.run(async (tx) => {
      expect(await tx.query('INSERT INTO things VALUES (4), (5) RETURNING id')).toEqual([{ id: 4 }, { id: 5 }]);
      expect(await tx.query('UPDATE things SET id = id + 10 RETURNING id')).toHaveLength(2);
      expect(await tx.query('DELETE FROM things WHERE id = 14 RETURNING id')).toEqual([{ id: 14 }]);
    });
  });
});
