import { deliverEventV1, setEndpointV1 } from '@switchboard/contracts';
import { currentTraceId, inSpan, startTracing } from '@switchboard/platform';
import { deleteNamespace, eventually, testBrokerOptions } from '@switchboard/testing';
import { connectGateway, startWebhooks } from './support/webhooks-service';

describe('a trace', () => {
  const options = testBrokerOptions();
  let stopTracing: () => Promise<void>;

  beforeAll(async () => {
    stopTracing = await startTracing('test');
  });

  afterAll(async () => {
    await stopTracing();
    await deleteNamespace(options.namespace);
  });

  it('goes on through commands, tasks and their retries', async () => {
    const seen: Record<string, (string | undefined)[]> = { command: [], task: [] };
    const service = await startWebhooks(options, {
      setEndpoint: () => {
        seen['command']?.push(currentTraceId());
        return setEndpointV1.sample.response;
      },
      deliver: (_body, { failures }) => {
        seen['task']?.push(currentTraceId());
        if (failures === 0) throw new Error('again');
      },
    });
    const gateway = await connectGateway(options);
    const traceId = await inSpan('request', {}, async () => {
      await gateway.request(setEndpointV1, setEndpointV1.sample.request);
      await gateway.enqueue(deliverEventV1, deliverEventV1.sample);
      return currentTraceId();
    });
    await eventually(() => expect(seen).toEqual({ command: [traceId], task: [traceId, traceId] }));
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    await gateway.close();
    await service.close();
  });

  it('is its own for each of several commands that leave as one message', async () => {
    const seen: Record<string, string | undefined> = {};
    const service = await startWebhooks(options, {
      setEndpoint: ({ url }) => {
        seen[url] = currentTraceId();
        return setEndpointV1.sample.response;
      },
    });
    const gateway = await connectGateway(options);
    const asked = ['a', 'b'].map((url) =>
      inSpan(url, {}, async () => {
        await gateway.request({ ...setEndpointV1, grouped: true }, { ...setEndpointV1.sample.request, url });
        return [url, currentTraceId()];
      }),
    );
    const traces = await Promise.all(asked);
    expect(seen).toEqual(Object.fromEntries(traces));
    expect(seen['a']).not.toBe(seen['b']);
    await gateway.close();
    await service.close();
  });
});
