import { AppError, setEndpointV1, verifyCodeV1 } from '@switchboard/contracts';
import { deleteNamespace, eventually, testBrokerOptions } from '@switchboard/testing';
import type { Broker } from '../src/index';
import { openRawChannel } from './support/raw-channel';
import { connectGateway, startWebhooks, type WebhooksHandlers, type WebhooksService } from './support/webhooks-service';

describe('asking another service', () => {
  const options = testBrokerOptions();
  const handlers: Partial<WebhooksHandlers> = {};
  const { request } = setEndpointV1.sample;
  let service: WebhooksService;
  let gateway: Broker;

  beforeAll(async () => {
    service = await startWebhooks(options, handlers);
    gateway = await connectGateway(options);
  });

  beforeEach(() => {
    delete handlers.setEndpoint;
  });

  afterAll(async () => {
    await gateway.close();
    await service.close();
    await deleteNamespace(options.namespace);
  });

  it('gives the handler a checked body and brings its answer back', async () => {
    handlers.setEndpoint = (body) => ({ id: body.constructor.name, url: body.url, sealedSecret: 's' });
    expect(await gateway.ask(setEndpointV1, request)).toEqual({ id: 'SetEndpointCommand', url: request.url, sealedSecret: 's' });
  });

  it('matches a thousand answers that come in any order to their questions', async () => {
    handlers.setEndpoint = async ({ url }) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
      return { id: 'ep', url, sealedSecret: '' };
    };
    const urls = Array.from({ length: 1_000 }, (_, index) => `https://example.com/${index}`);
    const replies = await Promise.all(urls.map((url) => gateway.ask(setEndpointV1, { ...request, url })));
    expect(replies.map(({ url }) => url)).toEqual(urls);
  });

  it("hands on the handler's refusal with all its fields", async () => {
    const refusal = new AppError('RATE_LIMITED', { message: 'slower', details: [{ field: 'url', message: 'busy' }], retryAfterSeconds: 7, extra: { verified: false } });
    handlers.setEndpoint = () => {
      throw refusal;
    };
    const error = await gateway.ask(setEndpointV1, request).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).toBody()).toEqual(refusal.toBody());
  });

  it('tells nothing of an unexpected error but INTERNAL', async () => {
    handlers.setEndpoint = () => Promise.reject(new Error('password is hunter2'));
    await expect(gateway.ask(setEndpointV1, request)).rejects.toMatchObject({ code: 'INTERNAL', message: 'internal server error' });
  });

  it('refuses a body that breaks the contract before the handler sees it', async () => {
    let calls = 0;
    handlers.setEndpoint = () => {
      calls += 1;
      return setEndpointV1.sample.response;
    };
    await expect(gateway.ask(setEndpointV1, { ...request, url: 7 as unknown as string })).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    expect(calls).toBe(0);
  });

  it('ends with the code of the caller when no answer comes in time', async () => {
    handlers.setEndpoint = () => new Promise(() => undefined);
    const startedAt = performance.now();
    await expect(gateway.ask(setEndpointV1, request, { timeoutMs: 300, whenUnanswered: 'UPSTREAM_TIMEOUT' })).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await expect(gateway.ask(setEndpointV1, request, { timeoutMs: 1_300 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('refuses at once what no queue takes', async () => {
    const startedAt = performance.now();
    await expect(gateway.ask(verifyCodeV1, verifyCodeV1.sample.request)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});

describe('asking a service that is away', () => {
  const options = testBrokerOptions();
  const { request } = setEndpointV1.sample;
  afterAll(() => deleteNamespace(options.namespace));

  it('is refused within two seconds, and answered when the service comes back sooner', async () => {
    await (await startWebhooks(options)).close();
    const gateway = await connectGateway(options);
    const startedAt = performance.now();
    await expect(gateway.ask(setEndpointV1, request)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(performance.now() - startedAt).toBeLessThan(2_000);

    const answer = gateway.ask(setEndpointV1, request);
    const service = await startWebhooks(options);
    await expect(answer).resolves.toEqual(setEndpointV1.sample.response);
    await gateway.close();
    await service.close();
  });

  it('does not have a command carried out whose caller has stopped waiting', async () => {
    const release: (() => void)[] = [];
    const seen: string[] = [];
    const service = await startWebhooks(
      { ...options, prefetch: 2 },
      {
        setEndpoint: async ({ url }) => {
          seen.push(url);
          if (url === 'slow') await new Promise<void>((resolve) => release.push(resolve));
          return setEndpointV1.sample.response;
        },
      },
    );
    const gateway = await connectGateway(options);
    const slow = [1, 2].map(() => gateway.ask(setEndpointV1, { ...request, url: 'slow' }, { timeoutMs: 200 }));
    for (const answer of slow) await expect(answer).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(gateway.ask(setEndpointV1, { ...request, url: 'late' }, { timeoutMs: 200 })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    for (const goOn of release) goOn();
    await eventually(async () => expect(await gateway.ask(setEndpointV1, { ...request, url: 'next' })).toBeDefined());
    expect(seen).not.toContain('late');
    await gateway.close();
    await service.close();
  });

  it('looks at the deadline itself, for the broker cannot know how long a command lay in our own buffers', async () => {
    const seen: string[] = [];
    const service = await startWebhooks(options, {
      setEndpoint: ({ url }) => {
        seen.push(url);
        return setEndpointV1.sample.response;
      },
    });
    const gateway = await connectGateway(options);
    const raw = await openRawChannel();
    const queue = `${options.namespace}.${setEndpointV1.name}`;
    raw.put(queue, JSON.stringify({ ...request, url: 'too late' }), { 'x-deadline': Date.now() - 1 });
    raw.put(queue, JSON.stringify({ ...request, url: 'in time' }), { 'x-deadline': Date.now() + 60_000 });
    await eventually(() => expect(seen).toContain('in time'));
    expect(seen).toEqual(['in time']);
    await raw.close();
    await gateway.close();
    await service.close();
  });
});
