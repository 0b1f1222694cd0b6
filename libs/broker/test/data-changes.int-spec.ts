import { dataChangedV1, messageReceivedV1, queueOf } from '@switchboard/contracts';
import { createMessageTables, query, Transactions } from '@switchboard/database';
import {
  createTestDatabase,
  deleteNamespace,
  eventually,
  silentLogger,
  type TestDatabase,
  testBrokerOptions,
} from '@switchboard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { type Broker, createBroker, OutboxRelay, prepareBroker, UnroutableError } from '../src/index';
import { openRawChannel, type RawChannel } from './support/raw-channel';
import { startProcess } from './support/service-process';

class CreateTables1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of createMessageTables) await runner.query(sql);
  }
  async down(): Promise<void> {
    throw new Error('forward only');
  }
}

describe('a data change event with a listening gateway', () => {
  const options = testBrokerOptions();
  const queue = `${options.namespace}.${queueOf(messageReceivedV1, 'webhooks')}`;
  const heard: string[] = [];
  let database: TestDatabase;
  let transactions: Transactions;
  let messaging: Broker;
  let gateway: { close(): Promise<void> };
  let raw: RawChannel;

  beforeAll(async () => {
    database = await createTestDatabase('messaging', [CreateTables1763700000000]);
    transactions = new Transactions(database.dataSource);
    await prepareBroker({ ...options, adminUrl: options.url, loginUrls: {} });
    messaging = createBroker({ service: 'messaging', logger: silentLogger, ...options });
    await messaging.connect();
    raw = await openRawChannel();
    gateway = await startProcess('gateway', options, ({ name }, body) => {
      if (name === dataChangedV1.name) heard.push(JSON.stringify(body));
    });
  });

  beforeEach(() => heard.splice(0));

  afterAll(async () => {
    await gateway.close();
    await messaging.close();
    await raw.close();
    await database.drop();
    await deleteNamespace(options.namespace);
  });

  const { accountId, id, from, content } = messageReceivedV1.sample;
  const change = JSON.stringify({ changes: [{ accountId, kind: 'message', ids: [id] }] });

  it('reaches its consumer in full and the gateway without content', async () => {
    const before = await raw.count(queue);
    await messaging.publish(messageReceivedV1, messageReceivedV1.sample);
    await eventually(() => expect(heard).toEqual([change]));
    for (const secret of [from, Object.values(content ?? {})[0]]) expect(change).not.toContain(String(secret));
    await eventually(async () => expect(await raw.count(queue)).toBe(before + 1));
  });

  it('stays in the outbox while the queue of its consumer is missing', async () => {
    await raw.channel.deleteQueue(queue);
    await expect(messaging.publish(messageReceivedV1, messageReceivedV1.sample)).rejects.toBeInstanceOf(
      UnroutableError,
    );
    await eventually(() => expect(heard).toHaveLength(1));

    await transactions.run((tx) => tx.publish(messageReceivedV1, messageReceivedV1.sample));
    const relay = new OutboxRelay(messaging, transactions);
    await relay.relay();
    const left = () => query<{ attempts: number }>(database.dataSource, 'SELECT attempts FROM outbox');
    expect(await left()).toEqual([{ attempts: expect.any(Number) }]);
    expect((await left())[0]?.attempts).toBeGreaterThanOrEqual(1);

    await prepareBroker({ ...options, adminUrl: options.url, loginUrls: {} });
    await new OutboxRelay(messaging, transactions).relay();
    expect(await left()).toEqual([]);
    await eventually(async () => expect(await raw.count(queue)).toBe(1));
  });
});
