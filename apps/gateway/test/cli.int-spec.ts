import {
  AppError,
  addNumberV1,
  getOtpSettingsV1,
  listTemplatesV1,
  setEndpointV1,
  setOtpSettingsV1,
  templateSample,
} from '@switchboard/contracts';
import { inTransit } from '@switchboard/platform';
import { eventually, testBrokerUrl } from '@switchboard/testing';
import { isWellFormedKey } from '../src/api-keys/api-key';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';
import { type OperatorUnderTest, operatorOn, testBox } from './support/operator';

const SECRETS = ['upstream-token-1', 'simulator-token-1', 'verify-token-1', 'whsec_c2VjcmV0'];

describe('operator CLI', () => {
  let gateway: GatewayUnderTest;
  let operator: OperatorUnderTest;
  let accountId: string;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging', 'webhooks', 'otp', 'templates'] });
    operator = operatorOn(gateway);
    ({ accountId } = await json('accounts', 'create', '--name', 'Shop', '--plan', 'growth'));
  });
  beforeEach(() => {
    gateway.fakes.reset();
    gateway.fakes.answer(addNumberV1, ({ phoneNumber }) => ({ id: 'num_1', phoneNumber }));
    gateway.fakes.answer(setEndpointV1, ({ accountId, url }) => {
      const sealedSecret = testBox.seal('whsec_c2VjcmV0', inTransit(setEndpointV1, 'sealedSecret', String(accountId)));
      return { id: 'ep_1', url, sealedSecret };
    });
  });
  afterAll(() => gateway.close());

  const run = (args: string[], overrides?: Record<string, string>) => operator.run(args, overrides);
  const json = <T = Record<string, string>>(...args: string[]): Promise<T> => operator.json<T>(...args);
  const audited = async (): Promise<string[]> => {
    const rows = await gateway.database.dataSource.query<{ action: string; actor: string }[]>(
      'SELECT action, actor FROM audit_log ORDER BY created_at, id',
    );
    return rows.filter(({ actor }) => actor === 'cli:tester').map(({ action }) => action);
  };

  it('creates and lists accounts', async () => {
    expect(accountId).toMatch(/^acc_[0-9a-z]{26}$/);
    const { accounts } = await json<{ accounts: unknown[] }>('accounts', 'list');
    expect(accounts).toContainEqual({
      accountId,
      name: 'Shop',
      plan: 'growth',
      createdAt: expect.any(String) as string,
      suspendedAt: null,
      suspendedReason: null,
      timeZone: null,
    });
  });

  it('issues a working key and revokes it', async () => {
    const issued = await json(
      'keys',
      'create',
      '--account',
      accountId,
      '--name',
      'server',
      '--ip',
      '127.0.0.0/8',
      '--ip',
      '::1',
      '--route',
      'GET /v1/*',
      '--expires',
      '2099-01-01T00:00:00Z',
    );
    const { apiKey = '', keyId = '' } = issued;
    expect(isWellFormedKey(apiKey)).toBe(true);
    expect(issued).toMatchObject({
      allowedIps: ['127.0.0.0/8', '::1/128'],
      allowedRoutes: ['GET /v1/*'],
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    expect((await call(`${gateway.url}/v1/me`, { key: apiKey })).status).toBe(200);
    const listed = await run(['keys', 'list', '--account', accountId]);
    expect(listed.out).toContain(keyId);
    expect(listed.out).not.toContain(apiKey);
    expect(await json('keys', 'revoke', '--key', keyId)).toMatchObject({
      keyId,
      revokedAt: expect.any(String) as string,
    });
    await eventually(async () => expect((await call(`${gateway.url}/v1/me`, { key: apiKey })).status).toBe(401));
  });

  it('changes only the given fields of a plan', async () => {
    await json('plans', 'set', '--name', 'gold', '--rate-limit', '7', '--feature', 'MEDIA');
    const changed = await json('plans', 'set', '--name', 'gold', '--bulk-recipients', '5');
    expect(changed).toMatchObject({
      name: 'gold',
      rateLimit: 7,
      rateWindowSeconds: 60,
      bulkRecipients: 5,
      features: ['MEDIA'],
    });
    const { plans } = await json<{ plans: { name: string }[] }>('plans', 'list');
    expect(plans.map(({ name }) => name)).toEqual(expect.arrayContaining(['starter', 'growth', 'scale', 'gold']));
  });

  it('adds a number with an encrypted token', async () => {
    const args = ['--account', accountId, '--phone-number', '15550783881', '--phone-number-id', '2', '--waba-id', '1'];
    expect(await json('numbers', 'add', ...args)).toMatchObject({ numberId: 'num_1', phoneNumber: '15550783881' });
    const [command] = gateway.fakes.of(addNumberV1);
    expect(
      testBox.open(String(command?.sealedAccessToken), inTransit(addNumberV1, 'sealedAccessToken', accountId)),
    ).toBe('upstream-token-1');
  });

  it('sets a webhook endpoint and shows its secret once', async () => {
    const set = await json(
      'webhooks',
      'set',
      '--account',
      accountId,
      '--url',
      'https://example.com/hook',
      '--verify-token',
      'verify-token-1',
    );
    expect(set).toEqual({
      success: true,
      id: 'ep_1',
      endpointId: 'ep_1',
      accountId,
      url: 'https://example.com/hook',
      secret: 'whsec_c2VjcmV0',
    });
    const [command] = gateway.fakes.of(setEndpointV1);
    expect(
      testBox.open(String(command?.sealedVerifyToken), inTransit(setEndpointV1, 'sealedVerifyToken', accountId)),
    ).toBe('verify-token-1');
  });

  it('tops up credits exactly under concurrency', async () => {
    const { accountId } = await json('accounts', 'create', '--name', 'Saver', '--plan', 'starter');
    const grants = Array.from({ length: 8 }, () =>
      json<{ balance: number }>('credits', 'top-up', '--account', accountId ?? '', '--amount', '25'),
    );
    const balances = (await Promise.all(grants)).map(({ balance }) => balance).sort((a, b) => a - b);
    expect(balances).toEqual([25, 50, 75, 100, 125, 150, 175, 200]);
    expect(await json('credits', 'show', '--account', accountId ?? '')).toMatchObject({ credits: { utility: 200 } });
    const [{ sum }] = (await gateway.database.dataSource.query(
      'SELECT sum(amount)::int FROM credit_ledger WHERE account_id = $1',
      [accountId],
    )) as [{ sum: number }];
    expect(sum).toBe(200);
    await expect(gateway.database.dataSource.query('UPDATE credit_ledger SET amount = 1')).rejects.toThrow(
      'append-only',
    );
  });

  it('creates one demo account in four concurrent runs', async () => {
    const seeded = await Promise.all(Array.from({ length: 4 }, () => json('demo', 'seed')));
    expect(
      (await json<{ accounts: { name: string }[] }>('accounts', 'list')).accounts.filter(({ name }) => name === 'Demo'),
    ).toHaveLength(1);
    expect(new Set(seeded.map(({ accountId: id }) => id)).size).toBe(1);
  });

  it('creates the demo account once with a working key', async () => {
    const { dashboardPassword, ...first } = await json('demo', 'seed', '--new-password');
    expect(first).toMatchObject({
      phoneNumber: '15550783881',
      contact: '919812345678',
      otpTemplate: 'verification_code',
    });
    const again = await json('demo', 'seed', '--api-key', first.apiKey ?? '');
    expect(again).toEqual(first);
    const signIn = (password?: string) =>
      call(`${gateway.url}/console/v1/session`, { body: { email: first.dashboardEmail, password } });
    expect((await signIn(dashboardPassword)).status).toBe(200);
    const renewed = await json('demo', 'seed', '--new-password', '--api-key', first.apiKey ?? '');
    expect((await signIn(dashboardPassword)).status).toBe(401);
    expect((await signIn(renewed.dashboardPassword)).status).toBe(200);
    const other = await json('demo', 'seed', '--api-key', 'sb_live_unknown');
    expect(other.accountId).toBe(first.accountId);
    expect(other.apiKey).not.toBe(first.apiKey);
    const { body } = await call(`${gateway.url}/v1/me`, { key: other.apiKey });
    expect(body).toMatchObject({ account: { name: 'Demo' }, plan: { name: 'growth' }, credits: { utility: 1000 } });
    const place = inTransit(addNumberV1, 'sealedAccessToken', first.accountId ?? '');
    expect(testBox.open(String(gateway.fakes.of(addNumberV1)[0]?.sealedAccessToken), place)).toBe('simulator-token-1');
  });

  it("selects the demo's OTP template once it is synced", async () => {
    const settings = { template: null, countries: null, sendsPerPrefix: 100 };
    gateway.fakes.answer(getOtpSettingsV1, () => ({ settings }));
    let looks = 0;
    gateway.fakes.answer(listTemplatesV1, () => ({
      templates: (looks += 1) < 3 ? [] : [{ ...templateSample, name: 'verification_code' }],
    }));
    const { accountId: id, otpTemplate } = await json('demo', 'seed');
    expect([looks, otpTemplate]).toEqual([3, 'verification_code']);
    expect(gateway.fakes.of(setOtpSettingsV1)).toEqual([
      { accountId: id, template: { name: 'verification_code', language: 'en_US' } },
    ]);
  });

  it('records every change without secrets', async () => {
    const actions = await audited();
    for (const action of [
      'account.create',
      'key.create',
      'key.revoke',
      'plan.set',
      'number.add',
      'webhook.set',
      'credits.top-up',
    ])
      expect(actions).toContain(action);
    const log = JSON.stringify(await gateway.database.dataSource.query('SELECT * FROM audit_log'));
    for (const secret of [...SECRETS, 'v1.', 'sha256']) expect(log).not.toContain(secret);
    expect(log).not.toMatch(/sb_live_\w{10,}/);
  });

  it.each([
    [['accounts', 'create', '--name', 'X', '--plan', 'none'], 'INVALID_PARAMETER', 'there is no plan none'],
    [['accounts', 'create', '--name', 'X'], 'INVALID_PARAMETER', 'a required option is missing: --plan <plan>'],
    [
      ['keys', 'create', '--account', 'acc_none', '--name', 'x'],
      'NOT_FOUND',
      'not found: there is no account acc_none',
    ],
    [
      ['keys', 'create', '--account', 'acc_none', '--name', 'x', '--ip', 'here'],
      'INVALID_PARAMETER',
      'here is not an IPv4 or IPv6 address or CIDR range',
    ],
    [
      ['keys', 'create', '--account', 'acc_none', '--name', 'x', '--expires', 'soon'],
      'INVALID_PARAMETER',
      expect.stringContaining('must be a time such as') as string,
    ],
    [
      ['keys', 'create', '--account', 'acc_none', '--name', 'x', '--route', 'GET /v1/nope'],
      'INVALID_PARAMETER',
      'there is no route GET /v1/nope',
    ],
    [
      ['keys', 'create', '--account', 'acc_none', '--name', 'x', '--expires', '2020-01-01T00:00:00Z'],
      'INVALID_VALUE',
      '--expires must be in the future; keys revoke ends a key now',
    ],
    [
      ['accounts', 'create', '--name', 'x\u001b]0;y', '--plan', 'starter'],
      'INVALID_VALUE',
      'name must have no control characters',
    ],
    [['keys', 'revoke', '--key', 'key_none'], 'NOT_FOUND', 'not found: there is no key key_none'],
    [
      ['plans', 'set', '--name', 'x', '--rate-limit', '0'],
      'INVALID_PARAMETER',
      expect.stringContaining('at least 1') as string,
    ],
    [
      ['plans', 'set', '--name', 'x', '--feature', 'FLY'],
      'INVALID_PARAMETER',
      expect.stringContaining('there is no feature FLY') as string,
    ],
    [
      ['credits', 'top-up', '--account', 'acc_none', '--amount', '-5'],
      'INVALID_PARAMETER',
      expect.stringContaining('at least 1') as string,
    ],
    [['nonsense'], 'INVALID_PARAMETER', "unknown command 'nonsense'"],
  ])('rejects %j with %s', async (args, code, message) => {
    const ran = await run([...args, '--json']);
    expect([ran.code, ran.out, JSON.parse(ran.err)]).toEqual([1, '', { success: false, message, code }]);
    const human = await run(args);
    expect([human.code, human.out]).toEqual([1, '']);
    expect(human.err).toContain('error: ');
  });

  it("passes on a service's error and audits the request", async () => {
    gateway.fakes.answer(setEndpointV1, () => {
      throw new AppError('INVALID_LINK', { message: 'the verification challenge failed: the endpoint answered 403' });
    });
    const before = await audited();
    const { err } = await run([
      'webhooks',
      'set',
      '--account',
      accountId,
      '--url',
      'https://example.com',
      '--verify-token',
      't',
      '--json',
    ]);
    expect(JSON.parse(err)).toEqual({
      success: false,
      code: 'INVALID_LINK',
      message: 'the verification challenge failed: the endpoint answered 403',
    });
    expect(await audited()).toEqual([...before, 'webhook.set']);
  });

  it.each([
    ['the database is down', { DATABASE_URL: 'postgres://x:x@127.0.0.1:1/x' }, /ECONNREFUSED/],
    ['the broker is down', { RABBITMQ_URL: 'amqp://x:x@127.0.0.1:1' }, /broker/],
    [
      'no service is running',
      // This login may create a namespace, in which no service is running.
      { RABBITMQ_URL: testBrokerUrl(), BROKER_NAMESPACE: 'nobody-home' },
      /the webhooks service does not answer/,
    ],
  ])('names the missing dependency if %s', async (_what, overrides, message) => {
    const startedAt = performance.now();
    const { code, err } = await run(
      ['webhooks', 'set', '--account', accountId, '--url', 'https://example.com', '--verify-token', 't', '--json'],
      overrides,
    );
    expect([code, JSON.parse(err)]).toEqual([
      1,
      { success: false, code: 'UNAVAILABLE', message: expect.stringMatching(message) as string },
    ]);
    expect(performance.now() - startedAt).toBeLessThan(8_000);
  });
});
