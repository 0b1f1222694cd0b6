import { deliverEventV1, messageReceivedV1 } from '@switchboard/contracts';
import { Names } from './names';
import { delaysOf, durableQueues } from './topology';

describe('message queues', () => {
  const names = new Names('test');

  it('start with the dead-letter queue and end with the delays', () => {
    expect(durableQueues(names, 'q', messageReceivedV1).map(({ queue }) => queue)).toEqual([
      'q.dlq',
      'q',
      'q.wait.1',
      'q.wait.10',
      'q.wait.60',
    ]);
    expect(delaysOf(deliverEventV1)).toEqual([1, 10, 60, 5, 30, 300, 1800]);
  });

  it('set every argument that has a broker default', () => {
    for (const { options } of durableQueues(names, 'q', deliverEventV1)) {
      expect(options).toMatchObject({
        durable: true,
        arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': expect.any(Number) },
      });
      // With -1, RabbitMQ 3.10 drops any message that is returned once.
      expect(options.arguments['x-delivery-limit']).toBeGreaterThanOrEqual(1_000);
    }
  });

  it('have the prefix of their namespace', () => {
    expect(names.queue(messageReceivedV1, 'webhooks')).toBe('test.webhooks.messaging.message.received.v1');
    expect(new Names('').queue(deliverEventV1, 'webhooks')).toBe('webhooks.deliver-event.v1');
  });
});
