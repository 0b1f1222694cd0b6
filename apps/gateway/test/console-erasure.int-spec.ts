import { AppError, eraseContactV1, erasePersonV1, jobsErasePersonV1, otpErasePersonV1 } from '@switchboard/contracts';
import { type Erasing, PersonEraser } from '../src/contacts/erase-person';
import { type Browser, signedIn } from './support/console';
import { type GatewayUnderTest, startGateway } from './support/gateway';

const PHONE = '919812345678';

describe('console erasure of contacts', () => {
  let gateway: GatewayUnderTest;
  let accountId: string;
  let owner: Browser & { user: { userId: string } };

  beforeAll(async () => {
    gateway = await startGateway({ settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 } });
    ({ accountId } = await gateway.customer());
    owner = await signedIn(gateway, accountId);
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const audit = (action: string): Promise<{ target: string; details: object; outcome: string }[]> =>
    gateway.database.dataSource.query(
      `SELECT target, details, outcome FROM audit_log WHERE account_id = $1 AND action = $2 ORDER BY id COLLATE "C"`,
      [accountId, action],
    );

  it('returns OUTCOME_UNKNOWN if an erasure fails midway', async () => {
    gateway.fakes.answer(jobsErasePersonV1, () => ({ recipients: 0, done: true }));
    gateway.fakes.answer(otpErasePersonV1, () => ({ rows: 0, done: true }));
    let isErased = false;
    gateway.fakes.answer(eraseContactV1, ({ dryRun }) => {
      isErased ||= !dryRun;
      return { messages: 0, media: 0, done: true };
    });
    gateway.fakes.answer(erasePersonV1, () => {
      if (isErased) throw new AppError('UNAVAILABLE');
      return { events: 0, done: true };
    });
    const phone = '4915112345688';
    const { status, body } = await owner.call('POST', '/console/v1/contacts/erase', { body: { phone } });
    expect([status, body['code']]).toEqual([504, 'OUTCOME_UNKNOWN']);
    expect((await audit('contact.erase')).at(-1)).toMatchObject({ target: '…5688', outcome: 'unknown' });
    await gateway.database.dataSource.query('DELETE FROM erasures');
  });

  it('counts and erases a contact in steps', async () => {
    const erase = (body: object) =>
      owner.call('POST', '/console/v1/contacts/erase', { body: { phone: PHONE, ...body } });
    let left = 3;
    gateway.fakes.answer(eraseContactV1, ({ dryRun }) =>
      dryRun
        ? { messages: 30, media: 3, done: true, knownAs: [PHONE] }
        : { messages: 10, media: 1, done: (left -= 1) === 0 },
    );
    gateway.fakes.answer(erasePersonV1, () => ({ events: 2, done: true }));
    const counted = await erase({ dryRun: true });
    expect(counted.body).toMatchObject({ done: true, erased: { messages: 30, media: 3, events: 2 } });
    const userId = 'US.10000000000000000001';
    expect((await erase({ phone: userId, dryRun: true })).status).toBe(200);
    expect(gateway.fakes.of(eraseContactV1).at(-1)).toMatchObject({ phone: userId, dryRun: true });
    const notedBefore = (await audit('contact.erase')).length;
    expect((await erase({})).body).toMatchObject({ done: true, erased: { messages: 30, media: 3, events: 4 } });
    expect((await audit('contact.erase')).slice(notedBefore)).toEqual([
      { target: '…5678', details: {}, outcome: 'done' },
    ]);
  });

  it("reveals nothing about other accounts' contacts in callbacks", async () => {
    const db = gateway.database.dataSource;
    await db.query("INSERT INTO callback_inbox (id, body) VALUES ('cb_console', $1)", [
      Buffer.from('{"phone_number_id":"200000000000002","from":"4915112345678"}'),
    ]);
    gateway.fakes.answer(eraseContactV1, () => {
      throw new AppError('NOT_FOUND');
    });
    gateway.fakes.answer(erasePersonV1, () => ({ events: 0, done: true }));
    gateway.fakes.answer(jobsErasePersonV1, () => ({ recipients: 0, done: true }));
    gateway.fakes.answer(otpErasePersonV1, () => ({ rows: 0, done: true }));
    const callbacks = () => db.query("SELECT id FROM callback_inbox WHERE id = 'cb_console'");
    const path = '/console/v1/contacts/erase';
    for (const dryRun of [true, false])
      expect((await owner.call('POST', path, { body: { phone: '4915112345678', dryRun } })).status).toBe(404);
    expect(await callbacks()).toHaveLength(1);
    gateway.fakes.answer(eraseContactV1, () => ({ messages: 0, media: 0, done: true }));
    const { body } = await owner.call('POST', path, { body: { phone: '4915112345678' } });
    expect(JSON.stringify(body)).not.toContain('callbacks');
    expect(await callbacks()).toEqual([]);
  });

  it('erases messages, then callbacks from a stored cursor', async () => {
    const db = gateway.database.dataSource;
    const phone = '4915112345699';
    const body = Buffer.from(
      `{"phone_number_id":"200000000000002","user_id":"DE.9","padding":"${'x'.repeat(2_000_000)}"}`,
    );
    await db.query(
      "INSERT INTO callback_inbox (id, body) SELECT 'cb_steps_' || lpad(n::text, 2, '0'), $1 FROM generate_series(1, 20) AS n",
      [body],
    );
    let isForgotten = false;
    gateway.fakes.answer(eraseContactV1, ({ dryRun }) => {
      if (isForgotten) throw new AppError('NOT_FOUND');
      isForgotten = !dryRun;
      return { messages: 1, media: 0, done: true, ...(dryRun === true && { knownAs: [phone, 'DE.9'] }) };
    });
    gateway.fakes.answer(erasePersonV1, () => ({ events: 0, done: true }));
    gateway.fakes.answer(jobsErasePersonV1, () => ({ recipients: 0, done: true }));
    gateway.fakes.answer(otpErasePersonV1, () => ({ rows: 0, done: true }));
    const left = async () =>
      (
        await db.query<{ left: number }[]>(
          "SELECT count(*)::int AS left FROM callback_inbox WHERE id LIKE 'cb_steps_%'",
        )
      )[0]?.left;
    const steps: Erasing[] = [];
    const lefts = [await left()];
    for (const isTimeOver of [() => true, () => true, () => false]) {
      const options = { begun: () => undefined, isTimeOver, hidesCallbacks: true };
      steps.push(await gateway.app.get(PersonEraser).erase({ accountId, phone, dryRun: false }, options));
      lefts.push(await left());
    }
    // After the first step, only the gateway knows the identifier that the callbacks contain.
    expect(steps.map(({ done, erased }) => [done, erased.messages])).toEqual([
      [false, 1],
      [false, 0],
      [true, 0],
    ]);
    expect(lefts).toEqual([20, 11, 2, 0]);
    expect(await db.query('SELECT phone FROM erasures')).toEqual([]);
  });

  it("masks a phone number in users' stored responses", async () => {
    const db = gateway.database.dataSource;
    await db.query(
      `INSERT INTO idempotency (client_id, route, key, fingerprint, seed, status, body) VALUES ($1, 'POST /x', 'm', '', '', 200, $2)`,
      [owner.user.userId, JSON.stringify({ to: PHONE })],
    );
    const { body } = await owner.call('POST', '/console/v1/contacts/erase', { body: { phone: PHONE } });
    expect((body.erased as { answers: number }).answers).toBe(1);
    const [kept] = await db.query<{ body: string }[]>("SELECT body FROM idempotency WHERE key = 'm'");
    expect(kept?.body).toBe('{"to":"…5678"}');
  });
});
