import { type AccessChangedV1, accessChangedV1 } from '@switchboard/contracts';
import { deleteNamespace, eventually, startTcpProxy, testBrokerOptions } from '@switchboard/testing';
import { startProcess } from './support/service-process';
import { openRawChannel } from './support/raw-channel';
import { connectGateway, type ServiceOptions } from './support/webhooks-service';

async function startListening(options: ServiceOptions) {
  const heard: string[] = [];
  const state = { missed: 0, failing: false };
  const gateway = await startProcess('gateway', options, (_contract, body) => {
    if (state.failing) throw new Error('the cache is broken');
    heard.push(String((body as AccessChangedV1).keyId));
  });
  return { ...gateway, heard, state };
}

describe('a broadcast', () => {
  const options = testBrokerOptions();
  afterAll(() => deleteNamespace(options.namespace));

  it('reaches every process of the service once, in order', async () => {
    const processes = await Promise.all([1, 2, 3].map(() => startListening(options)));
    const publisher = await connectGateway(options);
    const ids = Array.from({ length: 20 }, (_, index) => `key_${index}`);
    for (const keyId of ids) await publisher.publish(accessChangedV1, { keyId });
    for (const { heard } of processes) await eventually(() => expect(heard).toEqual(ids));
    for (const { close } of processes) await close();
    await publisher.close();
  });

  it('is published even without a listener', async () => {
    const publisher = await connectGateway(options);
    await expect(publisher.publish(accessChangedV1, { keyId: 'key_1' })).resolves.toBeUndefined();
    await publisher.close();
  });

  it('counts as possibly missed when its handler fails', async () => {
    const { broker, state, heard, close } = await startListening(options);
    broker.onBroadcastsMissed(() => (state.missed += 1));
    state.failing = true;
    await broker.publish(accessChangedV1, { keyId: 'key_1' });
    await eventually(() => expect(state.missed).toBe(1));
    state.failing = false;
    await broker.publish(accessChangedV1, { keyId: 'key_2' });
    await eventually(() => expect(heard).toEqual(['key_2']));
    await close();
  });

  it('leaves no queue behind', async () => {
    const raw = await openRawChannel();
    const { close } = await startListening(options);
    await close();
    // The broker returns unroutable messages, which proves that nothing is bound anymore.
    const returned = new Promise((resolve) => raw.channel.on('return', resolve));
    raw.channel.publish(`${options.namespace}.sb.gateway`, accessChangedV1.name, Buffer.from('{}'), {
      mandatory: true,
    });
    await returned;
    await raw.close();
  });
});

describe('a process after a lost connection', () => {
  const options = testBrokerOptions();
  afterAll(() => deleteNamespace(options.namespace));

  it('is notified of missed broadcasts after it has resubscribed', async () => {
    const { hostname, port } = new URL(options.url);
    const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const { broker, heard, state, close } = await startListening({ ...options, url: proxy.through(options.url) });
    const publisher = await connectGateway(options);
    const heardWhenTold: number[] = [];
    broker.onBroadcastsMissed(() => heardWhenTold.push(heard.length));
    await publisher.publish(accessChangedV1, { keyId: 'key_before' });
    await eventually(() => expect(heard).toEqual(['key_before']));

    proxy.drop();
    await publisher.publish(accessChangedV1, { keyId: 'key_meanwhile' });
    await eventually(() => expect(heardWhenTold.length).toBe(1));
    // The notification comes after the queue is bound, so nothing can be missed from here on.
    await publisher.publish(accessChangedV1, { keyId: 'key_after' });
    await eventually(() => expect(heard).toContain('key_after'));
    expect(state.failing).toBe(false);
    await close();
    await publisher.close();
    await proxy.close();
  });
});
