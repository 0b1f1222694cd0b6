import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { eventually, TEST_ENCRYPTION_KEY } from '@switchboard/testing';
import { Browser, codeOf, newUser, PASSWORD } from './support/console';
import { APP_SECRET, type Customer, type GatewayUnderTest, startGateway, VERIFY_TOKEN } from './support/gateway';

const ROOT = resolve(import.meta.dirname, '../../..');
/** Separate build folder, since other tests build concurrently. */
const PROGRAM = resolve(ROOT, 'dist/killed-enrolment/gateway');
const ME = '/console/v1/me';
const FACTOR = `${ME}/second-factor`;
/** Advisory lock on which a statement waits, so that a test can find it in progress. */
const HELD = 4_711;
const WAIT = `CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(${HELD}); RETURN COALESCE(NEW, OLD); END $$`;

/** Gateway in its own process. */
interface Program {
  program: ChildProcess;
  url: string;
}

/**
 * Enabling a second factor is one transaction (`SecondFactorsService.confirm`): it consumes the code, activates the
 * factor, ends other sessions and creates recovery codes.
 */
describe('gateway killed while a second factor is enabled', () => {
  let beside: GatewayUnderTest;
  let customer: Customer;
  const programs: ChildProcess[] = [];

  beforeAll(async () => {
    beside = await startGateway({ standing: [] });
    customer = await beside.customer();
    execFileSync(process.execPath, ['tools/bundle.mjs', 'apps/gateway', PROGRAM, 'main'], { cwd: ROOT });
    await sql(WAIT);
  }, 60_000);
  afterAll(async () => {
    for (const program of programs) program.kill('SIGKILL');
    await beside.close();
  });

  const sql = <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    beside.database.dataSource.query<T[]>(text, values);
  const waiting = () =>
    sql(
      `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = ${HELD} AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );

  it('leaves the factor inactive and the sessions valid', async () => {
    const dying = await startProgram();
    const { browser, elsewhere, email, code } = await enrolling();
    await dieDuring(
      dying,
      'CREATE TRIGGER wait BEFORE INSERT ON recovery_codes FOR EACH ROW EXECUTE FUNCTION wait()',
      browser,
      code,
    );
    expect(await stateOf(browser)).toMatchObject({ isEnabled: false, recoveryCodesLeft: 0 });
    expect((await elsewhere.call('GET', ME)).status).toBe(200);
    expect((await new Browser(beside.url).signIn(email)).body).toHaveProperty('user');
    expect((await confirm(browser, code)).status).toBe(200);
    expect(await stateOf(browser)).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 });
  }, 90_000);

  it('enables the factor completely if killed during the commit', async () => {
    const dying = await startProgram();
    const { browser, elsewhere, email, code, secret } = await enrolling();
    await dieDuring(
      dying,
      'CREATE CONSTRAINT TRIGGER wait AFTER INSERT ON recovery_codes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION wait()',
      browser,
      code,
    );
    // The database completes the statement before it notices the disconnect.
    await eventually(async () =>
      expect(await stateOf(browser)).toMatchObject({ isEnabled: true, recoveryCodesLeft: 10 }),
    );
    expect((await elsewhere.call('GET', ME)).status).toBe(401);
    const again = new Browser(beside.url);
    expect((await again.signIn(email)).body).toHaveProperty('secondFactor');
    expect((await complete(again, code)).status).toBe(401);
    expect((await complete(again, codeOf(secret, 1))).status).toBe(200);
    // Simulates the next time step, because a code works once.
    await sql('UPDATE second_factors SET last_step = 0');
    const renewed = await again.call('POST', `${FACTOR}/recovery-codes`, {
      body: { password: PASSWORD, code: codeOf(secret) },
    });
    expect([renewed.status, (renewed.body['recoveryCodes'] as string[]).length]).toEqual([200, 10]);
  }, 90_000);

  const stateOf = async (browser: Browser) => (await browser.call('GET', FACTOR)).body['secondFactor'];
  const confirm = (browser: Browser, code: string) => browser.call('POST', `${FACTOR}/confirm`, { body: { code } });
  const complete = (browser: Browser, code: string) =>
    browser.call('POST', '/console/v1/session/second-factor', { body: { code } });

  /** Creates a user who has added the secret to an app and has two signed-in browsers. */
  async function enrolling(): Promise<{
    browser: Browser;
    elsewhere: Browser;
    email: string;
    secret: string;
    code: string;
  }> {
    const { email } = await newUser(beside, customer.accountId);
    const [browser, elsewhere] = [new Browser(beside.url), new Browser(beside.url)];
    for (const each of [browser, elsewhere]) await each.signIn(email);
    const { secret } = (await browser.call('POST', FACTOR, { body: { password: PASSWORD } })).body as {
      secret: string;
    };
    return { browser, elsewhere, email, secret, code: codeOf(secret) };
  }

  /** Kills a gateway while a database trigger blocks its confirmation of the factor. */
  async function dieDuring(
    { program, url }: Program,
    trigger: string,
    { cookie, csrfToken }: Browser,
    code: string,
  ): Promise<void> {
    const exited = once(program, 'exit');
    const holder = beside.database.dataSource.createQueryRunner();
    try {
      await sql(trigger);
      await holder.query('SELECT pg_advisory_lock($1)', [HELD]);
      const answer = confirm(Object.assign(new Browser(url), { cookie, csrfToken }), code).catch(() => 'no answer');
      await eventually(async () => expect((await waiting()).length).toBe(1));
      program.kill('SIGKILL');
      await exited;
      expect(await answer).toBe('no answer');
    } finally {
      program.kill('SIGKILL');
      await holder.query('SELECT pg_advisory_unlock_all()');
      await holder.release();
      await sql('DROP TRIGGER wait ON recovery_codes');
    }
  }

  /** Starts a gateway. Call it before creating a code, which would expire meanwhile. */
  async function startProgram(): Promise<Program> {
    const port = await freePort();
    const { DATABASE_URL, RABBITMQ_URL, BROKER_NAMESPACE, BLOB_DIR } = beside.config;
    const addresses = {
      DATABASE_URL,
      RABBITMQ_URL,
      BROKER_NAMESPACE,
      BLOB_DIR,
      GATEWAY_PORT: String(port),
      MANAGEMENT_PORT: '0',
    };
    const secrets = {
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      UPSTREAM_APP_SECRET: APP_SECRET,
      UPSTREAM_VERIFY_TOKEN: VERIFY_TOKEN,
    };
    const env = { ...process.env, NODE_OPTIONS: '', LOG_LEVEL: 'silent', ...addresses, ...secrets };
    const program = spawn(process.execPath, [join(PROGRAM, 'main.mjs')], { cwd: ROOT, env, stdio: 'ignore' });
    programs.push(program);
    const url = `http://127.0.0.1:${port}`;
    await eventually(async () => expect((await fetch(`${url}${ME}`)).status).toBe(401), { timeoutMs: 60_000 });
    return { program, url };
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}
