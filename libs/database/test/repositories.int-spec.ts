import { messageReceivedV1 } from '@switchboard/contracts';
import { inWorkload } from '@switchboard/platform';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { Column, Entity, type MigrationInterface, PrimaryColumn, type QueryRunner, type Repository } from 'typeorm';
import {
  createMessageTables,
  dataSourceOptions,
  messageEntities,
  ServiceDataSource,
  trackSideEffects,
  type Transaction,
  Transactions,
} from '../src';
import { OutboxMessage } from '../src/outbox-message.entity';

@Entity('things')
class Thing {
  @PrimaryColumn({ type: 'int' }) id: number;
  @Column({ type: 'text', nullable: true }) name: string | null;
}

class CreateThings1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of createMessageTables) await runner.query(sql);
    await runner.query('CREATE TABLE things (id int PRIMARY KEY, name text)');
  }
  async down(): Promise<void> {}
}

describe('repositories of a service', () => {
  let database: TestDatabase;
  let db: ServiceDataSource;
  let transactions: Transactions;
  let things: Repository<Thing>;

  beforeAll(async () => {
    database = await createTestDatabase('demo', [CreateThings1700000000000]);
    const { url } = database;
    const sizes = { requests: 2, reads: 1 };
    const entities = [...messageEntities, Thing];
    db = new ServiceDataSource(dataSourceOptions({ schema: 'demo', url, entities }), { schema: 'demo', url, sizes });
    await db.initialize();
    transactions = new Transactions(db);
    things = db.getRepository(Thing);
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });
  beforeEach(() => database.dataSource.query('TRUNCATE things, outbox'));

  it('send statements to the pool of the current workload', async () => {
    const poolName = () =>
      things.query<{ name: string }[]>("SELECT current_setting('application_name') AS name").then(([row]) => row?.name);
    expect(await poolName()).toBe('switchboard-demo');
    expect(await inWorkload('reads', poolName)).toBe('switchboard-demo-reads');
  });

  it('insert, update, find and delete rows', async () => {
    await things.insert({ id: 1, name: 'one' });
    expect(await things.update({ id: 1 }, { name: 'two' })).toMatchObject({ affected: 1 });
    expect(await things.findOneBy({ id: 1 })).toEqual({ id: 1, name: 'two' });
    expect(await things.delete({ id: 1 })).toMatchObject({ affected: 1 });
    expect(await things.count()).toBe(0);
  });

  it('record a change that is committed outside a transaction', async () => {
    const changes = trackSideEffects();
    await changes.during(() => things.findOneBy({ id: 1 }));
    expect(changes.any()).toBe(false);
    await changes.during(() => things.insert({ id: 1 }));
    expect(changes.any()).toBe(true);
  });

  it('reject a save outside Transactions.run', async () => {
    await expect(things.save({ id: 1 })).rejects.toThrow('Transactions.run');
    expect(await things.count()).toBe(0);
  });

  describe('of a transaction', () => {
    const write = async (tx: Transaction) => {
      const own = tx.manager.getRepository(Thing);
      await own.insert({ id: 1 });
      await own.save({ id: 1, name: 'saved' });
      tx.publish(messageReceivedV1, messageReceivedV1.sample);
      expect(await own.findOne({ where: { id: 1 }, lock: { mode: 'pessimistic_write' } })).toMatchObject({
        name: 'saved',
      });
      expect(await things.count()).toBe(0);
    };
    const stored = async () => [await things.count(), await db.getRepository(OutboxMessage).count()];

    it('commit changes together with outbox messages', async () => {
      await transactions.run(write);
      expect(await stored()).toEqual([1, 1]);
    });

    it('roll changes back together with outbox messages', async () => {
      const failing = transactions.run(async (tx) => {
        await write(tx);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await stored()).toEqual([0, 0]);
    });
  });
});
