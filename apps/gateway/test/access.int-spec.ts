import { listNumbersV1, sendMessageV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { generateApiKey } from '../src/api-keys/api-key';
import { KeyCache } from '../src/auth/key-cache';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const MINUTE_MS = 60_000;

describe('API access', () => {
  let gateway: GatewayUnderTest;
  const me = (options: Parameters<typeof call>[1] = {}) => call(`${gateway.url}/v1/me`, options);

  beforeAll(async () => {
    gateway = await startGateway({ settings: { TRUSTED_PROXY_HOPS: 1 } });
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  it('admits a valid key', async () => {
    const restrictions = { allowedIps: ['127.0.0.0/8'], allowedRoutes: ['GET /v1/m*'] };
    const expiresAt = new Date(Date.now() + MINUTE_MS);
    const { apiKey } = await gateway.customer({ ...restrictions, expiresAt });
    const { status, body } = await me({ key: apiKey });
    expect(status).toBe(200);
    expect(body).toMatchObject({ apiClient: { ...restrictions, expiresAt: expiresAt.toISOString() } });
  });

  it('returns the same error for every invalid key', async () => {
    const message = 'missing or invalid API key: send the header Authorization: Bearer <API key>';
    const revoked = await gateway.customer();
    await gateway.services.keys.revokeKey(revoked, 'test');
    const expired = await gateway.customer({ expiresAt: new Date(Date.now() - 1) });
    const good = await gateway.customer();
    const headers = [
      undefined,
      '',
      'Bearer',
      'Bearer x',
      `Basic ${good.apiKey}`,
      good.apiKey,
      `Bearer ${good.apiKey.slice(0, -1)}`,
      `Bearer ${generateApiKey()}`,
      `Bearer ${revoked.apiKey}`,
      `Bearer ${expired.apiKey}`,
    ];
    const answers = await Promise.all(
      headers.map((authorization) => me({ headers: authorization === undefined ? {} : { authorization } })),
    );
    for (const { status, body, headers: answered } of answers) {
      expect([status, body.code, body.message]).toEqual([401, 'UNAUTHORIZED', message]);
      expect(answered.get('www-authenticate')).toMatch(/^Bearer/);
    }
    expect(answers.every(({ headers: answered }) => answered.get('x-ratelimit-limit') === null)).toBe(true);
  });

  it('rejects a key with a wrong checksum without a query', async () => {
    const { apiKey } = await gateway.customer();
    const mistyped = `${apiKey.slice(0, 20)}${apiKey.charAt(20) === 'a' ? 'b' : 'a'}${apiKey.slice(21)}`;
    gateway.app.get(KeyCache).clear();
    await gateway.database.dataSource.query('ALTER TABLE api_keys RENAME TO api_keys_away');
    try {
      expect((await me({ key: mistyped })).status).toBe(401);
      expect((await me({ key: apiKey })).status).toBe(500);
    } finally {
      await gateway.database.dataSource.query('ALTER TABLE api_keys_away RENAME TO api_keys');
    }
  });

  it.each([
    [['203.0.113.0/24'], '203.0.113.9', 200],
    [['203.0.113.0/24'], '198.51.100.1', 403],
    [['203.0.113.0/24'], '203.0.113.9, 198.51.100.1', 403],
    [['203.0.113.0/24'], '10.0.0.1, 203.0.113.9', 200],
    [['2001:db8::/32'], '2001:db8::7', 200],
    [['127.0.0.0/8'], undefined, 200],
    [['10.0.0.0/8'], undefined, 403],
  ])('applies the address list %j to %s: returns %s', async (allowedIps, forwardedFor, status) => {
    const { apiKey } = await gateway.customer({ allowedIps });
    const answer = await me({
      key: apiKey,
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
    });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.code).toBe('IP_NOT_ALLOWED');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('6000');
  });

  it('applies the route list before a body is read', async () => {
    const { apiKey } = await gateway.customer({ allowedRoutes: ['GET /v1/m*'] });
    expect((await me({ key: apiKey })).status).toBe(200);
    expect((await call(`${gateway.url}/v1/messages`, { key: apiKey })).status).toBe(200);
    const refused = await call(`${gateway.url}/v1/messages/send`, {
      key: apiKey,
      body: 'no json',
      headers: { 'content-type': 'text/plain' },
    });
    expect([refused.status, refused.body.code]).toEqual([403, 'ROUTE_NOT_ALLOWED']);
    expect(gateway.fakes.of(sendMessageV1)).toEqual([]);
  });

  it('does not route other spellings of a path', async () => {
    const { apiKey } = await gateway.customer({ allowedRoutes: ['GET /*templates'] });
    expect((await call(`${gateway.url}/v1/%74emplates`, { key: apiKey })).status).toBe(200);
    for (const path of ['/v1/%6De', '/v1/templates/../me', '/v1/me?x=/v1/templates', '/v1/me#/v1/templates']) {
      expect((await call(`${gateway.url}${path}`, { key: apiKey })).status).not.toBe(200);
    }
    expect(gateway.fakes.of(listNumbersV1)).toEqual([]);
  });

  it('checks the key, then the route, then the rate', async () => {
    const { apiKey } = await gateway.customer({ allowedRoutes: ['GET /v1/templates'], allowedIps: ['10.0.0.0/8'] });
    expect((await call(`${gateway.url}/v1/messages/send`, { body: 'no json' })).status).toBe(401);
    const { body, headers } = await me({ key: apiKey });
    expect([body.code, headers.get('x-ratelimit-remaining')]).toEqual(['IP_NOT_ALLOWED', '6000']);
  });

  it.each([
    ['GET', '/v1/nothing', 404, 'NOT_FOUND'],
    ['DELETE', '/v1/me', 405, 'METHOD_NOT_ALLOWED'],
  ])('authenticates and counts %s %s like any other request', async (method, path, status, code) => {
    const ask = async (key: string) => {
      const { status: answered, body, headers } = await call(gateway.url + path, { method, key });
      return [answered, body.code, headers.get('x-ratelimit-remaining')];
    };
    await gateway.services.plans.setPlan('two', { rateLimit: 2, rateWindowSeconds: 600 }, 'test');
    const { apiKey } = await gateway.customer({ plan: 'two', allowedRoutes: ['GET /v1/templates'] });
    expect([await ask(apiKey), await ask(apiKey), await ask(apiKey)]).toEqual([
      [status, code, '1'],
      [status, code, '0'],
      [429, 'RATE_LIMITED', '0'],
    ]);
    const elsewhere = await gateway.customer({ allowedIps: ['10.0.0.0/8'] });
    expect(await ask(elsewhere.apiKey)).toEqual([403, 'IP_NOT_ALLOWED', '6000']);
  });

  it('records the use of a key once a minute', async () => {
    const { apiKey, keyId } = await gateway.customer();
    const lastUse = async (): Promise<Date | null> => {
      const [row] = await gateway.database.dataSource.query<{ last_used_at: Date | null }[]>(
        'SELECT last_used_at FROM api_keys WHERE id = $1',
        [keyId],
      );
      return row?.last_used_at ?? null;
    };
    await me({ key: apiKey });
    const first = await eventually(async () => {
      const time = await lastUse();
      expect(time).not.toBeNull();
      return time as Date;
    });
    await Promise.all(Array.from({ length: 5 }, () => me({ key: apiKey })));
    expect(await lastUse()).toEqual(first);
    await gateway.database.dataSource.query(
      "UPDATE api_keys SET last_used_at = now() - interval '61 seconds' WHERE id = $1",
      [keyId],
    );
    // Clears the cached client, which remembers that its use was just recorded.
    gateway.app.get(KeyCache).clear();
    await me({ key: apiKey });
    await eventually(async () => expect((await lastUse())?.getTime()).toBeGreaterThan(Date.now() - MINUTE_MS));
  });
});

describe('REQUIRE_HTTPS', () => {
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { TRUSTED_PROXY_HOPS: 1, REQUIRE_HTTPS: true } });
  });
  afterAll(() => gateway.close());

  it.each([
    [undefined, 403],
    ['http', 403],
    ['https, http', 403],
    ['https', 200],
    ['HTTPS', 200],
    ['http, https', 200],
  ])('returns %s to a request with %j', async (protocol, status) => {
    const { apiKey } = await gateway.customer();
    const headers: Record<string, string> = protocol === undefined ? {} : { 'x-forwarded-proto': protocol };
    const answer = await call(`${gateway.url}/v1/me`, { key: apiKey, headers });
    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.code).toBe('HTTPS_REQUIRED');
    // A rejected request does not count.
    expect([answer.headers.get('x-ratelimit-limit'), answer.headers.get('x-ratelimit-remaining')]).toEqual([
      '6000',
      status === 200 ? '5999' : '6000',
    ]);
  });

  it.each(['/v1/openapi.json', '/console/v1/me'])('applies to %s, which requires no API key', async (path) => {
    const response = await fetch(`${gateway.url}${path}`, { headers: { 'x-forwarded-proto': 'http' } });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ success: false, code: 'HTTPS_REQUIRED' });
  });

  it('checks HTTPS, addresses, routes, rate, feature and body in order', async () => {
    await gateway.services.plans.setPlan('one', { rateLimit: 1, rateWindowSeconds: 600 }, 'test');
    const ask = async (key: string, proto: string, ip: string): Promise<unknown> => {
      const headers = { 'x-forwarded-proto': proto, 'x-forwarded-for': ip };
      return (await call(`${gateway.url}/v1/messages/send/bulk`, { key, headers, body: 'no json' })).body.code;
    };
    const inside = '203.0.113.9';
    const near = { plan: 'one', allowedIps: [`${inside}/32`] };
    const elsewhere = await gateway.customer({ ...near, allowedRoutes: ['GET /v1/me'] });
    expect(await ask(elsewhere.apiKey, 'http', '198.51.100.1')).toBe('HTTPS_REQUIRED');
    expect(await ask(elsewhere.apiKey, 'https', '198.51.100.1')).toBe('IP_NOT_ALLOWED');
    expect(await ask(elsewhere.apiKey, 'https', inside)).toBe('ROUTE_NOT_ALLOWED');
    const missing = { key: elsewhere.apiKey, headers: { 'x-forwarded-proto': 'http' } };
    expect((await call(`${gateway.url}/v1/nothing`, missing)).body.code).toBe('HTTPS_REQUIRED');
    expect((await call(`${gateway.url}/v1/me`, { ...missing, method: 'DELETE' })).body.code).toBe('HTTPS_REQUIRED');
    // None of these requests counts.
    const allowed = await gateway.customer(near);
    expect(await ask(allowed.apiKey, 'http', inside)).toBe('HTTPS_REQUIRED');
    expect(await ask(allowed.apiKey, 'https', inside)).toBe('FEATURE_NOT_IN_PLAN');
    expect(await ask(allowed.apiKey, 'https', inside)).toBe('RATE_LIMITED');
    const whole = await gateway.customer({ allowedIps: near.allowedIps });
    expect(await ask(whole.apiKey, 'https', inside)).toBe('INVALID_JSON');
  });

  it('checks the key before HTTPS', async () => {
    expect((await call(`${gateway.url}/v1/me`)).status).toBe(401);
  });
});
