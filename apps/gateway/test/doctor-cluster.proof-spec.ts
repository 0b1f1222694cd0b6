import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { queueOf, sendMessageV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
/* eslint-disable-next-line no-restricted-imports -- creates queues on chosen nodes, which no service does */
import { connect } from 'amqplib';
import pg from 'pg';
import { migrations } from '../src/migrations/index';
import { type Diagnosis, Doctor } from './support/doctor';

interface BrokerNode {
  name: string;
  url: string;
  kill9(): Promise<void>;
  start(): Promise<void>;
  command(script: string, ...args: string[]): Promise<string>;
}

interface BrokerCluster {
  url: string;
  nodes: [BrokerNode, BrokerNode, BrokerNode];
  stop(): Promise<void>;
}

interface PostgresPair {
  url: string;
  standby: { kill9(): Promise<void>; start(): Promise<void>; pids(): number[] };
  stop(): Promise<void>;
}

interface Tools {
  startBrokerCluster(options: { dir: string }): Promise<BrokerCluster>;
  startPostgresPair(options: { dir: string }): Promise<PostgresPair>;
  anyFreePort(): Promise<number>;
}

// The tools are plain JavaScript, since they run before dependencies are installed.
const tool = async <Name extends keyof Tools>(file: string, name: Name): Promise<Tools[Name]> =>
  ((await import(resolve(import.meta.dirname, '../../../tools', file))) as Tools)[name];

const NOWHERE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', RABBITMQ_URL: 'amqp://nobody@127.0.0.1:1' };
/** Queues with names of services that are not running. Queue arguments are irrelevant here. */
const QUEUES = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `messaging.${name}.v1`);
const SMALL = 'messaging.small.v1';
const CLASSIC = queueOf(sendMessageV1, 'messaging');

let doctor: Doctor;
let folder: string;

beforeAll(async () => {
  doctor = new Doctor('doctor-cluster');
  folder = await mkdtemp(join(tmpdir(), 'switchboard-doctor-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('ops doctor on a broker cluster', () => {
  let cluster: BrokerCluster;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const start = await tool('infra/rabbitmq-cluster.mjs', 'startBrokerCluster');
    cluster = await start({ dir: join(folder, 'cluster') });
    const port = await (await tool('lib/ports.mjs', 'anyFreePort'))();
    await startManagement(cluster.nodes, port);
    settings = { ...NOWHERE, RABBITMQ_URL: cluster.url, RABBITMQ_MANAGEMENT_URL: `http://127.0.0.1:${port}` };
    await declareOn(cluster.nodes[0], QUEUES, { 'x-queue-type': 'quorum', 'x-queue-leader-locator': 'client-local' });
  }, 240_000);
  afterAll(async () => cluster?.stop());

  const diagnose = (): Promise<Diagnosis> => doctor.runInTime(settings);

  it('reports leaders on a single node', async () => {
    const { findings } = await diagnose();
    expect(findings).toMatchObject({
      nodes: { state: 'ok', finding: 'all 3 run' },
      majorities: { state: 'ok', finding: 'all members of 6 quorum queues are online' },
      leaders: {
        state: 'warning',
        finding: expect.stringMatching(/^all are on one node: /) as string,
        advice: 'Run rabbitmq-queues rebalance quorum on a node.',
      },
    });
    expect(findings['leaders']?.finding).toContain(`${cluster.nodes[0].name} 6`);
  });

  it('reports ok after the suggested rebalance command', async () => {
    await cluster.nodes[0].command('rabbitmq-queues', 'rebalance', 'quorum');
    await eventually(async () => expect((await diagnose()).findings['leaders']).toMatchObject({ state: 'ok' }), {
      timeoutMs: 60_000,
    });
  }, 120_000);

  it('reports a killed node and the queues without a majority', async () => {
    const [, , lost] = cluster.nodes;
    await declareOn(lost, [SMALL], { 'x-queue-type': 'quorum', 'x-quorum-initial-group-size': 2 });
    await declareOn(lost, [CLASSIC], { 'x-queue-type': 'classic' });
    await lost.kill9();
    await eventually(
      async () => {
        const { findings, exitCode } = await diagnose();
        expect(exitCode).toBe(1);
        expect(findings).toMatchObject({
          nodes: {
            state: 'problem',
            finding: `1 of 3 are down or cut off: ${lost.name}`,
            advice: expect.stringContaining('BrokerNodeDown.md') as string,
          },
          majorities: {
            state: 'problem',
            finding: `1 of 7 quorum queues have no majority and accept nothing: ${SMALL} (1 of 2)`,
          },
          messaging: { state: 'problem', finding: `RabbitMQ gives no state of 1 queues: ${CLASSIC}` },
        });
      },
      { timeoutMs: 60_000 },
    );
  }, 120_000);

  it('reports ok once the lost node has returned', async () => {
    await cluster.nodes[2].start();
    await eventually(
      async () => {
        const { findings } = await diagnose();
        expect(findings['nodes']).toMatchObject({ state: 'ok' });
        expect(findings['messaging']?.finding).not.toContain('gives no state');
      },
      { timeoutMs: 90_000 },
    );
  }, 150_000);

  it('exits if two of three nodes are lost', async () => {
    await Promise.all([cluster.nodes[1].kill9(), cluster.nodes[2].kill9()]);
    await eventually(async () => expect((await diagnose()).problems).toEqual(['database', 'broker', 'cluster']), {
      timeoutMs: 60_000,
    });
  }, 120_000);
});

describe('ops doctor on a database with a standby', () => {
  let pair: PostgresPair;
  let settings: Record<string, string>;

  beforeAll(async () => {
    const start = await tool('infra/postgres-pair.mjs', 'startPostgresPair');
    pair = await start({ dir: join(folder, 'pair') });
    await withDatabase(async (client) => {
      await client.query("CREATE ROLE sb_gateway LOGIN PASSWORD 'gateway'");
      await client.query('CREATE SCHEMA gateway AUTHORIZATION sb_gateway');
      await client.query('CREATE TABLE gateway.migrations (name text)');
      await client.query('GRANT SELECT ON gateway.migrations TO sb_gateway');
      await client.query('INSERT INTO gateway.migrations SELECT unnest($1::text[])', [
        migrations.map(({ name }) => name),
      ]);
    });
    const url = Object.assign(new URL(pair.url), { username: 'sb_gateway', password: 'gateway' });
    settings = { ...NOWHERE, DATABASE_URL: url.href };
  }, 120_000);
  afterAll(async () => pair?.stop());

  const withDatabase = async (work: (client: pg.Client) => Promise<void>): Promise<void> => {
    const client = new pg.Client({ connectionString: pair.url });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  const replication = async (): Promise<unknown> => (await doctor.runInTime(settings)).findings['replication'];

  it('reports the standbys and missing permissions', async () => {
    expect(await replication()).toMatchObject({
      state: 'ok',
      finding: '1 standbys are connected; commits wait for 1; the login needs pg_monitor to see their lag',
    });
    await withDatabase(async (client) => void (await client.query('GRANT pg_monitor TO sb_gateway')));
    expect(await replication()).toMatchObject({ state: 'ok', finding: '1 standbys are connected; commits wait for 1' });
  });

  it('reports commits waiting for a hanging standby', async () => {
    const pids = pair.standby.pids();
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const writing = withDatabase(async (client) => void (await client.query('CREATE TABLE written ()')));
    await eventually(async () =>
      expect(await replication()).toMatchObject({
        state: 'problem',
        finding: '1 commits have waited over 2 s for a standby',
      }),
    ).finally(() => pids.forEach((pid) => process.kill(pid, 'SIGCONT')));
    await writing;
  });

  it('reports blocked writes if the standby is lost', async () => {
    await pair.standby.kill9();
    await eventually(async () =>
      expect(await replication()).toMatchObject({
        state: 'problem',
        finding: 'commits wait for 1 standbys, and 0 are connected: all writes wait',
        advice: expect.stringContaining('DatabaseStandbyAway.md') as string,
      }),
    );
  });
});

/** Starts the management API on the first node, and the agents it needs on the others. */
async function startManagement([first, ...others]: BrokerCluster['nodes'], port: number): Promise<void> {
  const listen = `application:set_env(rabbitmq_management, tcp_config, [{port, ${port}}, {ip, "127.0.0.1"}])`;
  await first.command('rabbitmqctl', 'eval', `application:load(rabbitmq_management), ${listen}.`);
  await first.command('rabbitmq-plugins', 'enable', 'rabbitmq_management');
  for (const node of others) await node.command('rabbitmq-plugins', 'enable', 'rabbitmq_management_agent');
}

async function declareOn({ url }: BrokerNode, queues: string[], settings: Record<string, unknown>): Promise<void> {
  const model = await connect(url);
  const channel = await model.createChannel();
  for (const queue of queues) await channel.assertQueue(queue, { durable: true, arguments: settings });
  await model.close();
}
