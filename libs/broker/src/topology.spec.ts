import { deliverEventV1, messageReceivedV1 } from '@switchboard/contracts';
import { Names } from './names';
import { delaysOf, durableQueues } from './topology';

describe('the queues of a message', () => {
  const names = new Names('test');

  it('are the dead letters first, then its own, then one for each delay', () => {
    expect(durableQueues(names, 'q', messageReceivedV1).map(({ queue }) => queue)).toEqual([
      'q.dlq',
      'q',
      'q.wait.1',
      'q.wait.10',
      'q.wait.60',
    ]);
    expect(delaysOf(deliverEventV1)).toEqual([1, 10, 60, 5, 30, 300, 1800]);
  });

  it('say everything themselves, so that no version of the broker fills in its own defaults', () => {
    for (const { options } of durableQueues(names, 'q', deliverEventV1)) {
      expect(options).toMatchObject({
        durable: true,
        arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': expect.any(Number) },
      });
      // -1 makes RabbitMQ 3.10 drop a message that comes back once.
      expect(options.arguments['x-delivery-limit']).toBeGreaterThanOrEqual(1_000);
    }
  });

  it('bear the prefix of their namespace, or none', () => {
    expect(names.queue(messageReceivedV1, 'webhooks')).toBe('test.webhooks.messaging.message.received.v1');
    expect(new Names('').queue(deliverEventV1, 'webhooks')).toBe('webhooks.deliver-event.v1');
  });
});
