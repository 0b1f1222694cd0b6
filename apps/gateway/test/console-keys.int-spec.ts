import { eventually } from '@switchboard/testing';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Browser, type ConsoleAnswer, signedIn } from './support/console';
import { call } from './support/http';

const KEYS = '/console/v1/keys';
const BASE_URL = 'https://api.example.com/v1';
const SIMULATOR = 'http://localhost:3900';

interface ShownKey {
  id: string;
  name: string;
  state: string;
  prefix: string;
  lastFour: string;
  allowedIps: string[];
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

describe('console API keys', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let owner: Browser;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging'],
      settings: { TRUSTED_PROXY_HOPS: 1, SIMULATOR_PAGE_URL: SIMULATOR, PUBLIC_BASE_URL: 'https://api.example.com' },
    });
  });
  beforeEach(async () => {
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
    customer = await gateway.customer({ name: 'first' });
    owner = await signedIn(gateway, customer.accountId);
  });
  afterAll(() => gateway.close());

  const keyOf = ({ body }: ConsoleAnswer) => body.key as ShownKey;
  const create = async (body: object): Promise<{ apiKey: string; key: ShownKey }> => {
    const answer = await owner.call('POST', KEYS, { body });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([201, 'no-store']);
    return { apiKey: String(answer.body.apiKey), key: keyOf(answer) };
  };
  const use = async (key: string, headers: Record<string, string> = {}): Promise<[number, unknown]> => {
    const { status, body } = await call(`${gateway.url}/v1/me`, { key, headers });
    return [status, body.code];
  };

  it('issues a working key that is shown once', async () => {
    const { apiKey, key } = await create({ name: 'billing server' });
    expect(key).toMatchObject({ name: 'billing server', state: 'active', lastUsedAt: null, expiresAt: null });
    expect([apiKey.slice(0, key.prefix.length), apiKey.slice(-4)]).toEqual([key.prefix, key.lastFour]);
    expect(await use(apiKey)).toEqual([200, undefined]);
    const shown = JSON.stringify([
      (await owner.call('GET', KEYS)).body,
      (await owner.call('GET', `${KEYS}/${key.id}`)).body,
      (await owner.call('GET', '/console/v1/audit-log')).body,
    ]);
    expect(shown).toContain(key.id);
    expect(shown).not.toContain(apiKey);
  });

  it('lists keys newest first, by page and by state', async () => {
    const { key: second } = await create({ name: 'second' });
    const { key: third } = await create({ name: 'third' });
    await owner.call('POST', `${KEYS}/${second.id}/revoke`);
    const page = await owner.call('GET', `${KEYS}?limit=2`);
    expect((page.body.keys as ShownKey[]).map(({ id }) => id)).toEqual([third.id, second.id]);
    const rest = await owner.call('GET', `${KEYS}?limit=2&cursor=${String(page.body.nextCursor)}`);
    expect([(rest.body.keys as ShownKey[]).map(({ id }) => id), rest.body.nextCursor]).toEqual([
      [customer.keyId],
      null,
    ]);
    const revoked = await owner.call('GET', `${KEYS}?state=revoked`);
    expect((revoked.body.keys as ShownKey[]).map(({ id, state }) => [id, state])).toEqual([[second.id, 'revoked']]);
    expect((await owner.call('GET', `${KEYS}?state=lost`)).status).toBe(400);
  });

  it('restricts a key to the address of the session', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7' };
    const me = await owner.call('GET', '/console/v1/me', { headers });
    const { address } = me.body.session as { address: string };
    expect(address).toBe('203.0.113.7');
    const { apiKey, key } = await create({ name: 'fenced', allowedIps: [address] });
    expect(await use(apiKey, headers)).toEqual([200, undefined]);
    expect(await use(apiKey, { 'x-forwarded-for': '203.0.113.8' })).toEqual([403, 'IP_NOT_ALLOWED']);
    const changed = await owner.call('PATCH', `${KEYS}/${key.id}`, {
      body: { name: 'moved', allowedIps: ['203.0.113.8'], expiresAt: '2099-01-01T00:00:00.000Z' },
    });
    expect(keyOf(changed)).toMatchObject({ name: 'moved', expiresAt: '2099-01-01T00:00:00.000Z' });
    await eventually(async () =>
      expect(await use(apiKey, { 'x-forwarded-for': '203.0.113.8' })).toEqual([200, undefined]),
    );
    const unending = await owner.call('PATCH', `${KEYS}/${key.id}`, { body: { neverExpires: true } });
    expect(keyOf(unending)).toMatchObject({ name: 'moved', expiresAt: null, allowedIps: ['203.0.113.8/32'] });
  });

  it('rotates a key with an overlap', async () => {
    const { key, apiKey } = await create({ name: 'old' });
    const rotated = await owner.call('POST', `${KEYS}/${key.id}/rotate`, { body: { overlapHours: 1 } });
    expect(rotated.status).toBe(201);
    const replaced = rotated.body.replaced as ShownKey;
    expect(new Date(replaced.expiresAt ?? 0).getTime()).toBeGreaterThan(Date.now() + 3_500_000);
    expect([await use(apiKey), await use(String(rotated.body.apiKey))]).toEqual([
      [200, undefined],
      [200, undefined],
    ]);
    await owner.call('POST', `${KEYS}/${keyOf(rotated).id}/rotate`, { body: { overlapHours: 0 } });
    await eventually(async () => expect(await use(String(rotated.body.apiKey))).toEqual([401, 'UNAUTHORIZED']));
    expect((await owner.call('POST', `${KEYS}/${keyOf(rotated).id}/rotate`)).body.code).toBe('INVALID_PARAMETER');
  });

  it('revokes a key immediately and idempotently', async () => {
    const { key, apiKey } = await create({ name: 'leaked' });
    const first = keyOf(await owner.call('POST', `${KEYS}/${key.id}/revoke`));
    expect(first).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) as string });
    await eventually(async () => expect(await use(apiKey)).toEqual([401, 'UNAUTHORIZED']));
    expect(keyOf(await owner.call('POST', `${KEYS}/${key.id}/revoke`)).revokedAt).toBe(first.revokedAt);
  });

  it.each([
    ['no name', {}, 'MISSING_FIELD', 'name'],
    ['an empty name', { name: '' }, 'INVALID_VALUE', 'name'],
    ['a blank name', { name: '  ' }, 'INVALID_VALUE', 'name'],
    ['a name too long', { name: 'x'.repeat(101) }, 'TEXT_TOO_LONG', 'name'],
    ['an invalid address', { name: 'x', allowedIps: ['nowhere'] }, 'INVALID_PARAMETER', undefined],
    ['an invalid route', { name: 'x', allowedRoutes: ['everything'] }, 'INVALID_PARAMETER', undefined],
    ['an expiry in the past', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'INVALID_VALUE', 'expiresAt'],
    ['an invalid expiry', { name: 'x', expiresAt: 'tomorrow' }, undefined, 'expiresAt'],
  ])('rejects a new key with %s', async (_what, body, code, field) => {
    const answer = await owner.call('POST', KEYS, { body });
    expect([400, 422]).toContain(answer.status);
    if (code !== undefined) expect(answer.body.code).toBe(code);
    if (field !== undefined) expect(answer.body.details).toMatchObject([{ field }]);
    expect((await owner.call('GET', KEYS)).body.keys).toHaveLength(1);
  });

  it('rejects empty and contradictory changes to a key', async () => {
    const path = `${KEYS}/${customer.keyId}`;
    expect((await owner.call('PATCH', path, { body: {} })).body.code).toBe('MISSING_FIELD');
    const both = { neverExpires: true, expiresAt: '2099-01-01T00:00:00Z' };
    expect((await owner.call('PATCH', path, { body: both })).body.code).toBe('INVALID_PARAMETER');
  });

  it('audits changes with the names of key and user', async () => {
    const { key } = await create({ name: 'audited' });
    await owner.call('POST', `${KEYS}/${key.id}/revoke`);
    const { body } = await owner.call('GET', `/console/v1/audit-log?target=${key.id}`);
    const by = { actorName: 'Asha', targetName: 'audited', outcome: 'done' };
    expect(body.entries).toMatchObject([
      { action: 'key.revoke', ...by },
      { action: 'key.create', ...by, details: { name: 'audited', prefix: key.prefix } },
    ]);
  });

  it('serves the base URL and key prefix for the API guide', async () => {
    const { body } = await owner.call('GET', '/console/v1/api-guide');
    expect(body).toEqual({ success: true, baseUrl: BASE_URL, keyPrefix: 'sb_live_', simulatorUrl: SIMULATOR });
    expect((await create({ name: 'guided' })).apiKey.startsWith(String(body.keyPrefix))).toBe(true);
  });

  it('lists the routes to which a key can be restricted', async () => {
    const { body } = await owner.call('GET', '/console/v1/api-routes');
    const routes = (body.routes as { method: string; path: string }[]).map(({ method, path }) => `${method} ${path}`);
    expect(routes).toEqual(expect.arrayContaining(['POST /v1/messages/send', 'GET /v1/jobs/:jobId', 'GET /v1/me']));
    expect(routes.filter((route) => !/^(GET|POST|PUT|PATCH|DELETE) \/v1\//.test(route))).toEqual([]);
  });
});
