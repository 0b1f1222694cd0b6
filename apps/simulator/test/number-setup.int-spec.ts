import { eventually } from '@switchboard/testing';
import { servedVersion, TESTED_VERSIONS } from '@switchboard/upstream';
import {
  ACCESS_TOKEN,
  APP_SECRET,
  PHONE_NUMBER_ID,
  startSimulator,
  type StartedSimulator,
  WABA_ID,
} from './start-simulator';

const NEW = { id: '300000000000001', phoneNumber: '15550001111', wabaId: '400000000000001' };
const APP_ID = '670000000000001';

describe('number setup', () => {
  let simulator: StartedSimulator;
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  beforeEach(async () => {
    await simulator.control('reset', {});
    await simulator.control('numbers', { ...NEW, registered: false });
  });
  afterAll(() => simulator.close());

  const codeOf = async (method: string, path: string, body?: object) => {
    const { body: answer } = await simulator.graph(method, path, body);
    return (answer.error as { code: number } | undefined)?.code;
  };
  const register = (pin: unknown, id = NEW.id) =>
    codeOf('POST', `${id}/register`, { messaging_product: 'whatsapp', pin });
  const read = async (fields: string, id = NEW.id) => (await simulator.graph('GET', `${id}?fields=${fields}`)).body;

  it('registers with a PIN and accepts no other PIN afterwards', async () => {
    expect(await read('status,platform_type')).toMatchObject({ status: 'PENDING', platform_type: 'NOT_APPLICABLE' });
    expect([await register(undefined), await register('12345'), await register(123456)]).toEqual([100, 100, 100]);
    expect(await register('123456')).toBeUndefined();
    expect(await read('status,platform_type')).toMatchObject({ status: 'CONNECTED', platform_type: 'CLOUD_API' });
    expect([await register('123456'), await register('654321')]).toEqual([undefined, 133005]);
  });

  it('has a unique user name until it is deleted', async () => {
    const username = async (id = NEW.id) => (await simulator.graph('GET', `${id}/username`)).body;
    const set = (wanted: unknown, id = NEW.id) => codeOf('POST', `${id}/username`, { username: wanted });
    expect(await set('my.shop')).toBe(133010);
    await register('123456');
    expect([await username(), await set('my.shop'), await username()]).toEqual([
      {},
      undefined,
      { username: 'my.shop', status: 'approved' },
    ]);
    expect(await set('MY.SHOP', PHONE_NUMBER_ID)).toBe(147001);
    for (const [wanted, code] of [
      ['taken', 147001],
      ['facebook', 147003],
      ['instagram', 147004],
    ] as const)
      expect(await set(wanted)).toBe(code);
    for (const wanted of ['ab', '.shop', 'www.shop', 'my..shop', 'shop.com', '12345', 7])
      expect(await set(wanted)).toBe(100);
    expect((await simulator.graph('DELETE', `${NEW.id}/username`)).body).toEqual({ success: true });
    expect(await username()).toEqual({});
    expect(await set('reserved.shop', PHONE_NUMBER_ID)).toBeUndefined();
    expect(await username(PHONE_NUMBER_ID)).toEqual({ username: 'reserved.shop', status: 'reserved' });
    // The limit is that of the business, and so of all numbers.
    await simulator.control(`numbers/${NEW.phoneNumber}/tier`, { tier: 'TIER_250' });
    expect(await set('other.shop')).toBe(147002);
  });

  it('sends nothing before registration and after deregistration', async () => {
    const body = { messaging_product: 'whatsapp', to: '+919812345678', type: 'text', text: { body: 'Hi' } };
    const send = () => codeOf('POST', `${NEW.id}/messages`, body);
    const deregister = () => codeOf('POST', `${NEW.id}/deregister`);
    expect([await send(), await deregister()]).toEqual([133010, 133010]);
    await register('123456');
    expect(await send()).toBeUndefined();
    expect([await deregister(), await send()]).toEqual([undefined, 133010]);
  });

  it('locks after five wrong PINs and allows ten calls per three days', async () => {
    await simulator.control(`numbers/${NEW.phoneNumber}/registration`, { pin: '111111' });
    const codes: unknown[] = [];
    for (let tries = 0; tries < 11; tries += 1) codes.push(await register('222222'));
    expect(codes).toEqual([...Array(5).fill(133005), ...Array(5).fill(133008), 133016]);
  });

  it('fails once with an injected error', async () => {
    await simulator.control(`numbers/${NEW.phoneNumber}/registration`, { failsWith: 133015 });
    expect([await register('123456'), await register('123456')]).toEqual([133015, undefined]);
    await simulator.control(`numbers/${NEW.phoneNumber}/registration`, { verified: false });
    await simulator.graph('POST', `${NEW.id}/deregister`);
    expect(await register('123456')).toBe(133006);
  });

  it('sends callbacks only for subscribed accounts and fields', async () => {
    const heard = () => simulator.changes('messages').length;
    const writeIn = () =>
      simulator.control('inbound', { from: '919812345678', to: NEW.phoneNumber, type: 'text', text: { body: 'Hi' } });
    const before = heard();
    await writeIn();
    expect(await simulator.client.listSubscribedApps({ wabaId: NEW.wabaId, accessToken: ACCESS_TOKEN })).toEqual([]);
    await simulator.client.subscribeApp({ wabaId: NEW.wabaId, accessToken: ACCESS_TOKEN });
    expect(await simulator.client.listSubscribedApps({ wabaId: NEW.wabaId, accessToken: ACCESS_TOKEN })).toEqual([
      APP_ID,
    ]);
    await writeIn();
    await eventually(() => expect(heard()).toBe(before + 1));
    await simulator.control('app', { fields: ['account_update'] });
    await writeIn();
    await simulator.control('app', { fields: ['messages'] });
    expect((await simulator.graph('DELETE', `${NEW.wabaId}/subscribed_apps`)).body).toEqual({ success: true });
    await writeIn();
    await simulator.control('account', { event: 'ACCOUNT_RESTRICTION' });
    await simulator.client.subscribeApp({ wabaId: NEW.wabaId, accessToken: ACCESS_TOKEN });
    await writeIn();
    await eventually(() => expect(heard()).toBeGreaterThan(before + 1));
    expect(heard()).toBe(before + 2);
    expect(simulator.changes('account_update')).toEqual([]);
  });

  it('keeps numbers and templates of business accounts separate', async () => {
    const of = async (wabaId: string) =>
      (await simulator.client.listNumbers({ wabaId, accessToken: ACCESS_TOKEN })).map(({ id }) => id);
    expect([await of(NEW.wabaId), await of(WABA_ID)]).toEqual([[NEW.id], [PHONE_NUMBER_ID]]);
    const business = await simulator.graph('GET', `${NEW.wabaId}?fields=timezone_id,account_review_status`);
    expect(business.body).toEqual({ id: NEW.wabaId, timezone_id: '1', account_review_status: 'APPROVED' });
    const page = await simulator.graph('GET', `${NEW.wabaId}/message_templates?fields=name&summary=true`);
    expect(page.body).toMatchObject({
      data: [{ name: 'hello_world' }],
      summary: { total_count: 1, message_template_count: 1, message_template_limit: 6_000 },
    });
    const first = await simulator.graph('GET', `${WABA_ID}/message_templates?status=APPROVED&summary=total_count`);
    expect(first.body.summary).toEqual({ total_count: 3 });
  });

  it('lists many numbers in pages', async () => {
    for (let index = 0; index < 30; index += 1)
      await simulator.control('numbers', {
        id: String(310_000 + index),
        phoneNumber: `155500020${10 + index}`,
        wabaId: NEW.wabaId,
      });
    const first = await simulator.graph('GET', `${NEW.wabaId}/phone_numbers?fields=id`);
    expect(first.body.data).toHaveLength(25);
    expect(await simulator.client.listNumbers({ wabaId: NEW.wabaId, accessToken: ACCESS_TOKEN })).toHaveLength(31);
  });

  it('updates the given fields of a profile', async () => {
    const profile = () => simulator.client.getProfile({ phoneNumberId: NEW.id, accessToken: ACCESS_TOKEN });
    const set = (given: object) =>
      codeOf('POST', `${NEW.id}/whatsapp_business_profile`, { messaging_product: 'whatsapp', ...given });
    expect(await set({ about: 'Open', websites: ['https://example.com'] })).toBeUndefined();
    expect(await set({ description: 'Shoes' })).toBeUndefined();
    expect(await profile()).toMatchObject({ about: 'Open', description: 'Shoes', websites: ['https://example.com'] });
    for (const wrong of [{ about: '' }, { email: 'nobody' }, { websites: ['ftp://x'] }, { vertical: 'SHOES' }])
      expect(await set({ about: 'Changed', ...wrong })).toBe(100);
    expect(await profile()).toMatchObject({ about: 'Open' });
  });
});

describe('access tokens', () => {
  let simulator: StartedSimulator;
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterAll(() => simulator.close());

  const ask = async (path: string, token?: string, init: RequestInit = {}) => {
    const headers = { ...(token !== undefined && { authorization: `Bearer ${token}` }), ...init.headers };
    const answer = await fetch(`${simulator.url}/v24.0/${path}`, { ...init, headers });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const give = (token: string, rights: object) => simulator.control('tokens', { token, ...rights });

  it('are accepted in the query instead of the header', async () => {
    expect((await ask(`${PHONE_NUMBER_ID}?access_token=${ACCESS_TOKEN}`)).body).toMatchObject({ id: PHONE_NUMBER_ID });
    expect(await ask(PHONE_NUMBER_ID)).toMatchObject({ status: 400, body: { error: { code: 104 } } });
    expect(await ask(`${PHONE_NUMBER_ID}?access_token=other`)).toMatchObject({
      status: 401,
      body: { error: { code: 190 } },
    });
  });

  it('are limited to their permissions', async () => {
    await give('reader', { scopes: ['whatsapp_business_management'] });
    expect(await ask(PHONE_NUMBER_ID, 'reader')).toMatchObject({ status: 200 });
    expect(await ask(`${PHONE_NUMBER_ID}/messages`, 'reader', { method: 'POST' })).toMatchObject({
      status: 403,
      body: { error: { code: 200 } },
    });
    await give('elsewhere', { businesses: ['1'] });
    expect(await ask(PHONE_NUMBER_ID, 'elsewhere')).toMatchObject({
      body: { error: { code: 100, error_subcode: 33 } },
    });
    await give('old', { expiresAt: 1 });
    expect(await ask(PHONE_NUMBER_ID, 'old')).toMatchObject({ body: { error: { code: 190, error_subcode: 463 } } });
  });

  it('are described by debug_token', async () => {
    await give('some', { scopes: ['whatsapp_business_messaging'], businesses: ['1'], expiresAt: 4_000_000_000 });
    expect((await ask('debug_token?input_token=some', ACCESS_TOKEN)).body).toMatchObject({
      data: {
        app_id: APP_ID,
        is_valid: true,
        expires_at: 4_000_000_000,
        granular_scopes: [{ scope: 'whatsapp_business_messaging', target_ids: ['1'] }],
      },
    });
    expect((await ask('debug_token?input_token=none', ACCESS_TOKEN)).body).toMatchObject({ data: { is_valid: false } });
    expect(await simulator.client.debugToken({ accessToken: ACCESS_TOKEN })).toMatchObject({
      is_valid: true,
      expires_at: 0,
    });
  });

  it("can only read the app's subscriptions if issued to the app", async () => {
    const subscriptions = await simulator.client.listSubscriptions({
      appId: APP_ID,
      accessToken: `${APP_ID}|${APP_SECRET}`,
    });
    expect(subscriptions).toMatchObject([{ object: 'whatsapp_business_account', active: true }]);
    expect(await ask(`${APP_ID}/subscriptions`, ACCESS_TOKEN)).toMatchObject({ body: { error: { code: 15 } } });
    expect(await ask(PHONE_NUMBER_ID, `${APP_ID}|${APP_SECRET}`)).toMatchObject({ body: { error: { code: 190 } } });
  });
});

describe('request compatibility', () => {
  let simulator: StartedSimulator;
  beforeAll(async () => {
    simulator = await startSimulator();
  });
  afterAll(() => simulator.close());

  const call = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, ...init.headers };
    const answer = await fetch(simulator.url + path, { ...init, headers });
    const served = answer.headers.get('facebook-api-version');
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, served };
  };

  it('accepts a DELETE with a JSON content type but no body', async () => {
    const headers = { 'content-type': 'application/json' };
    const path = `/v24.0/${WABA_ID}/message_templates?name=spring_sale`;
    expect((await call(path, { method: 'DELETE', headers })).body).toEqual({ success: true });
  });

  it.each(['v99.0', 'v24.1', 'v27.0'])('rejects the unknown version %s', async (version) => {
    expect(await call(`/${version}/${PHONE_NUMBER_ID}?fields=id`)).toMatchObject({
      status: 400,
      body: { error: { code: 2500, message: `Unknown path components: /${PHONE_NUMBER_ID}` } },
    });
  });

  it.each([...TESTED_VERSIONS, 'v19.0', 'v3.1'])('accepts the version %s', async (version) => {
    const { status, served } = await call(`/${version}/${PHONE_NUMBER_ID}`);
    expect({ status, served }).toEqual({ status: 200, served: servedVersion(version, new Date()) });
  });
});
