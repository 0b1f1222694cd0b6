import { setTimeout as sleep } from 'node:timers/promises';
import { query } from '@switchboard/database';
import { createLogger, metricsRegistry } from '@switchboard/platform';
import { eventually, type Receiver, startReceiver, startTcpProxy, type TcpProxy } from '@switchboard/testing';
import { Harness } from './harness';

const EVENTS = 1_000;
const OUTAGE_MS = 3_000;
/** Every loop logs once per kind of failure, and once after it recovers. */
const MOST_LOG_LINES = 40;

describe('events during a database outage', () => {
  let harness: Harness;
  let proxy: TcpProxy;
  let receiver: Receiver;
  const lines: string[] = [];

  beforeAll(async () => {
    harness = await Harness.prepare();
    const { hostname: host, port } = new URL(harness.database.url);
    proxy = await startTcpProxy({ host, port: Number(port) });
    receiver = await startReceiver();
    const logger = createLogger('webhooks', 'info', { write: (line) => void lines.push(line) });
    await harness.startService({ DATABASE_URL: proxy.through(harness.database.url) }, logger);
  }, 60_000);

  afterAll(async () => {
    await harness.stop();
    await Promise.all([proxy.close(), receiver.close()]);
  }, 60_000);

  /** Returns the number of broker deliveries to the service with this outcome. */
  async function countOf(outcome: string): Promise<number> {
    const metric = await metricsRegistry.getSingleMetric('switchboard_broker_deliveries_total')?.get();
    return (metric?.values ?? [])
      .filter(({ labels }) => labels.outcome === outcome)
      .reduce((sum, { value }) => sum + value, 0);
  }

  it('stay queued without log noise and are stored in order afterwards', async () => {
    const { accountId } = await harness.account(receiver);
    lines.length = 0;
    await proxy.refuse();
    const awayAt = performance.now();
    const messages = Array.from({ length: EVENTS }, (_, index) => `wamid.${index}`);
    await Promise.all(messages.map((upstreamId) => harness.report(accountId, { upstreamId })));
    await sleep(OUTAGE_MS - (performance.now() - awayAt));
    await proxy.listen();
    const stored = (): Promise<{ message_id: string }[]> =>
      query(harness.database.dataSource, 'SELECT message_id FROM events WHERE account_id = $1 ORDER BY id', [
        accountId,
      ]);
    // The service checks the database every two seconds, so it may resume two seconds late.
    await eventually(async () => expect((await stored()).length).toBe(EVENTS), { timeoutMs: 10_000 });
    expect((await stored()).map(({ message_id: id }) => id)).toEqual(messages);
    const outcomes = {
      moved: await countOf('failed'),
      givenBack: await countOf('given_back'),
      deadLettered: await countOf('dead_lettered'),
    };
    expect(outcomes).toEqual({ moved: 0, givenBack: 0, deadLettered: 0 });
    const texts = lines
      .map((line) => (JSON.parse(line) as { msg: string }).msg)
      .filter((text) => text !== 'delivery.attempted');
    expect(texts.filter((text) => text === 'broker.tasks-paused')).toHaveLength(1);
    expect(texts.filter((text) => text === 'broker.tasks-resumed')).toHaveLength(1);
    expect(texts.length).toBeLessThanOrEqual(MOST_LOG_LINES);
  }, 60_000);
});
