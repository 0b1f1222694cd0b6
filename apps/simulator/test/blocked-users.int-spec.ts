import { eventually } from '@switchboard/testing';
import { CUSTOMER, PHONE_NUMBER_ID, startSimulator, type StartedSimulator, text } from './start-simulator';

const STRANGER = '4915112345678';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
  await simulator.control('inbound', { from: CUSTOMER, text: 'Hi' });
});
afterEach(() => simulator.close());

const call = (method: string, users?: object[], query = '') =>
  simulator.graph(
    method,
    `${PHONE_NUMBER_ID}/block_users${query}`,
    users && { messaging_product: 'whatsapp', block_users: users },
  );
const userId = `IN.1${CUSTOMER.padStart(19, '0')}`;

describe('blocked users', () => {
  it('are listed until unblocked, by number or user id', async () => {
    expect(await call('POST', [{ user: '+91 98123-45678' }])).toMatchObject({
      status: 200,
      body: { block_users: { added_users: [{ input: '+91 98123-45678', wa_id: CUSTOMER }] } },
    });
    expect((await call('GET')).body).toEqual({
      data: [{ messaging_product: 'whatsapp', wa_id: CUSTOMER, user_id: userId }],
      paging: expect.any(Object),
    });
    expect((await call('DELETE', [{ user_id: userId }])).body).toEqual({
      messaging_product: 'whatsapp',
      block_users: { removed_users: [{ input: userId, user_id: userId }] },
    });
    expect((await call('GET')).body).toEqual({ data: [] });
  });

  it('are listed without their number while they hide it', async () => {
    await simulator.control('people', { phone: CUSTOMER, hidePhone: true });
    await call('POST', [{ user_id: userId }]);
    expect((await call('GET')).body['data']).toEqual([{ messaging_product: 'whatsapp', user_id: userId }]);
  });

  it('cannot send, and messages to them fail with 130403', async () => {
    await call('POST', [{ user: CUSTOMER }]);
    await expect(simulator.control('inbound', { from: CUSTOMER, text: 'Again' })).rejects.toThrow('HTTP 409');
    const wamid = await simulator.send({ ...text, template: undefined });
    await eventually(() =>
      expect(simulator.statuses()).toMatchObject([{ id: wamid, status: 'failed', errors: [{ code: 130403 }] }]),
    );
    await call('DELETE', [{ user: CUSTOMER }]);
    await simulator.control('inbound', { from: CUSTOMER, text: 'Again' });
  });

  it('must have written within a day, checked for each user', async () => {
    const { status, body } = await call('POST', [{ user: CUSTOMER }, { user: `+${STRANGER}` }, { user: 'nobody' }, {}]);
    expect(status).toBe(400);
    expect(body).toMatchObject({
      block_users: {
        added_users: [{ wa_id: CUSTOMER }],
        failed_users: [
          { input: `+${STRANGER}`, wa_id: STRANGER, errors: [{ code: 131047 }] },
          { input: 'nobody', errors: [{ code: 131009 }] },
          { input: '', errors: [{ code: 131009 }] },
        ],
      },
      error: { code: 139100, type: 'OAuthException', error_data: { details: expect.any(String) } },
    });
    expect((await call('GET')).body['data']).toHaveLength(1);
  });

  it('are listed in pages', async () => {
    const people = ['919000000001', '919000000002', '919000000003'];
    for (const from of people) await simulator.control('inbound', { from, text: 'Hi' });
    await call(
      'POST',
      people.map((user) => ({ user })),
    );
    const seen: unknown[] = [];
    let after = '';
    for (let page = 0; page < 3; page += 1) {
      const { body } = await call('GET', undefined, `?limit=1${after && `&after=${after}`}`);
      seen.push(...(body['data'] as { wa_id: string }[]).map(({ wa_id }) => wa_id));
      after = (body as { paging: { cursors: { after: string } } }).paging.cursors.after;
    }
    expect(seen).toEqual(people);
    expect((await call('GET', undefined, `?after=${after}`)).body).toEqual({ data: [] });
    expect((await call('GET', undefined, '?after=x')).body).toMatchObject({ error: { code: 131059 } });
  });

  it.each([
    ['no object', undefined, 'JSON object'],
    ['without the product', { block_users: [] }, 'messaging_product'],
    ['without users', { messaging_product: 'whatsapp' }, 'block_users'],
    ['with users that are no objects', { messaging_product: 'whatsapp', block_users: ['x'] }, 'block_users'],
    ['with too many users', { messaging_product: 'whatsapp', block_users: Array(1_001).fill({ user: '1' }) }, '1000'],
  ])('stay unchanged for a body %s', async (_what, body, problem) => {
    const answer = await simulator.graph('POST', `${PHONE_NUMBER_ID}/block_users`, body);
    expect(answer.status).toBe(400);
    expect(answer.body['error']).toMatchObject({ code: 100, message: expect.stringContaining(problem) as string });
    expect((await call('GET')).body).toEqual({ data: [] });
  });

  it('return an error for an unknown number', async () => {
    expect(await simulator.graph('GET', '299999999999999/block_users')).toMatchObject({
      status: 400,
      body: { error: { error_subcode: 33 } },
    });
  });
});
