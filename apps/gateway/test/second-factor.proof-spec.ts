import { SecretBox } from '@switchboard/platform';
import { TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { CleanupService } from '../src/cleanup/cleanup.service';
import { recoveryHash } from '../src/users/recovery-codes';
import {
  Browser,
  codeOf,
  type ConsoleAnswer,
  describedConsole,
  newUser,
  PASSWORD,
  signedIn,
  usersOn,
} from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { operatorOn, type OperatorUnderTest } from './support/operator';

const ME = '/console/v1/me';
const FACTOR = `${ME}/second-factor`;
const COMPLETE = '/console/v1/session/second-factor';
const NEW_KEY = Buffer.alloc(32, 9).toString('base64');

interface Enrolled extends Browser {
  user: { userId: string; email: string };
  secret: string;
  recoveryCodes: string[];
}

/** Routes for callers who are not signed in. */
const WITHOUT_SESSION = /^\/console\/v1\/(session|invitations\/(open|accept)|password-resets\/)/;

describe('second factor', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let operator: OperatorUnderTest;

  beforeAll(async () => {
    gateway = await startGateway({ standing: [], settings: { TRUSTED_PROXY_HOPS: 1 } });
    customer = await gateway.customer();
    operator = operatorOn(gateway);
  });
  beforeEach(() => sql('DELETE FROM sign_in_attempts'));
  afterAll(() => gateway.close());

  const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    gateway.database.dataSource.query<T[]>(text, values);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const begin = async (browser: Browser): Promise<{ secret: string; uri: string; qrCode: string }> =>
    (await browser.call('POST', FACTOR, { body: { password: PASSWORD } })).body as never;
  const confirm = (browser: Browser, code: string) => browser.call('POST', `${FACTOR}/confirm`, { body: { code } });
  const complete = (browser: Browser, code: string, headers: Record<string, string> = {}) =>
    browser.call('POST', COMPLETE, { body: { code }, headers });
  /** Forgets the last time step, so that each test can use the current code. */
  const forgetStep = ({ userId }: { userId: string }) =>
    sql('UPDATE second_factors SET last_step = 0 WHERE user_id = $1', [userId]);
  const audited = async (userId: string): Promise<string[]> =>
    (
      await sql<{ entry: string }>(
        `SELECT concat_ws(' ', action, outcome, details ->> 'secondFactor') AS entry FROM audit_log WHERE target = $1 ORDER BY id COLLATE "C"`,
        [userId],
      )
    ).map(({ entry }) => entry);

  async function enrolled(): Promise<Enrolled> {
    const browser = await signedIn(gateway, customer.accountId);
    const { secret } = await begin(browser);
    const { body } = await confirm(browser, codeOf(secret));
    await forgetStep(browser.user);
    return Object.assign(browser, { secret, recoveryCodes: body.recoveryCodes as string[] });
  }

  /** Returns a browser in which the user has entered the correct password. */
  async function halfSignedIn({ email }: { email: string }, headers: Record<string, string> = {}): Promise<Browser> {
    const browser = new Browser(gateway.url);
    expect((await browser.signIn(email, PASSWORD, headers)).body).toMatchObject({
      success: true,
      secondFactor: { expiresAt: expect.any(String) },
    });
    return browser;
  }

  /** Runs the work within one 30 s time step, since its codes are created beforehand. */
  async function withinOneStep(work: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < 3; tries += 1) {
      const step = Math.floor(Date.now() / 30_000);
      const failure = await work().catch((error: unknown) => error);
      if (Math.floor(Date.now() / 30_000) !== step) continue;
      if (failure) throw failure;
      return;
    }
    throw new Error('no try stayed within one step');
  }

  it('is required once confirmed', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    const { secret, uri, qrCode } = await begin(browser);
    expect(uri).toContain(`secret=${secret}`);
    expect(qrCode).toMatch(/^data:image\/svg\+xml;base64,/);
    expect((await browser.call('GET', FACTOR)).body).toMatchObject({
      secondFactor: { isEnabled: false, enabledAt: null, recoveryCodesLeft: 0 },
    });
    expect((await new Browser(gateway.url).signIn(browser.user.email)).body).toMatchObject({
      user: { id: browser.user.userId },
    });

    const { status, body, headers } = await confirm(browser, codeOf(secret));
    expect([status, (body.recoveryCodes as string[]).length, headers.get('cache-control')]).toEqual([
      200,
      10,
      'no-store',
    ]);
    expect((await browser.call('GET', FACTOR)).body).toMatchObject({
      secondFactor: { isEnabled: true, recoveryCodesLeft: 10 },
    });
    await forgetStep(browser.user);
    const half = await halfSignedIn(browser.user);
    const done = await complete(half, codeOf(secret));
    expect([done.status, done.body.user]).toMatchObject([200, { id: browser.user.userId }]);
    expect((await half.call('GET', ME)).status).toBe(200);
    expect(await audited(browser.user.userId)).toEqual([
      'user.create done',
      'user.sign-in done',
      'user.sign-in done',
      'user.enable-second-factor done',
      'user.sign-in done totp',
    ]);
  });

  it('ends sessions that started without it', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    const elsewhere = new Browser(gateway.url);
    await elsewhere.signIn(browser.user.email);
    await confirm(browser, codeOf((await begin(browser)).secret));
    expect([(await browser.call('GET', ME)).status, (await elsewhere.call('GET', ME)).status]).toEqual([200, 401]);
  });

  it('can be enabled with the password and a code', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    expect((await browser.call('POST', FACTOR, { body: { password: 'wrong horse battery' } })).body.code).toBe(
      'SIGN_IN_FAILED',
    );
    expect(await sql('SELECT 1 FROM second_factors WHERE user_id = $1', [browser.user.userId])).toEqual([]);
    const { secret: first } = await begin(browser);
    const { secret } = await begin(browser);
    for (const code of [codeOf(first), codeOf(secret, 5), '000', 'abcd-abcd-abcd'])
      expect((await confirm(browser, code)).body.code).toBe('SIGN_IN_FAILED');
    expect((await confirm(browser, codeOf(secret))).status).toBe(200);
    expect((await begin(browser)) as unknown).toMatchObject({ code: 'INVALID_PARAMETER' });
  });

  it('accepts codes from one time step before and after', async () => {
    await withinOneStep(async () => {
      const { user, secret } = await enrolled();
      const outcomes: string[] = [];
      for (const steps of [-2, -1, 0, 1, 2]) {
        await sql('DELETE FROM sign_in_attempts');
        await forgetStep(user);
        const { status, body } = await complete(await halfSignedIn(user), codeOf(secret, steps));
        outcomes.push(`${steps}: ${status} ${String(body.code ?? '')}`);
      }
      expect(outcomes).toEqual(['-2: 401 SIGN_IN_FAILED', '-1: 200 ', '0: 200 ', '1: 200 ', '2: 401 SIGN_IN_FAILED']);
    });
  });

  it('accepts a code once under concurrency', async () => {
    await withinOneStep(async () => {
      const { user, secret } = await enrolled();
      const halves = await Promise.all(
        Array.from({ length: 20 }, (_, index) => halfSignedIn(user, from(`192.0.2.${index}`))),
      );
      // Ten attempts at a time, since the limit of codes would reject some of twenty.
      const answers = await Promise.all(
        halves.slice(0, 10).map((half, index) => complete(half, codeOf(secret), from(`192.0.2.${index}`))),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 401)]);
      await sql('DELETE FROM sign_in_attempts');
      const [, ...others] = halves.slice(10);
      expect((await complete(others[0] as Browser, codeOf(secret))).body).toMatchObject({
        code: 'SIGN_IN_FAILED',
        message: 'the code is wrong, or was used before',
      });
      expect((await complete(others[0] as Browser, codeOf(secret, -1))).status).toBe(401);
      expect((await complete(others[0] as Browser, codeOf(secret, 1))).status).toBe(200);
    });
  });

  it("rejects another user's codes", async () => {
    const asha = await enrolled();
    const other = await enrolled();
    const half = await halfSignedIn(asha.user);
    for (const code of [codeOf(other.secret), other.recoveryCodes[0] ?? ''])
      expect((await complete(half, code)).status).toBe(401);
    expect((await complete(half, codeOf(asha.secret))).status).toBe(200);
  });

  it('accepts each recovery code once', async () => {
    const { user, recoveryCodes } = await enrolled();
    const [first = '', second = ''] = recoveryCodes;
    const parallel = await Promise.all([1, 2, 3].map((index) => halfSignedIn(user, from(`192.0.2.${index}`))));
    const answers = await Promise.all(
      parallel.map((half, index) =>
        complete(half, first.toUpperCase().replaceAll('-', ' '), from(`192.0.2.${index + 1}`)),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    const half = await halfSignedIn(user);
    expect((await complete(half, first)).body.code).toBe('SIGN_IN_FAILED');
    expect((await complete(half, second)).status).toBe(200);
    expect((await half.call('GET', FACTOR)).body).toMatchObject({ secondFactor: { recoveryCodesLeft: 8 } });
    expect(await audited(user.userId)).toContain('user.sign-in done recovery code');
  });

  it('withstands a thousand concurrent guesses', async () => {
    const { user, secret } = await enrolled();
    const half = await halfSignedIn(user);
    const right = [-1, 0, 1, 2].map((steps) => codeOf(secret, steps));
    const guesses = Array.from({ length: 1_010 }, (_, index) => String(index * 991).padStart(6, '0'))
      .filter((code) => !right.includes(code))
      .slice(0, 1_000);
    const answers: ConsoleAnswer[] = [];
    // Sends as many at a time as a browser's connection pool opens.
    for (let start = 0; start < guesses.length; start += 50) {
      const some = guesses
        .slice(start, start + 50)
        .map((code, index) =>
          complete(
            Object.assign(new Browser(gateway.url), { cookie: half.cookie }),
            code,
            from(`10.${index}.${start / 50}.1`),
          ),
        );
      answers.push(...(await Promise.all(some)));
    }
    // A busy machine may reject some requests for lack of a connection; their codes were not checked.
    const codes = answers.map(({ body }) => String(body.code));
    expect(codes.filter((code) => !['SIGN_IN_FAILED', 'SIGN_IN_LOCKED', 'UNAVAILABLE'].includes(code))).toEqual([]);
    const tried = codes.filter((code) => code === 'SIGN_IN_FAILED').length;
    expect(tried).toBeGreaterThan(0);
    expect(tried).toBeLessThanOrEqual(10);
    const locked = await complete(half, codeOf(secret), from('203.0.113.1'));
    expect([locked.status, Number(locked.headers.get('retry-after')) > 800]).toEqual([429, true]);
    await sql('UPDATE sign_in_attempts SET ends_at = now()');
    expect((await complete(half, codeOf(secret), from('203.0.113.1'))).status).toBe(200);
  }, 120_000);

  it('locks a user out after five wrong codes from one address', async () => {
    const { user, secret } = await enrolled();
    const half = await halfSignedIn(user);
    for (let tries = 0; tries < 5; tries += 1) expect((await complete(half, '000000')).status).toBe(401);
    expect((await complete(half, codeOf(secret))).body.code).toBe('SIGN_IN_LOCKED');
    expect((await new Browser(gateway.url).signIn(user.email)).body.code).toBe('SIGN_IN_LOCKED');
  });

  it('rejects all other requests until the second factor is verified', async () => {
    const { user } = await enrolled();
    const half = await halfSignedIn(user);
    expect(half.cookie).toMatch(/^switchboard_half_session=[\w-]{43}$/);
    const paths = Object.entries(describedConsole.description.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [method.toUpperCase(), path]),
    );
    for (const cookie of [half.cookie, half.cookie.replace('half_session', 'session')]) {
      const guarded = paths.filter(([, path]) => !WITHOUT_SESSION.test(path ?? ''));
      for (const [index, [method = '', path = '']] of guarded.entries()) {
        const response = await fetch(`${gateway.url}${path.replaceAll(/\{\w+\}/g, 'x')}`, {
          method,
          // Uses a different address each time, since one address may not try so many unknown sessions.
          headers: {
            cookie,
            ...from(`198.51.100.${index}`),
            ...(method !== 'GET' && { 'content-type': 'application/json' }),
          },
          ...(method !== 'GET' && { body: '{}' }),
        });
        expect([method, path, response.status]).toEqual([method, path, 401]);
        await sql('DELETE FROM sign_in_attempts');
      }
    }
    expect((await half.call('GET', '/v1/me')).status).toBe(401);
  });

  it('must be completed within five minutes by an active user', async () => {
    const { user, secret } = await enrolled();
    const half = await halfSignedIn(user);
    expect((await complete(half, codeOf(secret), { 'sec-fetch-site': 'cross-site' })).body.code).toBe(
      'CSRF_TOKEN_INVALID',
    );
    expect((await complete(new Browser(gateway.url), codeOf(secret))).body.code).toBe('UNAUTHORIZED');
    await sql('UPDATE half_sessions SET expires_at = now() WHERE user_id = $1', [user.userId]);
    expect((await complete(half, codeOf(secret))).body).toMatchObject({
      code: 'UNAUTHORIZED',
      message: 'the time to enter the code is over: sign in again',
    });
    await gateway.app.get(CleanupService).deleteBatch('console');
    expect(await sql('SELECT 1 FROM half_sessions WHERE user_id = $1', [user.userId])).toEqual([]);

    const disabled = await halfSignedIn(user);
    await usersOn(gateway).disableUser(user.userId, 'test');
    await usersOn(gateway).enableUser(user.userId, 'test');
    expect((await complete(disabled, codeOf(secret))).body.code).toBe('UNAUTHORIZED');
  });

  it('completes a pending sign-in only once', async () => {
    await withinOneStep(async () => {
      const { user, secret, recoveryCodes } = await enrolled();
      const half = await halfSignedIn(user);
      const { cookie } = half;
      expect((await complete(half, codeOf(secret))).status).toBe(200);
      expect(
        (await complete(Object.assign(new Browser(gateway.url), { cookie }), recoveryCodes[0] ?? '')).body.code,
      ).toBe('UNAUTHORIZED');
    });
  });

  it('replaces recovery codes given password and code', async () => {
    const browser = await enrolled();
    const renew = (password: string, code: string) =>
      browser.call('POST', `${FACTOR}/recovery-codes`, { body: { password, code } });
    const [old = ''] = browser.recoveryCodes;
    expect((await renew('wrong horse battery', codeOf(browser.secret))).status).toBe(401);
    expect((await renew(PASSWORD, '000000')).status).toBe(401);
    const { body } = await renew(PASSWORD, codeOf(browser.secret));
    const [fresh = ''] = body.recoveryCodes as string[];
    await sql('DELETE FROM sign_in_attempts');
    const half = await halfSignedIn(browser.user);
    expect((await complete(half, old)).status).toBe(401);
    expect((await complete(half, fresh)).status).toBe(200);
    expect(await audited(browser.user.userId)).toContain('user.renew-recovery-codes done');
  });

  it('is disabled only with both password and code', async () => {
    const browser = await enrolled();
    const disable = (password: string, code: string) =>
      browser.call('POST', `${FACTOR}/disable`, { body: { password, code } });
    expect((await disable('wrong horse battery', codeOf(browser.secret))).status).toBe(401);
    expect((await disable(PASSWORD, '000000')).status).toBe(401);
    expect((await browser.call('GET', FACTOR)).body).toMatchObject({ secondFactor: { isEnabled: true } });
    expect((await disable(PASSWORD, codeOf(browser.secret))).status).toBe(200);
    expect((await new Browser(gateway.url).signIn(browser.user.email)).body).toMatchObject({
      user: { id: browser.user.userId },
    });
    expect(await sql('SELECT 1 FROM recovery_codes WHERE user_id = $1', [browser.user.userId])).toEqual([]);
    expect(await audited(browser.user.userId)).toContain('user.disable-second-factor done');
  });

  it('is not required again for a password change', async () => {
    const browser = await enrolled();
    const { status } = await browser.call('PUT', `${ME}/password`, {
      body: { currentPassword: PASSWORD, newPassword: 'another horse battery' },
    });
    expect([status, (await browser.call('GET', ME)).status]).toEqual([200, 200]);
    expect((await new Browser(gateway.url).signIn(browser.user.email, 'another horse battery')).body).toHaveProperty(
      'secondFactor',
    );
  });

  it('can be removed by the operator, ending all sessions', async () => {
    const browser = await enrolled();
    const half = await halfSignedIn(browser.user);
    expect(
      await operator.json('users', 'reset-second-factor', '--email', browser.user.email.toUpperCase()),
    ).toMatchObject({ userId: browser.user.userId });
    expect([(await browser.call('GET', ME)).status, (await complete(half, codeOf(browser.secret))).status]).toEqual([
      401, 401,
    ]);
    expect((await new Browser(gateway.url).signIn(browser.user.email)).body).toHaveProperty('user');
    expect(await audited(browser.user.userId)).toContain('user.reset-second-factor done');
    expect(await operator.run(['users', 'reset-second-factor', '--email', browser.user.email])).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no second factor'),
    });
    expect(await operator.run(['users', 'reset-second-factor', '--email', 'nobody@example.com'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no user'),
    });
  });

  it('rolls back completely if a step fails', async () => {
    const browser = await signedIn(gateway, customer.accountId);
    const { secret } = await begin(browser);
    await sql(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'the process ends here'; END $$`,
    );
    await sql('CREATE TRIGGER fail BEFORE INSERT ON recovery_codes FOR EACH ROW EXECUTE FUNCTION fail()');
    try {
      expect((await confirm(browser, codeOf(secret))).status).toBe(500);
    } finally {
      await sql('DROP TRIGGER fail ON recovery_codes; DROP FUNCTION fail()');
    }
    expect((await browser.call('GET', FACTOR)).body).toMatchObject({
      secondFactor: { isEnabled: false, recoveryCodesLeft: 0 },
    });
    expect((await new Browser(gateway.url).signIn(browser.user.email)).body).toHaveProperty('user');
    expect((await confirm(browser, codeOf(secret))).status).toBe(200);
  });

  it('is stored encrypted and survives a change of the encryption key', async () => {
    const { user, secret, recoveryCodes } = await enrolled();
    const dump = JSON.stringify([
      await sql('SELECT * FROM second_factors'),
      await sql(`SELECT encode(code_hmac, 'hex') FROM recovery_codes`),
      await sql('SELECT * FROM audit_log'),
    ]);
    for (const text of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(dump).not.toContain(text);
    const [code = ''] = recoveryCodes;
    expect(dump).toContain(recoveryHash(secret, code).toString('hex'));
    // Without the decrypted secret, the hashes cannot be brute-forced.
    for (const key of ['', user.userId, TEST_ENCRYPTION_KEY])
      expect(dump).not.toContain(recoveryHash(key, code).toString('hex'));
    const other = await newUser(gateway, customer.accountId);
    const [{ sealed } = { sealed: '' }] = await sql<{ sealed: string }>(
      'SELECT sealed_secret AS sealed FROM second_factors WHERE user_id = $1',
      [user.userId],
    );
    const place = (row: string) => ({ table: 'second_factors', column: 'sealed_secret', row });
    const box = new SecretBox({ ENCRYPTION_KEY: NEW_KEY, ENCRYPTION_KEY_PREVIOUS: TEST_ENCRYPTION_KEY });
    expect(box.open(sealed, place(user.userId))).toBe(secret);
    expect(() => box.open(sealed, place(other.userId))).toThrow();
    expect(box.open(box.reseal(sealed, place(user.userId)), place(user.userId))).toBe(secret);
  });
});
