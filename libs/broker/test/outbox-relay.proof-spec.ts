import { setImmediate as nextTurn } from 'node:timers/promises';
import { deliverEventV1, numberAddedV1 } from '@switchboard/contracts';
import { createMessageTables, publishAgain, query, Transactions } from '@switchboard/database';
import { startLoop } from '@switchboard/platform';
import {
  createTestDatabase,
  deleteNamespace,
  eventually,
  silentLogger,
  startTcpProxy,
  type TestDatabase,
  testBrokerOptions,
} from '@switchboard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isFirstDelivery, type OutboxBroker, OutboxRelay } from '../src/index';
import { PublishedCleanup } from '../src/published-cleanup';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

class CreateTables1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const sql of createMessageTables) await runner.query(sql);
    await runner.query('CREATE TABLE effects (delivery_id text NOT NULL)');
  }
  async down(): Promise<void> {
    throw new Error('forward only');
  }
}

describe('OutboxRelay', () => {
  const options = testBrokerOptions();
  const handlers: Partial<WebhooksHandlers> = {};
  let database: TestDatabase;
  let transactions: Transactions;
  let service: WebhooksService;
  let handled: string[];

  beforeAll(async () => {
    database = await createTestDatabase('webhooks', [CreateTables1763700000000]);
    transactions = new Transactions(database.dataSource);
    service = await startWebhooks({ ...options, prefetch: 1 }, handlers);
  });

  beforeEach(async () => {
    await database.dataSource.query('TRUNCATE outbox, inbox, published, effects');
    handled = [];
    handlers.deliver = ({ deliveryId }) => handled.push(deliveryId);
  });

  afterAll(async () => {
    await service.close();
    await database.drop();
    await deleteNamespace(options.namespace);
  });

  const ids = (count: number, prefix = 'dlv'): string[] =>
    Array.from({ length: count }, (_, index) => `${prefix}_${index}`);
  const write = (deliveryIds: readonly string[]): Promise<void> =>
    transactions.run(async (tx) => deliveryIds.forEach((deliveryId) => tx.enqueue(deliverEventV1, { deliveryId })));
  const rowsLeft = async (): Promise<number> =>
    Number((await query<{ count: string }>(database.dataSource, 'SELECT count(*) FROM outbox'))[0]?.count);

  async function withRelay(broker: OutboxBroker, work: () => Promise<void>): Promise<void> {
    const relay = new OutboxRelay(broker, transactions);
    const loop = startLoop({
      name: 'outbox',
      everyMs: 500,
      logger: silentLogger,
      wakeup: relay.wakeup,
      turn: () => relay.relay(),
    });
    try {
      await work();
    } finally {
      await loop.stop();
    }
  }

  it('publishes committed messages in order and no rolled-back ones', async () => {
    await withRelay(service.broker, async () => {
      await write(ids(1_200));
      await expect(
        transactions.run(async (tx) => {
          tx.enqueue(deliverEventV1, { deliveryId: 'dlv_never' });
          await Promise.reject(new Error('rolled back'));
        }),
      ).rejects.toThrow('rolled back');
      await eventually(() => expect(handled.length).toBe(1_200));
    });
    expect(handled).toEqual(ids(1_200));
    expect(await rowsLeft()).toBe(0);
  });

  it('retains published messages for republishing under the same ids', async () => {
    const messageIds: string[] = [];
    handlers.deliver = ({ deliveryId }, { messageId }) => {
      handled.push(deliveryId);
      messageIds.push(messageId);
    };
    await withRelay(service.broker, async () => {
      await write(ids(600));
      await eventually(() => expect(handled.length).toBe(600));
      await eventually(async () => expect(await rowsLeft()).toBe(0));
      expect(await publishAgain(database.url, 'webhooks')).toBe(600);
      await eventually(() => expect(handled.length).toBe(1_200));
      await eventually(async () => expect(await rowsLeft()).toBe(0));
    });
    expect(handled.slice(600)).toEqual(ids(600));
    expect(messageIds.slice(600)).toEqual(messageIds.slice(0, 600));
  });

  it('republishes retained messages once despite two concurrent requests', async () => {
    await withRelay(service.broker, async () => {
      await write(ids(3));
      await eventually(() => expect(handled.length).toBe(3));
    });
    expect(await Promise.all([1, 2].map(() => publishAgain(database.url, 'webhooks')))).toContain(3);
    expect(await rowsLeft()).toBe(3);
  });

  it('purges messages published more than fifteen minutes ago', async () => {
    const keep = `INSERT INTO published (id, message_id, kind, name, body, headers, published_at)
      SELECT n, 'msg_' || n, 'task', 'webhooks.deliver-event.v1', '{}', '{}', now() - make_interval(mins => 20 - n)
      FROM generate_series(1, 10) AS n`;
    await database.dataSource.query(keep);
    expect(await new PublishedCleanup(database.dataSource).run()).toBe(false);
    const left = await query<{ id: string }>(database.dataSource, 'SELECT id FROM published ORDER BY id');
    expect(left.map(({ id }) => Number(id))).toEqual([6, 7, 8, 9, 10]);
  });

  it('publishes right after a commit instead of at the next poll', async () => {
    await withRelay(service.broker, async () => {
      const waits: number[] = [];
      for (let round = 1; round <= 10; round += 1) {
        const committedAt = performance.now();
        await write([`dlv_${round}`]);
        await eventually(() => expect(handled.length).toBe(round));
        waits.push(performance.now() - committedAt);
      }
      expect(waits.sort((a, b) => a - b)[5]).toBeLessThan(250);
    });
  });

  it('publishes twice when killed midway, and the inbox deduplicates', async () => {
    const deliveries: string[] = [];
    handlers.deliver = ({ deliveryId }, delivery) =>
      transactions.run(async (tx) => {
        deliveries.push(delivery.messageId);
        if (await isFirstDelivery(tx, delivery))
          await tx.query('INSERT INTO effects (delivery_id) VALUES ($1)', [deliveryId]);
      });
    await write(ids(20));
    // The process dies after the confirm but before its transaction commits.
    const killed: OutboxBroker = {
      logger: silentLogger,
      isReady: () => true,
      send: async (message) => {
        await service.broker.send(message);
        throw new Error('killed');
      },
    };
    // Run a single relay instead of a loop, whose later publishes would reach the next test.
    await expect(new OutboxRelay(killed, transactions).relay()).rejects.toThrow('not confirmed');
    await eventually(() => expect(new Set(deliveries).size).toBe(20));
    expect(await rowsLeft()).toBe(20);
    const before = deliveries.length;
    await withRelay(service.broker, () => eventually(async () => expect(await rowsLeft()).toBe(0)));
    await eventually(() => expect(deliveries.length).toBe(before + 20));
    const effects = await query<{ delivery_id: string }>(database.dataSource, 'SELECT delivery_id FROM effects');
    expect(effects.map((row) => row.delivery_id).sort()).toEqual(ids(20).sort());
  });

  it('retains and retries rejected messages without blocking others', async () => {
    await transactions.run(async (tx) => {
      for (let index = 0; index < 600; index += 1) tx.publish(numberAddedV1, numberAddedV1.sample);
      tx.enqueue(deliverEventV1, { deliveryId: 'dlv_behind' });
    });
    await withRelay(service.broker, () => eventually(() => expect(handled).toEqual(['dlv_behind'])));
    const [row] = await query<{ kept: number; least: number }>(
      database.dataSource,
      'SELECT count(*)::int AS kept, min(attempts) AS least FROM outbox',
    );
    expect(row).toMatchObject({ kept: 600, least: expect.any(Number) });
    expect(row?.least).toBeGreaterThanOrEqual(1);
    await database.dataSource.query(
      'UPDATE outbox SET kind = \'task\', name = $1, body = \'{"deliveryId":"dlv_cured"}\'',
      [deliverEventV1.name],
    );
    await withRelay(service.broker, () => eventually(async () => expect(await rowsLeft()).toBe(0)));
    await eventually(() => expect(handled.length).toBe(601));
  });

  it('claims a backlog of long bodies one batch at a time', async () => {
    const body = 300_000;
    await database.dataSource.query(
      `INSERT INTO outbox (message_id, kind, name, body, headers) SELECT 'msg_' || n, 'task', $1, repeat('x', ${body}), '{}' FROM generate_series(1, 100) AS n`,
      [deliverEventV1.name],
    );
    let held = 0;
    let most = 0;
    const sent: string[] = [];
    const slow: OutboxBroker = {
      logger: silentLogger,
      isReady: () => true,
      send: async (message) => {
        held += message.body.length;
        most = Math.max(most, held);
        await nextTurn();
        held -= message.body.length;
        sent.push(message.messageId);
      },
    };
    await withRelay(slow, () => eventually(async () => expect(await rowsLeft()).toBe(0)));
    expect(sent).toEqual(Array.from({ length: 100 }, (_, index) => `msg_${index + 1}`));
    expect(most).toBeGreaterThan(8_000_000);
    expect(most).toBeLessThanOrEqual(8_388_608 + body);
  });

  it('shares the backlog with other relays without duplicates', async () => {
    const second = await connectGateway(options);
    await withRelay(service.broker, () =>
      withRelay(second, async () => {
        for (let round = 0; round < 10; round += 1) await write(ids(100, `dlv_${round}`));
        await eventually(() => expect(handled.length).toBeGreaterThanOrEqual(1_000));
      }),
    );
    expect(new Set(handled).size).toBe(1_000);
    expect(handled).toHaveLength(1_000);
    await second.close();
  });

  it('waits for a lost broker without counting a rejection', async () => {
    const { hostname, port } = new URL(options.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const behind = await connectGateway({ ...options, url: proxy.through(options.url) });
    await withRelay(behind, async () => {
      await write(ids(10, 'before'));
      await eventually(() => expect(handled.length).toBe(10));
      proxy.freeze();
      await write(ids(10, 'after'));
      await eventually(() => expect(() => behind.checkReady()).toThrow());
      const refused = await query(database.dataSource, 'SELECT id FROM outbox WHERE attempts > 0');
      expect(refused).toEqual([]);
      proxy.thaw();
      await eventually(() => expect(new Set(handled).size).toBe(20), { timeoutMs: 20_000 });
    });
    await behind.close();
    await proxy.close();
  }, 60_000);
});
