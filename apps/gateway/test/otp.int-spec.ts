import {
  AppError,
  getOtpStatisticsV1,
  getOtpSettingsV1,
  sendCodeV1,
  setOtpSettingsV1,
  verifyCodeV1,
} from '@switchboard/contracts';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { operatorOn } from './support/operator';

describe('one-time passwords', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  beforeAll(async () => {
    gateway = await startGateway({ standing: ['otp'] });
    customer = await gateway.customer();
  }, 120_000);
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close(), 120_000);

  const post = async (
    path: string,
    body: object,
    headers: Record<string, string> = {},
    { apiKey }: Customer = customer,
  ) => {
    const response = await fetch(`${gateway.url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const SEND = '/messages/send/authentication/utility';

  it('return the documented response without the code', async () => {
    const { status, body } = await post(SEND, { to: '919812345678', otp: '482913', expiryMinutes: 5 });
    const { upstreamId, expiresAt, creditsRemaining } = sendCodeV1.sample.response;
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        success: true,
        message_id: upstreamId,
        status: 'accepted',
        to: '919812345678',
        expiresAt,
        creditsRemaining,
      },
    });
    expect(JSON.stringify(body)).not.toContain('482913');
    expect(gateway.fakes.of(sendCodeV1)).toMatchObject([
      {
        accountId: customer.accountId,
        to: '919812345678',
        otp: '482913',
        expiryMinutes: 5,
        messageId: expect.stringMatching(/^msg_/),
        senderId: expect.stringMatching(/^key_/),
      },
    ]);
  });

  it('keep their ids when a request is repeated', async () => {
    for (const [path, body, contract, id] of [
      [SEND, { to: '919812345678', otp: '482913' }, sendCodeV1, 'messageId'],
      ['/otp/verify', { phone: '919812345678', otp: '482913' }, verifyCodeV1, 'attemptId'],
    ] as const) {
      const key = { 'idempotency-key': `key-${path}` };
      gateway.fakes.answer(contract, () => {
        throw new AppError('UNAVAILABLE');
      });
      expect((await post(path, body, key)).status).toBe(503);
      gateway.fakes.answer(contract, () => contract.sample.response);
      expect((await post(path, body, key)).status).toBe(200);
      expect((await post(path, body, key)).headers.get('idempotency-replay')).toBe('true');
      const ids = gateway.fakes.of(contract).map((asked) => asked[id]);
      expect(ids).toEqual([expect.any(String), ids[0]]);
    }
  });

  it('release the Idempotency-Key of a send without credits', async () => {
    const key = { 'idempotency-key': 'no-credits' };
    gateway.fakes.answer(sendCodeV1, () => {
      throw new AppError('INSUFFICIENT_CREDITS');
    });
    expect((await post(SEND, { to: '919812345678', otp: '482913' }, key)).status).toBe(403);
    gateway.fakes.answer(sendCodeV1, () => sendCodeV1.sample.response);
    const again = await post(SEND, { to: '919812345678', otp: '482914' }, key);
    expect([again.status, again.headers.get('idempotency-replay')]).toEqual([200, null]);
    const [first, second] = gateway.fakes.of(sendCodeV1);
    expect(second?.messageId).not.toBe(first?.messageId);
  });

  it('reject callers without the feature before the body', async () => {
    const starter = await gateway.customer({ plan: 'starter' });
    expect(await post(SEND, { to: 5 }, {}, starter)).toMatchObject({
      status: 403,
      body: { code: 'FEATURE_NOT_IN_PLAN' },
    });
    expect(gateway.fakes.of(sendCodeV1)).toEqual([]);
  });

  it('return Retry-After at a limit', async () => {
    gateway.fakes.answer(sendCodeV1, () => {
      throw new AppError('OTP_TOO_MANY_SENDS', { retryAfterSeconds: 321 });
    });
    const { status, headers, body } = await post(SEND, { to: '919812345678', otp: '482913' });
    expect({ status, retryAfter: headers.get('retry-after'), code: body['code'] }).toEqual({
      status: 429,
      retryAfter: '321',
      code: 'OTP_TOO_MANY_SENDS',
    });
  });

  it('let only the owner change their settings', async () => {
    const [owner, viewer] = [
      await signedIn(gateway, customer.accountId, 'owner'),
      await signedIn(gateway, customer.accountId, 'viewer'),
    ];
    const template = { name: 'verification_code', language: 'en_US' };
    const change = { template, sendsPerPrefix: 100, allCountries: true };
    expect(await viewer.call('PATCH', '/console/v1/otp/settings', { body: change })).toMatchObject({
      status: 403,
      body: { code: 'ROLE_NOT_ALLOWED' },
    });
    expect(await owner.call('PATCH', '/console/v1/otp/settings', { body: {} })).toMatchObject({
      status: 400,
      body: { code: 'MISSING_FIELD' },
    });
    expect(await owner.call('PATCH', '/console/v1/otp/settings', { body: change })).toMatchObject({
      status: 200,
      body: setOtpSettingsV1.sample.response,
    });
    expect(gateway.fakes.of(setOtpSettingsV1)).toMatchObject([
      { accountId: customer.accountId, template, sendsPerPrefix: 100, countries: null },
    ]);
    expect(await viewer.call('GET', '/console/v1/otp/settings')).toMatchObject({
      status: 200,
      body: getOtpSettingsV1.sample.response,
    });
    expect(await viewer.call('GET', '/console/v1/otp/figures?days=7')).toMatchObject({
      status: 200,
      body: getOtpStatisticsV1.sample.response,
    });
    expect(gateway.fakes.of(getOtpStatisticsV1)).toMatchObject([{ days: 7 }]);
    expect(await viewer.call('GET', '/console/v1/otp/figures?days=0')).toMatchObject({
      status: 400,
      body: { code: 'INVALID_PARAMETER' },
    });
    const { body } = await owner.call('GET', '/console/v1/audit-log');
    expect(
      (body['entries'] as object[]).filter((entry) => 'action' in entry && entry.action === 'otp.change-settings'),
    ).toHaveLength(1);
  });

  it('can be configured on the command line', async () => {
    const operator = operatorOn(gateway);
    expect(await operator.json('otp', 'show', '--account', customer.accountId)).toMatchObject({
      template: 'verification_code',
      language: 'en_US',
      countries: ['IN'],
      sendsPerPrefix: 20,
    });
    await operator.json(
      'otp',
      'set',
      '--account',
      customer.accountId,
      '--template',
      'codes',
      '--language',
      'en-US',
      '--country',
      'IN',
      '--country',
      'US',
      '--sends-per-prefix',
      'default',
    );
    expect(gateway.fakes.of(setOtpSettingsV1)).toMatchObject([
      {
        accountId: customer.accountId,
        template: { name: 'codes', language: 'en-US' },
        countries: ['IN', 'US'],
        sendsPerPrefix: null,
      },
    ]);
    expect(await operator.json('otp', 'figures', '--account', customer.accountId)).toMatchObject(
      getOtpStatisticsV1.sample.response.total,
    );
    expect(
      (await operator.run(['otp', 'set', '--account', customer.accountId, '--sends-per-prefix', '1001'])).code,
    ).not.toBe(0);
  });
});
