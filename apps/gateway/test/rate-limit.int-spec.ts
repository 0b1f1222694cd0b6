import { eventually } from '@switchboard/testing';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

describe('rate limit', () => {
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.services.plans.setPlan('tiny', { rateLimit: 3, rateWindowSeconds: 6 }, 'test');
  });
  afterAll(() => gateway.close());

  it('admits exactly the burst of a key', async () => {
    const { apiKey } = await gateway.customer({ plan: 'tiny' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => call(`${gateway.url}/v1/me`, { key: apiKey })));
    const admitted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([admitted.length, refused.length]).toEqual([3, 7]);
    expect(admitted.map(({ headers }) => headers.get('x-ratelimit-remaining')).sort()).toEqual(['0', '1', '2']);
    for (const { headers, body } of refused) {
      expect([body.code, body.message]).toEqual(['RATE_LIMITED', 'rate limit exceeded']);
      expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['3', '0']);
    }
    // One request is refilled every two seconds, so each rejected request gets its own retry time.
    const waits = refused.map(({ headers }) => Number(headers.get('retry-after'))).sort((a, b) => a - b);
    expect(new Set(waits).size).toBe(7);
    expect(waits[0]).toBeLessThanOrEqual(2);
    expect(waits[6]).toBeLessThanOrEqual(14);
    const inSeconds = Number(answers[0]?.headers.get('x-ratelimit-reset')) - Date.now() / 1000;
    expect(inSeconds).toBeGreaterThan(-1);
    expect(inSeconds).toBeLessThanOrEqual(7);
  });

  it('counts each key separately', async () => {
    const first = await gateway.customer({ plan: 'tiny' });
    const second = await gateway.customer({ plan: 'tiny' });
    for (const { apiKey } of [first, second]) {
      const { headers } = await call(`${gateway.url}/v1/me`, { key: apiKey });
      expect(headers.get('x-ratelimit-remaining')).toBe('2');
    }
  });

  it('admits a caller after Retry-After', async () => {
    const { apiKey } = await gateway.customer({ plan: 'tiny' });
    const get = () => call(`${gateway.url}/v1/me`, { key: apiKey });
    await Promise.all([get(), get(), get()]);
    const refused = await get();
    expect(refused.status).toBe(429);
    await new Promise((resolve) => setTimeout(resolve, Number(refused.headers.get('retry-after')) * 1000));
    expect((await get()).status).toBe(200);
  });

  it('applies to requests with rejected bodies', async () => {
    const { apiKey } = await gateway.customer({ plan: 'tiny' });
    const { status, headers } = await call(`${gateway.url}/v1/messages/send`, { key: apiKey, body: '{' });
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([400, '2']);
  });

  it('follows a change of the plan', async () => {
    await gateway.services.plans.setPlan('moving', { rateLimit: 5, rateWindowSeconds: 60 }, 'test');
    const { apiKey } = await gateway.customer({ plan: 'moving' });
    const limit = async () => (await call(`${gateway.url}/v1/me`, { key: apiKey })).headers.get('x-ratelimit-limit');
    expect(await limit()).toBe('5');
    await gateway.services.plans.setPlan('moving', { rateLimit: 50 }, 'test');
    await eventually(async () => expect(await limit()).toBe('50'));
  });
});
