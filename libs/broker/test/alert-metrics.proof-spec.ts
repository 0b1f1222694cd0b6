import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { eventually, freePort } from '@switchboard/testing';
import { connect } from 'amqplib';
import { startThrowAwayBroker } from './support/private-broker';

const RULES = resolve(import.meta.dirname, '../../../observability/rules/alerts.yaml');
/** Metrics that RabbitMQ 3 does not export. The rules have an alternative for each. */
const SINCE_4 = ['rabbitmq_unreachable_cluster_peers_count'];

describe('RabbitMQ metrics', () => {
  let rabbit: Awaited<ReturnType<typeof startThrowAwayBroker>>;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    rabbit = await startThrowAwayBroker({
      plugins: ['rabbitmq_prometheus'],
      settings: { 'prometheus.tcp.ip': '127.0.0.1', 'prometheus.tcp.port': String(port) },
    });
    const model = await connect(rabbit.url);
    const channel = await model.createChannel();
    for (const queue of ['letters', 'parcels'])
      await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    await model.close();
  });
  afterAll(() => rabbit.remove());

  const scrape = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  const detailed = (): Promise<string> => scrape('/metrics/detailed?family=ra_metrics');

  it('include every metric that the alerts query', async () => {
    const text = `${await scrape('/metrics')}\n${await detailed()}`;
    const exported = [...new Set([...text.matchAll(/^(\w+)[{ ]/gm)].map(([, name = '']) => name))];
    const major = Number(/rabbitmq_version="(\d+)/.exec(text)?.[1]);
    const named = [...new Set((await readFile(RULES, 'utf8')).match(/\brabbitmq_[a-z_]+(\(_total\)\?)?/g))];
    // The plugin's own name appears in a comment of the rules.
    const wanted = named.filter((name) => name !== 'rabbitmq_prometheus' && !(major < 4 && SINCE_4.includes(name)));
    expect(wanted.length).toBeGreaterThan(5);
    const missing = wanted.filter((name) => !exported.some((each) => new RegExp(`^${name}$`).test(each)));
    expect(missing).toEqual([]);
  });

  it('have a series for each quorum queue with a live member', async () => {
    await eventually(async () => {
      const series = (await detailed()).matchAll(/^rabbitmq_detailed_raft_term(?:_total)?\{([^}]*queue="[^}]*)\}/gm);
      expect([...series].map(([, labels]) => labels?.split(',').sort()).sort()).toEqual([
        expect.arrayContaining(['queue="letters"', 'vhost="/"']),
        expect.arrayContaining(['queue="parcels"', 'vhost="/"']),
      ]);
    });
  });
});
