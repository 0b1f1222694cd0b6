import { deliverEventV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { setTimeout as delay } from 'node:timers/promises';
import type { Broker } from '../src/index';
import { startThrowAwayBroker } from './support/private-broker';
import { connectGateway, startWebhooks } from './support/webhooks-service';

const KILLS = 2;
const IN_FLIGHT = 100;
/**
 * Time until declarations are on disk. RabbitMQ 3.10 loses a quorum queue that was declared in the last seconds before
 * a kill -9.
 */
const DECLARATIONS_ON_DISK_MS = 6_000;

describe('a broker killed while clients publish', () => {
  it('loses no confirmed message, and clients reconnect automatically', async () => {
    const server = await startThrowAwayBroker();
    const options = { url: server.url, namespace: '' };
    const handled: string[] = [];
    const service = await startWebhooks(options, { deliver: ({ deliveryId }) => handled.push(deliveryId) });
    const gateway = await connectGateway(options);
    await delay(DECLARATIONS_ON_DISK_MS);

    const load = startLoad(gateway);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = load.confirmed.size;
      await eventually(() => expect(load.confirmed.size).toBeGreaterThan(before + 2_000), { timeoutMs: 30_000 });
      await server.kill9();
      await server.start();
      await eventually(() => gateway.checkReady(), { timeoutMs: 30_000 });
      await eventually(() => service.broker.checkReady(), { timeoutMs: 30_000 });
    }
    await eventually(() => expect(load.afterRefusal).toBeGreaterThan(1_000), { timeoutMs: 30_000 });
    await load.stop();

    const lost = (): number => {
      const arrived = new Set(handled);
      return [...load.confirmed].filter((id) => !arrived.has(id)).length;
    };
    await eventually(() => expect(lost()).toBe(0), { timeoutMs: 60_000 });
    const arrived = new Set(handled);
    const unexpected = [...arrived].filter((id) => !load.sent.has(id));
    process.stdout.write(
      `killed ${KILLS} times: confirmed ${load.confirmed.size}, refused ${load.sent.size - load.confirmed.size}, lost ${lost()}, ` +
        `handled twice ${handled.length - arrived.size}, unexpected ${unexpected.length}\n`,
    );
    expect(unexpected).toEqual([]);
    expect(load.sent.size).toBeGreaterThan(load.confirmed.size);
    await gateway.close();
    await service.close();
    await server.remove();
  }, 240_000);
});

interface Load {
  sent: Set<string>;
  confirmed: Set<string>;
  /** Number of confirms since the last failed publish. */
  readonly afterRefusal: number;
  stop(): Promise<void>;
}

/** Publishes unique messages continuously, with many in flight. */
function startLoad(gateway: Broker): Load {
  const sent = new Set<string>();
  const confirmed = new Set<string>();
  let afterRefusal = 0;
  let running = true;
  const publishOn = async (lane: number): Promise<void> => {
    for (let index = 0; running; index += 1) {
      const deliveryId = `dlv_${lane}_${index}`;
      sent.add(deliveryId);
      try {
        await gateway.enqueue(deliverEventV1, { deliveryId });
        confirmed.add(deliveryId);
        afterRefusal += 1;
      } catch {
        afterRefusal = 0;
        await delay(20);
      }
    }
  };
  const lanes = Array.from({ length: IN_FLIGHT }, (_, lane) => publishOn(lane));
  const stop = async (): Promise<void> => {
    running = false;
    await Promise.all(lanes);
  };
  return {
    sent,
    confirmed,
    get afterRefusal() {
      return afterRefusal;
    },
    stop,
  };
}
