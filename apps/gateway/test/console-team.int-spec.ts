import { eventually } from '@switchboard/testing';
import { CleanupService } from '../src/cleanup/cleanup.service';
import type { Role } from '../src/request-context/roles';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { Browser, codeOf, newUser, PASSWORD, signedIn } from './support/console';

const USERS = '/console/v1/users';
const INVITATIONS = '/console/v1/invitations';
const NEW_PASSWORD = 'another horse battery';

type SignedInBrowser = Awaited<ReturnType<typeof signedIn>>;

describe('account team', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let owner: SignedInBrowser;
  let made = 0;

  beforeAll(async () => {
    gateway = await startGateway({ standing: [], settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 } });
  });
  beforeEach(async () => {
    await sql('DELETE FROM sign_in_attempts');
    customer = await gateway.customer();
    owner = await signedIn(gateway, customer.accountId);
  });
  afterAll(() => gateway.close());

  const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    gateway.database.dataSource.query<T[]>(text, values);
  const isSomebodyWaiting = async (): Promise<boolean> =>
    (await sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
      .length > 0;
  const newAddress = (): string => `invited-${(made += 1)}@example.com`;
  const invite = async (email: string, role: Role = 'admin', by: Browser = owner) => {
    const { status, body, headers } = await by.call('POST', INVITATIONS, { body: { email, role } });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    return { token: String(body.token), id: (body.invitation as { id: string }).id };
  };
  const accept = async (token: string, name = 'Ravi', password = NEW_PASSWORD) => {
    const browser = new Browser(gateway.url);
    return { browser, ...(await browser.call('POST', `${INVITATIONS}/accept`, { body: { token, name, password } })) };
  };
  const open = (token: string) =>
    new Browser(gateway.url).call('POST', `${INVITATIONS}/open`, { body: { token } }).then(({ body }) => body);
  const change = (userId: string, body: object, by: Browser = owner) =>
    by.call('PATCH', `${USERS}/${userId}`, { body });

  describe('invitation', () => {
    it('shows the account and signs in the new user', async () => {
      const email = newAddress();
      const { token } = await invite(email.toUpperCase());
      expect(await open(token)).toMatchObject({ invitation: { account: 'Customer', email, role: 'admin' } });
      const { status, body, headers, browser } = await accept(token);
      expect(status).toBe(200);
      expect(body).toMatchObject({ user: { email, name: 'Ravi', role: 'admin' }, account: { id: customer.accountId } });
      expect(headers.get('set-cookie')).toMatch(/^switchboard_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
      expect((await browser.call('GET', '/console/v1/me')).status).toBe(200);
      expect((await new Browser(gateway.url).signIn(email, NEW_PASSWORD)).status).toBe(200);
      const { body: team } = await owner.call('GET', USERS);
      expect(team.users).toMatchObject([
        { email: owner.user.email, role: 'owner' },
        { email, name: 'Ravi', role: 'admin', isDisabled: false, hasSecondFactor: false },
      ]);
      expect((await owner.call('GET', INVITATIONS)).body.invitations).toEqual([]);
    });

    it('counts only failed attempts when opened', async () => {
      const { token } = await invite(newAddress());
      for (let count = 0; count < 35; count += 1) expect(await open(token)).toMatchObject({ success: true });
      const counted = await sql<{ attempts: number }>('SELECT attempts FROM sign_in_attempts WHERE attempts > 0');
      expect(counted).toEqual([]);
      for (let count = 0; count < 30; count += 1)
        expect(await open(`${token.slice(0, -1)}_`)).toMatchObject({ code: 'NOT_FOUND' });
      expect(await open(token)).toMatchObject({ code: 'SIGN_IN_LOCKED' });
    });

    it('works once under concurrency', async () => {
      const email = newAddress();
      const { token } = await invite(email);
      const answers = await Promise.all([accept(token, 'one'), accept(token, 'two'), accept(token, 'three')]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
      expect(await sql('SELECT 1 FROM users WHERE email = $1', [email])).toHaveLength(1);
      expect((await accept(token)).body).toMatchObject({
        code: 'NOT_FOUND',
        message: 'this link was used, replaced or has expired: ask for a new one',
      });
    });

    it('keeps its token out of tables, logs and lists', async () => {
      const { token, id } = await invite(newAddress());
      const seen = JSON.stringify([
        await sql(`SELECT *, encode(token_sha256, 'base64') FROM invitations`),
        await sql('SELECT * FROM audit_log'),
        (await owner.call('GET', INVITATIONS)).body,
      ]);
      expect(seen).toContain(id);
      expect(seen).not.toContain(token);
    });

    it('is replaced by a later one for the same address', async () => {
      const email = newAddress();
      const first = await invite(email, 'owner');
      const second = await invite(email, 'viewer');
      expect(await open(first.token)).toMatchObject({ code: 'NOT_FOUND' });
      expect(await open(second.token)).toMatchObject({ invitation: { role: 'viewer' } });
      expect((await owner.call('GET', INVITATIONS)).body.invitations).toHaveLength(1);
    });

    it.each([
      ['was withdrawn', async (id: string) => void (await owner.call('DELETE', `${INVITATIONS}/${id}`))],
      [
        'has expired',
        async (id: string) => void (await sql('UPDATE invitations SET expires_at = now() WHERE id = $1', [id])),
      ],
    ])('is rejected once it %s', async (_what, end) => {
      const { token, id } = await invite(newAddress());
      await end(id);
      expect(await open(token)).toMatchObject({ code: 'NOT_FOUND' });
      expect((await accept(token)).status).toBe(404);
      await gateway.app.get(CleanupService).deleteBatch('console');
      expect(await sql('SELECT 1 FROM invitations WHERE id = $1', [id])).toEqual([]);
    });

    it('is rejected if its creator is no longer an owner', async () => {
      for (const ending of [{ role: 'admin' }, { isDisabled: true }]) {
        const other = await signedIn(gateway, customer.accountId);
        const { token } = await invite(newAddress(), 'owner', other);
        expect((await change(other.user.userId, ending)).status).toBe(200);
        expect((await accept(token)).status).toBe(404);
      }
    });

    it('is rejected while the account is suspended', async () => {
      const { token } = await invite(newAddress());
      await gateway.services.accounts.suspendAccount(customer.accountId, 'unpaid', 'test');
      expect(await open(token)).toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
      expect((await accept(token)).body.code).toBe('ACCOUNT_SUSPENDED');
      await gateway.services.accounts.resumeAccount(customer.accountId, 'test');
      expect((await accept(token)).status).toBe(200);
    });

    it('is rejected for the address of an existing user', async () => {
      expect(
        (await owner.call('POST', INVITATIONS, { body: { email: owner.user.email, role: 'viewer' } })).body,
      ).toMatchObject({
        code: 'INVALID_PARAMETER',
        message: `${owner.user.email} is a user of this account`,
      });
      const elsewhere = await newUser(gateway, (await gateway.customer()).accountId);
      const { token: foreign } = await invite(elsewhere.email);
      const dead = { status: 404, body: { code: 'NOT_FOUND', message: (await accept('x'.repeat(43))).body.message } };
      expect(await accept(foreign)).toMatchObject(dead);
      expect(await accept(foreign)).toMatchObject(dead);
      expect((await new Browser(gateway.url).signIn(elsewhere.email)).status).toBe(200);
      const { token } = await invite(newAddress());
      expect((await accept(token, 'Ravi', 'Password1234!')).body.code).toBe('INVALID_VALUE');
      expect((await accept(token)).status).toBe(200);
    });

    it.each([
      ['an invalid e-mail address', { email: 'nobody', role: 'viewer' }],
      ['an unknown role', { email: 'ravi@example.com', role: 'king' }],
    ])('is rejected with %s', async (_what, body) => {
      expect((await owner.call('POST', INVITATIONS, { body })).status).toBeGreaterThanOrEqual(400);
      expect((await owner.call('GET', INVITATIONS)).body.invitations).toEqual([]);
    });

    it('is limited to a hundred per account', async () => {
      for (let number = 0; number < 100; number += 1) await invite(newAddress());
      const refused = await owner.call('POST', INVITATIONS, { body: { email: newAddress(), role: 'viewer' } });
      expect(refused.body.code).toBe('INVALID_PARAMETER');
      const ids: string[] = [];
      for (let cursor: unknown = ''; cursor !== null; ) {
        const { body } = await owner.call('GET', `${INVITATIONS}?limit=40${cursor ? `&cursor=${String(cursor)}` : ''}`);
        ids.push(...(body.invitations as { id: string }[]).map(({ id }) => id));
        cursor = body.nextCursor;
      }
      expect(ids).toHaveLength(100);
      expect(ids).toEqual([...ids].sort().reverse());
    });
  });

  describe('management by owners', () => {
    it('changes roles and disables users immediately', async () => {
      const member = await signedIn(gateway, customer.accountId, 'admin');
      const changed = await change(member.user.userId, { role: 'owner' });
      expect(changed.body.user).toMatchObject({ id: member.user.userId, role: 'owner' });
      expect((await member.call('GET', USERS)).status).toBe(200);
      await change(member.user.userId, { role: 'viewer' });
      expect((await member.call('GET', USERS)).body.code).toBe('ROLE_NOT_ALLOWED');
      await change(member.user.userId, { isDisabled: true });
      expect((await member.call('GET', '/console/v1/me')).status).toBe(401);
      expect((await new Browser(gateway.url).signIn(member.user.email)).body.code).toBe('SIGN_IN_FAILED');
      await change(member.user.userId, { isDisabled: false });
      expect((await new Browser(gateway.url).signIn(member.user.email)).status).toBe(200);
      const { body } = await owner.call(
        'GET',
        `/console/v1/audit-log?target=${member.user.userId}&actor=${owner.user.userId}`,
      );
      expect((body.entries as { action: string }[]).map(({ action }) => action)).toEqual([
        'user.enable',
        'user.disable',
        'user.set-role',
        'user.set-role',
      ]);
    });

    it('keeps at least one owner and rejects changes to oneself', async () => {
      expect((await change(owner.user.userId, { role: 'viewer' })).body.code).toBe('INVALID_PARAMETER');
      for (let round = 0; round < 5; round += 1) {
        const pair = await Promise.all([signedIn(gateway, customer.accountId), signedIn(gateway, customer.accountId)]);
        const answers = await Promise.all([
          change(pair[1].user.userId, { role: 'viewer' }, pair[0]),
          change(pair[0].user.userId, { isDisabled: true }, pair[1]),
        ]);
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
        await sql(`UPDATE users SET disabled_at = now() WHERE account_id = $1 AND id <> $2`, [
          customer.accountId,
          owner.user.userId,
        ]);
      }
    });

    it('resets a password with a link that works once', async () => {
      const member = await signedIn(gateway, customer.accountId, 'viewer');
      const offer = async () => {
        const { status, body } = await owner.call('POST', `${USERS}/${member.user.userId}/password-reset`);
        expect(status).toBe(201);
        return String(body.token);
      };
      const complete = (token: string, newPassword = NEW_PASSWORD) =>
        new Browser(gateway.url).call('POST', '/console/v1/password-resets/complete', { body: { token, newPassword } });
      const replaced = await offer();
      const token = await offer();
      expect((await complete(replaced)).status).toBe(404);
      expect((await member.call('GET', '/console/v1/me')).status).toBe(200);
      expect((await complete(token, member.user.email)).body.code).toBe('INVALID_VALUE');
      const both = await Promise.all([complete(token), complete(token, 'yet another horse battery')]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
      expect(both.find(({ status }) => status === 200)?.body).toMatchObject({ email: member.user.email });
      expect((await member.call('GET', '/console/v1/me')).status).toBe(401);
      expect((await new Browser(gateway.url).signIn(member.user.email, PASSWORD)).status).toBe(401);
      const over = await offer();
      await sql('UPDATE password_resets SET expires_at = now() WHERE user_id = $1', [member.user.userId]);
      expect((await complete(over)).status).toBe(404);
      const ofDisabled = await offer();
      await change(member.user.userId, { isDisabled: true });
      expect((await complete(ofDisabled)).status).toBe(404);
    });

    it('removes a lost second factor', async () => {
      const member = await signedIn(gateway, customer.accountId, 'viewer');
      const factor = '/console/v1/me/second-factor';
      const begun = await member.call('POST', factor, { body: { password: PASSWORD } });
      await member.call('POST', `${factor}/confirm`, { body: { code: codeOf(String(begun.body.secret)) } });
      const listed = async () =>
        ((await owner.call('GET', USERS)).body.users as { id: string; hasSecondFactor: boolean }[]).find(
          ({ id }) => id === member.user.userId,
        )?.hasSecondFactor;
      expect(await listed()).toBe(true);
      const reset = await owner.call('POST', `${USERS}/${member.user.userId}/second-factor-reset`);
      expect(reset.body.user).toMatchObject({ id: member.user.userId, hasSecondFactor: false });
      expect(await listed()).toBe(false);
      expect((await member.call('GET', '/console/v1/me')).status).toBe(401);
      expect((await new Browser(gateway.url).signIn(member.user.email)).status).toBe(200);
    });

    it('rejects callers who lose their role during the request', async () => {
      const member = await newUser(gateway, customer.accountId, 'viewer');
      const { id } = await invite(newAddress());
      for (const [method, path, body] of [
        ['POST', INVITATIONS, { email: newAddress(), role: 'owner' }],
        ['DELETE', `${INVITATIONS}/${id}`, undefined],
        ['PATCH', `${USERS}/${member.userId}`, { role: 'admin' }],
        ['POST', `${USERS}/${member.userId}/password-reset`, undefined],
        ['POST', `${USERS}/${member.userId}/second-factor-reset`, undefined],
      ] as const) {
        const other = await signedIn(gateway, customer.accountId);
        let answer: Promise<unknown> = Promise.resolve();
        let isAnswered = false;
        await gateway.database.dataSource.transaction(async (tx) => {
          await tx.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [other.user.userId]);
          answer = other.call(method, path, { body }).finally(() => (isAnswered = true));
          await eventually(async () => expect(isAnswered || (await isSomebodyWaiting())).toBe(true));
        });
        expect([path, await answer]).toMatchObject([path, { body: { code: 'ROLE_NOT_ALLOWED' } }]);
      }
    });
  });
});
