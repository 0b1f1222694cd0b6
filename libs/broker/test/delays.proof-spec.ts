import { deliverEventV1 } from '@switchboard/contracts';
import { deleteNamespace, eventually, testBrokerOptions } from '@switchboard/testing';
import { connectGateway, startWebhooks } from './support/webhooks-service';

describe('a task with a delay', () => {
  const options = testBrokerOptions();
  afterAll(() => deleteNamespace(options.namespace));

  it('arrives never early and at most half a second late', async () => {
    const cameAfterMs: number[] = [];
    const sentAt = new Map<string, number>();
    const service = await startWebhooks(options, {
      deliver: ({ deliveryId }) => cameAfterMs.push(performance.now() - (sentAt.get(deliveryId) ?? 0)),
    });
    const gateway = await connectGateway(options);
    for (let index = 0; index < 50; index += 1) {
      sentAt.set(`dlv_${index}`, performance.now());
      await gateway.enqueue(deliverEventV1, { deliveryId: `dlv_${index}` }, { delaySeconds: 5 });
    }
    await gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_much_later' }, { delaySeconds: 300 });
    await eventually(() => expect(cameAfterMs.length).toBe(50), { timeoutMs: 10_000 });
    expect(Math.min(...cameAfterMs)).toBeGreaterThanOrEqual(4_990);
    expect(Math.max(...cameAfterMs)).toBeLessThan(5_500);
    await gateway.close();
    await service.close();
  });
});
