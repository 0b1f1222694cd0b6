import { eventually } from '@switchboard/testing';
import { randomInt } from 'node:crypto';
import { newAccount, type TestAccount } from '../support/account';
import { type Answer, get, post } from '../support/api';
import { done } from '../support/installation';
import { freshPhone, receivedUpstream } from '../support/simulator';
import { approved } from '../support/templates';

const AT_ONCE = 30;
const MOST_FAILURES = 5;
/** Magic number of the simulator. The upstream platform accepts messages to it and then fails them. */
const UNDELIVERABLE = '15005550104';

describe('chapter 9: one-time passwords', () => {
  let account: TestAccount;
  let phone: string;

  beforeAll(async () => {
    account = await newAccount('Codes of the specification', { plan: 'starter' });
    await done(
      'accounts',
      'override',
      '--account',
      account.accountId,
      '--add-feature',
      'THIRD_PARTY_API',
      '--rate-limit',
      '600',
      '--rate-burst',
      '600',
    );
    await done('credits', 'top-up', '--account', account.accountId, '--amount', '20', '--reason', 'test');
    await approved(account, ['verification_code']);
    await done('otp', 'set', '--account', account.accountId, '--template', 'verification_code');
  }, 90_000);
  beforeEach(() => {
    phone = freshPhone();
  });

  const send = (otp: string): Promise<Answer> =>
    post('/messages/send/authentication/utility', { to: phone, otp }, { apiKey: account.apiKey });
  const verify = (otp: string): Promise<Answer> => post('/otp/verify', { phone, otp }, { apiKey: account.apiKey });
  const newCode = (): string => String(randomInt(200_000, 999_999));
  const WRONG = '100000';

  it.each(['A1b2', 'AZaz09ZZ99'])('9.1.2 accepts a code of 4 to 10 letters and digits: %s', async (code) => {
    expect((await send(code)).status).toBe(200);
    expect(await verify(code)).toMatchObject({ status: 200, body: { success: true, verified: true } });
  });

  it('9.1.3 expires a code after 10 minutes, or after 1 to 90 on request', async () => {
    for (const [expiryMinutes, minutes] of [
      [undefined, 10],
      [1, 1],
      [90, 90],
    ] as const) {
      const before = Date.now();
      const { status, body } = await post(
        '/messages/send/authentication/utility',
        { to: freshPhone(), otp: newCode(), expiryMinutes },
        { apiKey: account.apiKey },
      );
      expect([status, Object.keys(body).sort()]).toEqual([
        200,
        ['creditsRemaining', 'expiresAt', 'id', 'message_id', 'status', 'success', 'to'],
      ]);
      const livesMs = Date.parse(String(body['expiresAt'])) - before;
      expect(livesMs).toBeGreaterThan(minutes * 60_000 - 1_000);
      expect(livesMs).toBeLessThan(minutes * 60_000 + 15_000);
    }
  });

  it('9.1.6 replaces the previous code with the new one', async () => {
    const [first, second] = [newCode(), `${newCode()}X`];
    for (const code of [first, second]) expect((await send(code)).status).toBe(200);
    expect(await verify(first)).toMatchObject({ status: 400, body: { code: 'OTP_INVALID' } });
    expect(await verify(second)).toMatchObject({ status: 200, body: { verified: true } });
  });

  it('9.2.2 accepts one of many concurrent calls with the right code', async () => {
    const code = newCode();
    expect((await send(code)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => verify(code)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('9.2.5 locks verification after five failures, even for the right code', async () => {
    let code = newCode();
    expect((await send(code)).status).toBe(200);
    for (let left = MOST_FAILURES - 1; left >= 0; left -= 1) {
      expect(await verify(WRONG)).toMatchObject({
        status: 400,
        body: { code: 'OTP_INVALID', attemptsRemaining: left },
      });
      // A new code does not reset the count.
      if (left === 2) expect((await send((code = newCode()))).status).toBe(200);
    }
    const locked = await verify(code);
    expect(locked).toMatchObject({ status: 429, body: { code: 'OTP_MAX_ATTEMPTS' } });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('9.2.6 does not count a retry of the verified code as a failure', async () => {
    const code = newCode();
    expect((await send(code)).status).toBe(200);
    expect((await verify(code)).status).toBe(200);
    for (let repeat = 0; repeat <= MOST_FAILURES; repeat += 1) {
      expect(await verify(code)).toMatchObject({
        status: 400,
        body: { code: 'OTP_INVALID', verified: false, attemptsRemaining: MOST_FAILURES },
      });
    }
    expect(await verify(WRONG)).toMatchObject({ status: 400, body: { attemptsRemaining: MOST_FAILURES - 1 } });
  });

  it('9.1.8 limits codes to numbers with different last four digits, if configured', async () => {
    await done('otp', 'set', '--account', account.accountId, '--sends-per-prefix', '2');
    const start = phone.slice(0, -4);
    const sendTo = (end: string): Promise<Answer> =>
      post(
        '/messages/send/authentication/utility',
        { to: `${start}${end}`, otp: newCode() },
        { apiKey: account.apiKey },
      );
    expect([(await sendTo('0001')).status, (await sendTo('0002')).status]).toEqual([200, 200]);
    expect(await sendTo('0003')).toMatchObject({
      status: 429,
      body: { code: 'OTP_TOO_MANY_SENDS', message: expect.stringContaining('sendsPerPrefix') as string },
    });
    await done('otp', 'set', '--account', account.accountId, '--sends-per-prefix', 'default');
  });

  it('9.1.11 refunds the credit of a code that is finally undeliverable', async () => {
    const creditsLeft = async (): Promise<number> => (await account.api.getMe()).credits.utility;
    const before = await creditsLeft();
    const answer = await post(
      '/messages/send/authentication/utility',
      { to: UNDELIVERABLE, otp: newCode() },
      { apiKey: account.apiKey },
    );
    expect(answer).toMatchObject({ status: 200, body: { creditsRemaining: before - 1 } });
    // Poll with the operator command, because polling the API would exhaust the account's rate limit.
    await eventually(async () =>
      expect(await done('credits', 'show', '--account', account.accountId)).toMatchObject({
        credits: { utility: before },
      }),
    );
  });

  it('9.1.9 rejects sends without charge while verification is locked', async () => {
    for (let failures = 0; failures < MOST_FAILURES; failures += 1) await verify(WRONG);
    const creditsLeft = async (): Promise<number> => (await account.api.getMe()).credits.utility;
    const before = await creditsLeft();
    expect(await send(newCode())).toMatchObject({ status: 429, body: { code: 'OTP_MAX_ATTEMPTS' } });
    expect(await creditsLeft()).toBe(before);
    expect(await receivedUpstream(phone)).toEqual([]);
  });
});

describe('chapter 2: suspended accounts', () => {
  it('2.2.3 returns 403 ACCOUNT_SUSPENDED for a suspended account', async () => {
    const { accountId, apiKey } = await newAccount('Suspended');
    await done('accounts', 'suspend', '--account', accountId, '--reason', 'test');
    await eventually(async () =>
      expect(await get('/me', { apiKey })).toMatchObject({ status: 403, body: { code: 'ACCOUNT_SUSPENDED' } }),
    );
    expect(
      (await done('audit', 'list', '--account', accountId, '--action', 'account.suspend'))['entries'],
    ).toMatchObject([{ action: 'account.suspend', target: accountId, details: { reason: 'test' } }]);
    await done('accounts', 'resume', '--account', accountId);
    await eventually(async () => expect((await get('/me', { apiKey })).status).toBe(200));
  });
});
