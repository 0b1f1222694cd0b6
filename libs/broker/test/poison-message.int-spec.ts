import { deliverEventV1, messageReceivedV1, queueOf, templateStatusChangedV1 } from '@switchboard/contracts';
import { deleteNamespace, eventually, testBrokerOptions } from '@switchboard/testing';
import { type Broker, listDeadLetters, PermanentError, returnDeadLetters } from '../src/index';
import { openRawChannel, type RawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

describe('a message that no handler can process', () => {
  const options = testBrokerOptions();
  const name = queueOf(deliverEventV1, 'webhooks');
  const queue = `${options.namespace}.${name}`;
  const handlers: Partial<WebhooksHandlers> = {};
  let service: WebhooksService;
  let gateway: Broker;
  let raw: RawChannel;

  beforeAll(async () => {
    service = await startWebhooks({ ...options, prefetch: 1 }, handlers);
    gateway = await connectGateway(options);
    raw = await openRawChannel();
  });

  afterEach(() => raw.channel.purgeQueue(`${queue}.dlq`));

  afterAll(async () => {
    await gateway.close();
    await service.close();
    await raw.close();
    await deleteNamespace(options.namespace);
  });

  it.each([
    ['text that is not JSON', 'secret words', /^invalid body: it is not JSON$/],
    ['JSON that is no object', 'null', /^invalid body: the body must be a JSON object$/],
    ['a field of the wrong type', '{"deliveryId":7}', /^invalid body: deliveryId must be a string$/],
    ['a missing field', '{}', /^invalid body: deliveryId is required$/],
  ])('is dead-lettered with reason, time and origin when it is %s', async (_what, content, reason) => {
    handlers.deliver = () => undefined;
    raw.put(queue, content);
    const letter = await eventually(async () => {
      const found = await raw.take(`${queue}.dlq`);
      if (!found) throw new Error('no dead letter yet');
      return found;
    });
    expect(letter.content.toString()).toBe(content);
    expect(letter.properties.deliveryMode).toBe(2);
    expect(letter.properties.headers).toMatchObject({
      'x-reason': expect.stringMatching(reason),
      'x-failures': 1,
      'x-failed-at': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      'x-original-exchange': `${options.namespace}.sb.webhooks`,
      'x-original-routing-key': deliverEventV1.name,
    });
  });

  it('does not affect other messages', async () => {
    const handled: string[] = [];
    handlers.deliver = ({ deliveryId }) => handled.push(deliveryId);
    for (let index = 0; index < 500; index += 1)
      raw.put(queue, index % 100 === 0 ? '{{' : JSON.stringify({ deliveryId: String(index) }));
    await eventually(() => expect(handled.length).toBe(495));
    await eventually(async () => expect(await raw.count(`${queue}.dlq`)).toBe(5));
  });

  it("is listed with the handler's reason and can be returned", async () => {
    handlers.deliver = ({ deliveryId }) => Promise.reject(new PermanentError(`no such delivery ${deliveryId}`));
    await gateway.enqueue(deliverEventV1, { deliveryId: 'a' }, { messageId: 'evt_a' });
    await gateway.enqueue(deliverEventV1, { deliveryId: 'b' }, { messageId: 'evt_b' });
    await eventually(async () => expect((await listDeadLetters(options, name, 10)).length).toBe(2));
    // RabbitMQ 4 limits a queue to 20 deliveries by default. Listing must not exhaust the limit.
    for (let look = 0; look < 25; look += 1) expect(await listDeadLetters(options, name, 1)).toHaveLength(1);
    const letters = await listDeadLetters(options, name, 10);
    expect(letters.sort((a, b) => a.messageId.localeCompare(b.messageId))).toEqual([
      expect.objectContaining({ messageId: 'evt_a', reason: 'no such delivery a', failures: 1 }),
      expect.objectContaining({ messageId: 'evt_b', reason: 'no such delivery b', failures: 1 }),
    ]);

    const handled: { deliveryId: string; failures: number }[] = [];
    handlers.deliver = ({ deliveryId }, { failures }) => handled.push({ deliveryId, failures });
    expect(await returnDeadLetters(options, name, { messageIds: ['evt_b'] })).toBe(1);
    await eventually(() => expect(handled).toEqual([{ deliveryId: 'b', failures: 0 }]));
    await eventually(async () =>
      expect((await listDeadLetters(options, name, 10)).map(({ messageId }) => messageId)).toEqual(['evt_a']),
    );
  });

  it('affects only one consumer of an event', async () => {
    const handled: string[] = [];
    handlers.takeTemplateStatus = () => Promise.reject(new PermanentError('unknown account'));
    handlers.takeReceived = ({ id }) => handled.push(id);
    await gateway.publish(messageReceivedV1, messageReceivedV1.sample);
    await gateway.publish(templateStatusChangedV1, templateStatusChangedV1.sample);
    await eventually(() => expect(handled).toEqual([messageReceivedV1.sample.id]));
    await eventually(async () =>
      expect((await listDeadLetters(options, queueOf(templateStatusChangedV1, 'webhooks'), 10)).length).toBe(1),
    );
  });
});
