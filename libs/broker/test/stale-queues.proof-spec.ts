import { type ChannelModel, connect } from 'amqplib';
import { type BrokerAdmin, deleteStaleQueues, prepareBroker, staleQueues } from '../src/index';
import { startThrowAwayBroker } from './support/private-broker';

const GONE = 'webhooks.deliver-letter.v1';
const ALL_OF_IT = [GONE, `${GONE}.dlq`, `${GONE}.wait.1`, `${GONE}.wait.60`];

describe('staleQueues', () => {
  let rabbit: Awaited<ReturnType<typeof startThrowAwayBroker>>;
  let admin: BrokerAdmin;
  let model: ChannelModel;

  beforeAll(async () => {
    rabbit = await startThrowAwayBroker({ withManagement: true });
    admin = { url: rabbit.url, managementUrl: rabbit.managementUrl, namespace: '' };
    await prepareBroker({ adminUrl: rabbit.url, namespace: '', loginUrls: {} });
    model = await connect(rabbit.url);
  });
  afterAll(async () => {
    await model.close();
    await rabbit.remove();
  });

  const declare = async (...names: string[]): Promise<void> => {
    const channel = await model.createChannel();
    for (const name of names)
      await channel.assertQueue(name, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    await channel.close();
  };
  const put = async (queue: string, count: number): Promise<void> => {
    const channel = await model.createConfirmChannel();
    for (let n = 0; n < count; n += 1) channel.sendToQueue(queue, Buffer.from('{}'), { persistent: true });
    await channel.waitForConfirms();
    await channel.close();
  };
  const exists = async (queue: string): Promise<boolean> => {
    const channel = await model.createChannel();
    channel.on('error', () => undefined);
    return channel.checkQueue(queue).then(
      async () => channel.close().then(() => true),
      () => false,
    );
  };

  it('ignores queues of this version and other programs', async () => {
    await declare('orders', 'webhooks.letters', 'other.webhooks.deliver-letter.v1', 'sb.passing.webhooks.x');
    expect(await staleQueues(admin)).toEqual([]);
  });

  it('lists queues by message, and empty ones can be deleted', async () => {
    await declare(...ALL_OF_IT);
    const [stale, ...others] = await staleQueues(admin);
    expect(others).toEqual([]);
    expect(stale).toEqual({ queue: GONE, names: ALL_OF_IT, messages: 0, consumers: 0 });
    expect(await deleteStaleQueues(admin, stale ?? { names: [] }, { withMessages: false })).toEqual(ALL_OF_IT);
    expect(await Promise.all(ALL_OF_IT.map(exists))).toEqual([false, false, false, false]);
    expect(await staleQueues(admin)).toEqual([]);
  });

  it('lists queues with messages, deletable only with withMessages', async () => {
    await declare(...ALL_OF_IT);
    await put(`${GONE}.dlq`, 2);
    const [stale] = await staleQueues(admin);
    expect(stale).toMatchObject({ queue: GONE, messages: 2 });
    expect(await deleteStaleQueues(admin, stale ?? { names: [] }, { withMessages: false })).toEqual([]);
    expect(await Promise.all(ALL_OF_IT.map(exists))).toEqual([true, true, true, true]);
    expect(await deleteStaleQueues(admin, stale ?? { names: [] }, { withMessages: true })).toEqual(ALL_OF_IT);
    expect(await exists(`${GONE}.dlq`)).toBe(false);
  });

  it('lists queues with a consumer, which cannot be deleted', async () => {
    await declare(...ALL_OF_IT);
    const channel = await model.createChannel();
    await channel.consume(GONE, () => undefined);
    const [stale] = await staleQueues(admin);
    expect(stale).toMatchObject({ queue: GONE, consumers: 1 });
    expect(await deleteStaleQueues(admin, stale ?? { names: [] }, { withMessages: true })).toEqual([]);
    await channel.close();
    expect(await deleteStaleQueues(admin, stale ?? { names: [] }, { withMessages: true })).toEqual(ALL_OF_IT);
  });

  it('ignores queues of another namespace', async () => {
    await declare(`blue.${GONE}`);
    expect(await staleQueues(admin)).toEqual([]);
    expect(await staleQueues({ ...admin, namespace: 'blue' })).toEqual([
      { queue: GONE, names: [`blue.${GONE}`], messages: 0, consumers: 0 },
    ]);
  });
});
