import { randomInt } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount, type TestAccount } from './support/account';
import { type Answer, post } from './support/api';
import { done } from './support/installation';
import { freshPhone, receivedUpstream } from './support/simulator';
import { approved } from './support/templates';

const CREDITS = 8;

describe('one-time passwords', () => {
  let account: TestAccount;
  let phone: string;

  beforeAll(async () => {
    // Use a plan without monthly credits, so that a test can spend all credits.
    account = await newAccount('Codes', { plan: 'starter' });
    await done('accounts', 'override', '--account', account.accountId, '--add-feature', 'THIRD_PARTY_API');
    await done('credits', 'top-up', '--account', account.accountId, '--amount', String(CREDITS), '--reason', 'test');
    await approved(account, ['verification_code']);
    // The gateway may still have the previous plan cached.
    await eventually(async () => expect((await send({})).body).toMatchObject({ code: 'MISSING_FIELD' }));
  }, 90_000);
  beforeEach(() => {
    phone = freshPhone();
  });

  const send = (body: object, more: Record<string, string> = {}): Promise<Answer> =>
    post('/messages/send/authentication/utility', body, { apiKey: account.apiKey, headers: more });
  const verify = (otp: string, to = phone): Promise<Answer> =>
    post('/otp/verify', { phone: to, otp }, { apiKey: account.apiKey });
  const newCode = (): string => String(randomInt(100_000, 999_999));
  const creditsLeft = async (): Promise<number> => (await account.api.getMe()).credits.utility;

  it('require a template that can contain a code', async () => {
    const { status, body } = await send({ to: phone, otp: '482913' });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'TEMPLATE_NOT_FOUND', message: expect.stringContaining('template not found or not approved') },
    });
    await expect(done('otp', 'set', '--account', account.accountId, '--template', 'hello_world')).rejects.toThrow(
      'TEMPLATE_PARAMS_MISMATCH',
    );
    expect(await done('otp', 'set', '--account', account.accountId, '--template', 'verification_code')).toMatchObject({
      template: 'verification_code',
      countries: 'all',
      sendsPerPrefix: 100,
    });
  });

  it('cost one credit, verify once, and are never stored', async () => {
    const [code, before] = [newCode(), await creditsLeft()];
    const { status, body } = await send({ to: phone, otp: code, expiryMinutes: 5 });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { success: true, status: 'accepted', to: phone, creditsRemaining: before - 1 },
    });
    expect(JSON.stringify(body)).not.toContain(code);
    expect(await receivedUpstream(phone)).toMatchObject([
      {
        wamid: body['message_id'],
        body: {
          template: {
            components: expect.arrayContaining([
              expect.objectContaining({ type: 'body', parameters: [{ type: 'text', text: code }] }),
            ]),
          },
        },
      },
    ]);
    const { messages } = await account.api.listMessages({ phone });
    expect(messages).toMatchObject([{ message_id: body['message_id'] }]);
    expect(JSON.stringify(messages)).not.toContain(code);
    expect(await verify(code === '100000' ? '100001' : '100000')).toMatchObject({
      status: 400,
      body: {
        success: false,
        verified: false,
        code: 'OTP_INVALID',
        message: 'invalid or expired OTP',
        attemptsRemaining: 4,
      },
    });
    const { status: verified, body: answer } = await verify(code);
    expect([verified, answer]).toEqual([200, { success: true, verified: true }]);
    expect(await verify(code)).toMatchObject({ status: 400, body: { code: 'OTP_INVALID' } });
    await eventually(async () => expect(await creditsLeft()).toBe(before - 1));
  });

  it('are sent once and verified once per Idempotency-Key', async () => {
    const [code, before, key] = [newCode(), await creditsLeft(), { 'idempotency-key': `otp-${phone}` }];
    const [first, again] = [await send({ to: phone, otp: code }, key), await send({ to: phone, otp: code }, key)];
    expect(again.body).toEqual(first.body);
    expect(await receivedUpstream(phone)).toHaveLength(1);
    expect(await creditsLeft()).toBe(before - 1);
    const verifyOnce = () => post('/otp/verify', { phone, otp: code }, { apiKey: account.apiKey, headers: key });
    const [verified, replayed] = [await verifyOnce(), await verifyOnce()];
    expect([verified.status, verified.body]).toEqual([200, { success: true, verified: true }]);
    expect([replayed.status, replayed.body]).toEqual([200, verified.body]);
    expect(replayed.headers.get('idempotency-replay')).toBe('true');
  });

  it.each([
    ['no recipient', { otp: '482913' }, 400, 'MISSING_FIELD'],
    ['no code', { to: '919812345678' }, 400, 'MISSING_FIELD'],
    ['a recipient that is none', { to: '+12', otp: '482913' }, 422, 'INVALID_PHONE'],
    ['a code that is too short', { to: '919812345678', otp: '123' }, 422, 'INVALID_VALUE'],
    ['a code with other characters', { to: '919812345678', otp: '48 913' }, 422, 'INVALID_VALUE'],
    ['a code that is a number', { to: '919812345678', otp: 482913 }, 400, 'INVALID_PARAMETER'],
    ['a life of 91 minutes', { to: '919812345678', otp: '482913', expiryMinutes: 91 }, 422, 'INVALID_VALUE'],
    ['a life of no minute', { to: '919812345678', otp: '482913', expiryMinutes: 0 }, 422, 'INVALID_VALUE'],
    ['a life of half a minute', { to: '919812345678', otp: '482913', expiryMinutes: 0.5 }, 400, 'INVALID_PARAMETER'],
  ])('are rejected for %s', async (_what, body, status, code) =>
    expect(await send(body)).toMatchObject({ status, body: { success: false, code } }),
  );

  it('are rejected outside the plan before any other check', async () => {
    const { apiKey } = await newAccount('Starter', { plan: 'starter' });
    expect(await post('/messages/send/authentication/utility', {}, { apiKey })).toMatchObject({
      status: 403,
      body: { code: 'FEATURE_NOT_IN_PLAN' },
    });
  }, 60_000);

  it('return 429 after five sends to a phone, and 403 without credits', async () => {
    for (let sends = 0; sends < 5; sends += 1) expect((await send({ to: phone, otp: newCode() })).status).toBe(200);
    const sixth = await send({ to: phone, otp: newCode() });
    expect(sixth).toMatchObject({ status: 429, body: { code: 'OTP_TOO_MANY_SENDS' } });
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(500);
    while ((await creditsLeft()) > 0) await send({ to: freshPhone(), otp: newCode() });
    expect(await send({ to: freshPhone(), otp: newCode() })).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_CREDITS' },
    });
    expect(await creditsLeft()).toBe(0);
    const { sent, verified } = await done('otp', 'figures', '--account', account.accountId);
    expect({ sent, verified }).toEqual({ sent: CREDITS, verified: 2 });
  }, 60_000);
});
