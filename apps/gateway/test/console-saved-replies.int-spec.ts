import { newId } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { type Browser, signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const PATH = '/console/v1/saved-replies';
const TEXT = 'Hello {{name}}, this is {{agent}}';

describe('console saved replies', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let admin: Browser & { user: { userId: string } };
  let viewer: Browser;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 } });
  });
  beforeEach(async () => {
    customer = await gateway.customer();
    [admin, viewer] = [
      await signedIn(gateway, customer.accountId, 'admin'),
      await signedIn(gateway, customer.accountId, 'viewer'),
    ];
  });
  afterAll(() => gateway.close());

  const sql = (text: string, ...params: unknown[]): Promise<Record<string, unknown>[]> =>
    gateway.database.dataSource.query(text, params);
  const add = (body: object, { browser = admin as Browser, key = '' } = {}) =>
    browser.call('POST', PATH, { body, ...(key && { headers: { 'idempotency-key': key } }) });
  const added = async (name: string, text = TEXT) =>
    (await add({ name, text })).body.savedReply as { id: string; name: string; text: string };
  const list = async (browser: Browser = viewer) =>
    (await browser.call('GET', PATH)).body.savedReplies as { id: string; name: string; text: string }[];

  const countWaiting = async (): Promise<number> =>
    (await sql(`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
      .length;

  it('are created, changed, listed by name and deleted, each recorded without the text', async () => {
    const { id } = await added('refund');
    await added('Delivery');
    expect((await list()).map(({ name }) => name)).toEqual(['Delivery', 'refund']);
    const changed = await admin.call('PATCH', `${PATH}/${id}`, { body: { name: 'REFUND', text: 'Soon' } });
    expect(changed.body.savedReply).toMatchObject({ id, name: 'REFUND', text: 'Soon' });
    await admin.call('PATCH', `${PATH}/${id}`, { body: { text: 'Now' } });
    expect((await list())[1]).toMatchObject({ name: 'REFUND', text: 'Now' });
    expect((await admin.call('DELETE', `${PATH}/${id}`)).body).toMatchObject({ success: true });
    expect((await admin.call('DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect((await list()).map(({ name }) => name)).toEqual(['Delivery']);
    const entries = await sql(
      `SELECT action, details FROM audit_log WHERE account_id = $1 AND target = $2 AND actor = $3 ORDER BY id COLLATE "C"`,
      customer.accountId,
      id,
      `user:${admin.user.userId}`,
    );
    expect(entries).toEqual([
      { action: 'saved-reply.create', details: { name: 'refund' } },
      { action: 'saved-reply.change', details: { name: 'REFUND' } },
      { action: 'saved-reply.change', details: {} },
      { action: 'saved-reply.delete', details: { name: 'REFUND' } },
    ]);
  });

  it('have names that are unique without case, also when created at the same time', async () => {
    const both = await Promise.all([add({ name: 'Delivery', text: TEXT }), add({ name: 'delivery', text: TEXT })]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    const other = await added('refund');
    const renamed = await admin.call('PATCH', `${PATH}/${other.id}`, { body: { name: 'DELIVERY' } });
    expect([renamed.status, renamed.body.code]).toEqual([422, 'INVALID_VALUE']);
    expect(renamed.body.details).toMatchObject([{ field: 'name' }]);
    const stranger = await signedIn(gateway, (await gateway.customer()).accountId, 'admin');
    expect((await add({ name: 'delivery', text: TEXT }, { browser: stranger })).status).toBe(201);
  });

  it('reject other names, unknown variables and long texts', async () => {
    for (const [body, code] of [
      [{ name: 'two words', text: TEXT }, 'INVALID_VALUE'],
      [{ name: 'x'.repeat(41), text: TEXT }, 'INVALID_VALUE'],
      [{ name: '/x', text: TEXT }, 'INVALID_VALUE'],
      [{ name: '', text: TEXT }, 'INVALID_VALUE'],
      [{ name: 'x', text: 'Hi {{first name}}' }, 'INVALID_VALUE'],
      [{ name: 'x', text: 'Hi {{ name }}' }, 'INVALID_VALUE'],
      [{ name: 'x', text: ' ' }, 'INVALID_VALUE'],
      [{ name: 'x', text: 'x'.repeat(4_097) }, 'TEXT_TOO_LONG'],
      [{ name: 'x' }, 'MISSING_FIELD'],
    ] as const)
      expect([body, (await add(body)).body.code]).toEqual([body, code]);
    expect(await list()).toEqual([]);
    const reply = await added('पता-2', 'x'.repeat(4_096));
    expect(reply.name).toBe('पता-2');
    for (const body of [{}, { name: null, text: null }])
      expect((await admin.call('PATCH', `${PATH}/${reply.id}`, { body })).body.code).toBe('MISSING_FIELD');
    expect((await admin.call('PATCH', `${PATH}/${newId('srp')}`, { body: { text: TEXT } })).status).toBe(404);
  });

  it('are created once for a repeated request', async () => {
    const first = await add({ name: 'refund', text: TEXT }, { key: 'once' });
    expect((await add({ name: 'refund', text: TEXT }, { key: 'once' })).body).toEqual(first.body);
    expect(await list()).toHaveLength(1);
  });

  it('are deleted once, and not changed afterwards, at the same time', async () => {
    const { id } = await added('refund');
    const other = gateway.database.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('SELECT 1 FROM saved_replies WHERE id = $1 FOR UPDATE', [id]);
    const changes = [];
    for (const wanted of [
      () => admin.call('DELETE', `${PATH}/${id}`),
      () => admin.call('DELETE', `${PATH}/${id}`),
      () => admin.call('PATCH', `${PATH}/${id}`, { body: { text: 'Now' } }),
    ]) {
      changes.push(wanted());
      await eventually(async () => expect(await countWaiting()).toBe(changes.length));
    }
    await other.rollbackTransaction();
    await other.release();
    expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 404, 404]);
    const deleted = await sql(
      `SELECT 1 FROM audit_log WHERE account_id = $1 AND action = 'saved-reply.delete'`,
      customer.accountId,
    );
    expect(deleted).toHaveLength(1);
  });

  it('are at most 200 per account', async () => {
    await sql(
      `INSERT INTO saved_replies (id, account_id, name, name_key, text)
       SELECT 'srp_' || $1 || n, $1, 'r' || n, 'r' || n, 'x' FROM generate_series(1, 199) AS n`,
      customer.accountId,
    );
    expect((await add({ name: 'last', text: TEXT })).status).toBe(201);
    const { status, body } = await add({ name: 'more', text: TEXT });
    expect([status, body.code]).toEqual([422, 'INVALID_VALUE']);
    expect(await list()).toHaveLength(200);
  });

  it('are changed only by admins and owners of the account', async () => {
    const reply = await added('refund');
    const agent = await signedIn(gateway, customer.accountId, 'agent');
    expect(await list(agent)).toHaveLength(1);
    expect((await add({ name: 'x', text: TEXT }, { browser: agent })).body.code).toBe('ROLE_NOT_ALLOWED');
    const stranger = await signedIn(gateway, (await gateway.customer()).accountId, 'owner');
    expect(await list(stranger)).toEqual([]);
    expect((await stranger.call('PATCH', `${PATH}/${reply.id}`, { body: { text: 'x' } })).status).toBe(404);
    expect((await stranger.call('DELETE', `${PATH}/${reply.id}`)).status).toBe(404);
    expect(await list()).toMatchObject([{ text: TEXT }]);
  });
});
