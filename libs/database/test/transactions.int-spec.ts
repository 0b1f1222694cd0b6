import { deliverEventV1, messageReceivedV1 } from '@switchboard/contracts';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createMessageTables, query, type Transaction, Transactions } from '../src';

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

  const outbox = () => query<{ kind: string; name: string; body: string; delay_seconds: number | null }>(database.dataSource, 'SELECT * FROM outbox ORDER BY id');

  it('runs a prepared statement inside itself, however often', async () => {
    const insert = (tx: Transaction, id: number) => tx.queryPrepared<{ id: number }>('insert-thing', 'INSERT INTO things VALUES ($1) RETURNING id', [id]);
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

  it('commits rows and messages together, the messages in their order', async () => {
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

  it('leaves neither rows nor messages behind when the work throws', async () => {
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

  it('does not wake the relay when there is nothing to send', async () => {
    await transactions.run((tx) => tx.query('INSERT INTO things VALUES (3)'));
    expect(committed).toBe(0);
  });

  it('gives the rows of UPDATE and DELETE with RETURNING', async () => {
    await transactions.run(async (tx) => {
      expect(await tx.query('INSERT INTO things VALUES (4), (5) RETURNING id')).toEqual([{ id: 4 }, { id: 5 }]);
      expect(await tx.query('UPDATE things SET id = id + 10 RETURNING id')).toHaveLength(2);
      expect(await tx.query('DELETE FROM things WHERE id = 14 RETURNING id')).toEqual([{ id: 14 }]);
    });
  });
});
