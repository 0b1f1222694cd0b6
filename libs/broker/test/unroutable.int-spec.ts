import { deliverEventV1, messageReceivedV1, numberAddedV1, queueOf } from '@switchboard/contracts';
import { deleteNamespace, silentLogger, testBrokerOptions } from '@switchboard/testing';
import type { Broker } from '../src/index';
import { createBroker, UnroutableError } from '../src/index';
import { openRawChannel } from './support/raw-channel';

describe('publishing an unroutable message', () => {
  const options = testBrokerOptions();
  let webhooks: Broker;

  beforeAll(async () => {
    webhooks = createBroker({ service: 'webhooks', logger: silentLogger, ...options });
    await webhooks.connect();
  });

  afterAll(async () => {
    await webhooks.close();
    await deleteNamespace(options.namespace);
  });

  it('fails without affecting other messages', async () => {
    const outcomes = await Promise.allSettled([
      webhooks.enqueue(deliverEventV1, deliverEventV1.sample),
      webhooks.publish(numberAddedV1, numberAddedV1.sample),
      webhooks.enqueue(deliverEventV1, deliverEventV1.sample, { delaySeconds: 5 }),
      webhooks.publish(messageReceivedV1, messageReceivedV1.sample),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(outcomes[1]).toMatchObject({ reason: expect.any(UnroutableError) });
  });

  it('fails for each of two messages with the same id', async () => {
    const publish = (): Promise<void> =>
      webhooks.publish(numberAddedV1, numberAddedV1.sample, { messageId: 'evt_twin' });
    const outcomes = await Promise.allSettled([publish(), publish()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(
      webhooks.enqueue(deliverEventV1, deliverEventV1.sample, { messageId: 'evt_twin' }),
    ).resolves.toBeUndefined();
  });

  it('fails when the task has no such delay', async () => {
    await expect(webhooks.enqueue(deliverEventV1, deliverEventV1.sample, { delaySeconds: 6 })).rejects.toBeInstanceOf(
      UnroutableError,
    );
  });

  it('succeeds even before the first start of a consumer', async () => {
    const raw = await openRawChannel();
    expect(await raw.count(`${options.namespace}.${queueOf(deliverEventV1, 'webhooks')}`)).toBeGreaterThanOrEqual(2);
    await raw.close();
  });
});
