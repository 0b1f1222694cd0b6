import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deliverEventV1 } from '@switchboard/contracts';
import { eventually, silentLogger } from '@switchboard/testing';
import { type Broker, createBroker, prepareBroker } from '../src/index';
import { startWebhooks, type WebhooksService } from './support/webhooks-service';

interface BrokerNode {
  name: string;
  url: string;
  command(script: string, ...args: string[]): Promise<string>;
}

interface BrokerCluster {
  url: string;
  logins: Record<string, string>;
  nodes: BrokerNode[];
  partition(index: number): Promise<void>;
  heal(): Promise<void>;
  command(script: string, ...args: string[]): Promise<string>;
  stop(): Promise<void>;
}

interface Tools {
  startBrokerCluster(options: { dir: string; netTicktime: number }): Promise<BrokerCluster>;
}

/** The nodes detect a silent peer after 45 s at the earliest, so only the service itself can react sooner. */
const NET_TICKTIME = 60;

describe('a service whose consumers are on a cut-off node', () => {
  let folder: string;
  let cluster: BrokerCluster;
  let service: WebhooksService;
  let sender: Broker;
  const handled: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'switchboard-cut-off-'));
    // Import by path: the tools are plain JavaScript that runs before dependencies are installed.
    const file = resolve(import.meta.dirname, '../../../tools/infra/rabbitmq-cluster.mjs');
    const { startBrokerCluster } = (await import(file)) as Tools;
    cluster = await startBrokerCluster({ dir: folder, netTicktime: NET_TICKTIME });
    await prepareBroker({ adminUrl: cluster.url, namespace: '', loginUrls: {} });
    service = await startWebhooks(
      { url: String(cluster.logins.webhooks), namespace: '' },
      { deliver: ({ deliveryId }) => handled.push(deliveryId) },
    );
  }, 240_000);

  afterAll(async () => {
    await cluster.heal();
    await sender?.close();
    await service?.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('moves its consumers to another node before the broker notices', async () => {
    const connections = await cluster.command('rabbitmqctl', 'list_connections', 'pid', 'client_properties');
    const consumer = connections.split('\n').find((line) => line.includes('webhooks consumer'));
    const cutOff = cluster.nodes.find(({ name }) => consumer?.includes(name));
    const witness = cluster.nodes.find((node) => node !== cutOff);
    if (!cutOff || !witness) throw new Error(`the service has no consumers: ${connections}`);
    sender = createBroker({ service: 'webhooks', url: witness.url, namespace: '', logger: silentLogger });
    await sender.connect();
    await deliver('before');

    await cluster.partition(cluster.nodes.indexOf(cutOff));
    await deliver('after');

    expect(await witness.command('rabbitmqctl', 'eval', 'nodes().')).toContain(cutOff.name);
  }, 120_000);

  /** Enqueues until one message arrives, because some are delivered to the consumers of the cut-off node. */
  async function deliver(deliveryId: string): Promise<void> {
    await eventually(
      async () => {
        await sender.enqueue(deliverEventV1, { deliveryId });
        await eventually(() => expect(handled).toContain(deliveryId), { timeoutMs: 1_000 });
      },
      { timeoutMs: 40_000 },
    );
  }
});
