import {
  type CheckNumberCommand,
  checkNumberV1,
  newId,
  type PrepareNumberCommand,
  prepareNumberV1,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import {
  ACCESS_TOKEN,
  type RunningMessaging,
  startMessaging,
  type TestAccount,
  testBox,
} from './support/start-messaging';
import { errorBody, numberObject, writeJson } from './support/upstream';

const WABA = '100000000000001';
const TOKEN = {
  is_valid: true,
  app_id: '7',
  expires_at: 0,
  scopes: ['whatsapp_business_messaging', 'whatsapp_business_management'],
};

describe('number connection check', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging();
  });
  beforeEach(async () => {
    messaging.upstream.accept(ACCESS_TOKEN);
    serve(`${WABA}/phone_numbers`);
    account = await messaging.addAccount();
    serve('debug_token', { data: TOKEN });
    serve(WABA, { id: WABA, name: 'Acme' });
    serve(`${WABA}/subscribed_apps`, { data: [{ whatsapp_business_api_data: { id: '7' } }] });
  });
  afterAll(() => messaging.stop());

  const serve = (path: string, body?: object, status = 200): void =>
    messaging.upstream.serve(`/v24.0/${path}`, body && ((_, response) => writeJson(response, status, body)));
  const seal = (name: string, secret: string, { accountId } = account): string =>
    testBox.seal(secret, inTransit(checkNumberV1, name, accountId));
  const check = (more: Partial<CheckNumberCommand> = {}) =>
    messaging.gateway.request(checkNumberV1, {
      accountId: account.accountId,
      phoneNumber: account.phoneNumber,
      ...more,
    });
  const statesOf = async (more: Partial<CheckNumberCommand> = {}) =>
    Object.fromEntries((await check(more)).checks.map(({ check: name, state }) => [name, state]));
  const questions = (): number => messaging.upstream.reads.filter((path) => path.includes('debug_token')).length;

  it('uses the stored token', async () => {
    expect(await check()).toMatchObject({ wabaId: WABA, phoneNumberId: account.phoneNumberId, isAdded: true });
    expect(await statesOf()).toMatchObject({
      token: 'ok',
      permissions: 'ok',
      business: 'ok',
      number: 'ok',
      subscription: 'ok',
      fields: 'unknown',
      registration: 'ok',
      standing: 'ok',
      callbacks: 'missing',
    });
    serve(`${WABA}/phone_numbers`, { data: [numberObject('another')] });
    expect(await statesOf()).toMatchObject({ business: 'ok', number: 'missing' });
  });

  it('stops at the first failed prerequisite', async () => {
    serve('debug_token', { data: { ...TOKEN, scopes: [] } });
    expect(await statesOf()).toEqual({ token: 'ok', permissions: 'missing' });
    serve('debug_token', errorBody(190, { subcode: 463 }), 401);
    expect(await statesOf()).toEqual({ token: 'missing' });
    serve('debug_token', { data: TOKEN });
    serve(WABA, errorBody(100, { subcode: 33 }), 400);
    expect(await statesOf()).toEqual({ token: 'ok', permissions: 'ok', business: 'missing' });
    await messaging.dataSource.query("UPDATE numbers SET sealed_access_token = 'v1.x' WHERE id = $1", [
      account.numberId,
    ]);
    expect(await statesOf()).toEqual({ token: 'missing' });
  });

  it('queries the platform unless a cached result is allowed', async () => {
    const before = questions();
    for (let times = 0; times < 3; times += 1) await check({ maxAgeSeconds: 60 });
    expect(questions()).toBe(before + 1);
    serve('debug_token', { data: { ...TOKEN, scopes: [] } });
    expect(await statesOf()).toMatchObject({ permissions: 'missing' });
    expect(await statesOf({ maxAgeSeconds: 60 })).toMatchObject({ permissions: 'ok' });
  });

  it('fails while the platform throttles, fails or times out', async () => {
    serve('debug_token', errorBody(4), 400);
    await expect(check()).rejects.toMatchObject({ code: 'UPSTREAM_THROTTLED' });
    serve('debug_token', errorBody(2), 503);
    await expect(check()).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    messaging.upstream.serve('/v24.0/debug_token', () => undefined);
    await expect(check()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
  });

  it('rejects numbers and credentials of another account', async () => {
    const accountId = newId('acc');
    await expect(check({ accountId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const sealedAccessToken = seal('sealedAccessToken', ACCESS_TOKEN, { ...account, accountId });
    serve(`${WABA}/phone_numbers`, {
      data: [{ ...numberObject(account.phoneNumberId), display_phone_number: `+${account.phoneNumber}` }],
    });
    const { checks, ...reply } = await check({ accountId, wabaId: WABA, sealedAccessToken });
    expect(reply).toMatchObject({ phoneNumberId: null, isAdded: false });
    expect(checks.at(-1)).toMatchObject({
      check: 'number',
      state: 'missing',
      found: expect.stringContaining('another'),
    });
    // A value encrypted for one account cannot be decrypted for another.
    await expect(check({ wabaId: WABA, sealedAccessToken })).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('looks up the number with the token from the command', async () => {
    serve(`${WABA}/phone_numbers`, {
      data: [{ ...numberObject(account.phoneNumberId), display_phone_number: `+${account.phoneNumber}` }],
    });
    const isAdded = async (token: string) => {
      messaging.upstream.accept(token);
      return (await check({ wabaId: WABA, sealedAccessToken: seal('sealedAccessToken', token) })).isAdded;
    };
    expect([await isAdded(ACCESS_TOKEN), await isAdded('EAAG-renewed')]).toEqual([true, false]);
    await messaging.dataSource.query('UPDATE numbers SET stopped_at = now() WHERE id = $1', [account.numberId]);
    expect(await isAdded(ACCESS_TOKEN)).toBe(false);
  });

  it.each([
    ['12345', 'INVALID_VALUE'],
    ['12345x', 'INVALID_VALUE'],
    [undefined, 'MISSING_FIELD'],
  ])('does not register with the PIN %s', async (pin, code) => {
    const sealFor = (name: string, secret: string) =>
      testBox.seal(secret, inTransit(prepareNumberV1, name, account.accountId));
    const command: PrepareNumberCommand = {
      accountId: account.accountId,
      step: 'register',
      wabaId: WABA,
      phoneNumberId: account.phoneNumberId,
      sealedAccessToken: sealFor('sealedAccessToken', ACCESS_TOKEN),
      ...(pin !== undefined && { sealedPin: sealFor('sealedPin', pin) }),
    };
    await expect(messaging.gateway.request(prepareNumberV1, command)).rejects.toMatchObject({ code });
  });
});
