import { deliverEventV1, setEndpointV1 } from '@switchboard/contracts';
import { deleteNamespace, eventually, testBrokerOptions } from '@switchboard/testing';
import { connectGateway, startWebhooks } from './support/webhooks-service';

describe('service shutdown', () => {
  const options = testBrokerOptions();
  afterAll(() => deleteNamespace(options.namespace));

  it('waits for running handlers and leaves the rest queued', async () => {
    const handledBy = { first: [] as string[], second: [] as string[] };
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const started: string[] = [];
    const first = await startWebhooks(
      { ...options, prefetch: 3 },
      {
        deliver: async ({ deliveryId }) => {
          started.push(deliveryId);
          await gate;
          handledBy.first.push(deliveryId);
        },
      },
    );
    const gateway = await connectGateway(options);
    const ids = Array.from({ length: 10 }, (_, index) => `dlv_${index}`);
    for (const deliveryId of ids) await gateway.enqueue(deliverEventV1, { deliveryId });
    await eventually(() => expect(started.length).toBe(3));

    const closed = first.close();
    const second = await startWebhooks(options, { deliver: ({ deliveryId }) => handledBy.second.push(deliveryId) });
    await eventually(() => expect(handledBy.second.length).toBe(7));
    expect(handledBy.first).toEqual([]);
    letGo();
    await closed;

    expect(handledBy.first.sort()).toEqual(started.sort());
    expect([...handledBy.first, ...handledBy.second].sort()).toEqual(ids);
    await gateway.close();
    await second.close();
  });

  it('replies to the running command', async () => {
    let begun = false;
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    const service = await startWebhooks(options, {
      setEndpoint: async () => {
        begun = true;
        await gate;
        return setEndpointV1.sample.response;
      },
    });
    const gateway = await connectGateway(options);
    const answer = gateway.request(setEndpointV1, setEndpointV1.sample.request);
    await eventually(() => expect(begun).toBe(true));
    const closed = service.close();
    letGo();
    await expect(answer).resolves.toEqual(setEndpointV1.sample.response);
    await closed;
    await gateway.close();
  });

  it('waits for a command while its caller waits, even beyond five seconds', async () => {
    let letGo: (() => void) | undefined;
    const service = await startWebhooks(options, {
      setEndpoint: async () => {
        await new Promise<void>((resolve) => (letGo = resolve));
        return setEndpointV1.sample.response;
      },
    });
    const gateway = await connectGateway(options);
    const answer = gateway.request(setEndpointV1, setEndpointV1.sample.request);
    await eventually(() => expect(letGo).toBeDefined());
    const closingAt = performance.now();
    const closed = service.close();
    await eventually(() => expect(performance.now() - closingAt).toBeGreaterThan(5_500), { timeoutMs: 10_000 });
    letGo?.();
    await expect(answer).resolves.toEqual(setEndpointV1.sample.response);
    await closed;
    await gateway.close();
  });

  it("does not wait for a command past its caller's timeout", async () => {
    let begun = false;
    const service = await startWebhooks(options, {
      setEndpoint: () => {
        begun = true;
        return new Promise(() => undefined);
      },
    });
    const gateway = await connectGateway(options);
    const answer = gateway.request(setEndpointV1, setEndpointV1.sample.request, { timeoutMs: 200 });
    await expect(answer).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(begun).toBe(true);
    const startedAt = performance.now();
    await service.close();
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    await gateway.close();
  });

  it('waits five seconds for a hanging handler, then requeues its message', async () => {
    let begun = false;
    const hanging = await startWebhooks(options, {
      deliver: () => {
        begun = true;
        return new Promise(() => undefined);
      },
    });
    const gateway = await connectGateway(options);
    await gateway.enqueue(deliverEventV1, { deliveryId: 'dlv_hangs' });
    await eventually(() => expect(begun).toBe(true));
    const startedAt = performance.now();
    await hanging.close();
    expect(performance.now() - startedAt).toBeLessThan(6_000);

    const redelivered: boolean[] = [];
    const next = await startWebhooks(options, { deliver: (_body, delivery) => redelivered.push(delivery.redelivered) });
    await eventually(() => expect(redelivered).toEqual([true]));
    await gateway.close();
    await next.close();
  });
});
