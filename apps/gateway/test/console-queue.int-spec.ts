import {
  AppError,
  changeConversationV1,
  countConversationsV1,
  getContactV1,
  listConversationsV1,
  newId,
} from '@switchboard/contracts';
import { type Browser, signedIn, usersOn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const CONTACT = 'ct_01jd0000000000000000000000';
const SEEN = 'msg_01jd0000000000000000000000';
const PATH = `/console/v1/contacts/${CONTACT}/conversation`;

describe('console queue', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let agent: Browser & { user: { userId: string } };
  let viewer: Browser & { user: { userId: string } };

  beforeAll(async () => {
    gateway = await startGateway({ settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 } });
    customer = await gateway.customer();
    [agent, viewer] = [
      await signedIn(gateway, customer.accountId, 'agent'),
      await signedIn(gateway, customer.accountId, 'viewer'),
    ];
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const sql = (text: string, ...params: unknown[]): Promise<Record<string, unknown>[]> =>
    gateway.database.dataSource.query(text, params);
  const change = (body: object, browser: Browser = agent) => browser.call('PATCH', PATH, { body });

  it('lists a view and counts all views for the user', async () => {
    const { body } = await viewer.call('GET', '/console/v1/conversations?view=mine&limit=5');
    expect(body.conversations).toMatchObject([{ queue: { done: false, waitingSince: null } }]);
    await viewer.call('GET', `/console/v1/conversations?view=unanswered&assigneeId=${agent.user.userId}`);
    // The view `mine` is always that of the signed-in user.
    await viewer.call('GET', `/console/v1/conversations?view=mine&assigneeId=${agent.user.userId}`);
    expect(gateway.fakes.of(listConversationsV1)).toMatchObject([
      { accountId: customer.accountId, view: 'mine', assigneeId: viewer.user.userId, limit: 5 },
      { accountId: customer.accountId, view: 'unanswered', assigneeId: agent.user.userId },
      { accountId: customer.accountId, view: 'mine', assigneeId: viewer.user.userId },
    ]);
    for (const wrong of ['view=old', 'assigneeId=me', 'assigneeId='])
      expect((await viewer.call('GET', `/console/v1/conversations?${wrong}`)).body.code).toBe('INVALID_PARAMETER');
    const counts = await viewer.call('GET', '/console/v1/conversations/counts');
    expect(counts.body).toMatchObject({
      mine: { total: 2, totalIsExact: true },
      unassigned: { total: 4, totalIsExact: true },
    });
    expect(gateway.fakes.of(countConversationsV1)).toEqual([
      { accountId: customer.accountId, assigneeId: viewer.user.userId },
    ]);
    const shown = await viewer.call('GET', '/console/v1/conversations/919812345678');
    expect(shown.body.contact).toMatchObject({ queue: { done: false } });
    gateway.fakes.answer(getContactV1, () => ({ ...getContactV1.sample.response, queue: undefined }));
    const without = await viewer.call('GET', '/console/v1/conversations/919812345678');
    expect(without.body.contact).toMatchObject({ queue: null });
  });

  it('lists who sent the newest message', async () => {
    const { response } = listConversationsV1.sample;
    const [conversation] = response.conversations;
    const sent = (fields: object) => ({ ...conversation, lastMessage: { ...conversation?.lastMessage, ...fields } });
    gateway.fakes.answer(listConversationsV1, () => ({
      ...response,
      conversations: [sent({ senderId: agent.user.userId }), sent({ jobId: 'job_1' }), sent({})] as never,
    }));
    const { body } = await viewer.call('GET', '/console/v1/conversations');
    const senders = (body.conversations as { lastMessage: { sentBy: object | null } }[]).map(
      ({ lastMessage }) => lastMessage.sentBy,
    );
    const [{ name } = { name: '' }] = await sql('SELECT name FROM users WHERE id = $1', agent.user.userId);
    expect(senders).toEqual([
      { kind: 'user', id: agent.user.userId, name },
      { kind: 'job', id: 'job_1', name: null },
      null,
    ]);
  });

  it('lists the values of a template, from which the dashboard renders its text', async () => {
    const { response } = listConversationsV1.sample;
    const template = { name: 'order_update', language: { code: 'en_US' }, components: [] };
    gateway.fakes.answer(listConversationsV1, () => ({
      ...response,
      conversations: response.conversations.map((conversation) => ({
        ...conversation,
        lastMessage: { ...conversation.lastMessage, type: 'template', template },
      })),
    }));
    const { body } = await viewer.call('GET', '/console/v1/conversations');
    expect(body.conversations).toMatchObject([{ lastMessage: { type: 'template', template } }]);
  });

  it('changes conversations and records the actor', async () => {
    const { userId } = agent.user;
    expect((await change({ assigneeId: userId })).body).toMatchObject({ queue: { done: false }, unreadCount: 1 });
    await change({ assigneeId: '' });
    await change({ done: true, seenUpTo: SEEN });
    await change({ done: false });
    await change({ seenUpTo: SEEN });
    await change({ assigneeId: userId, done: true, seenUpTo: SEEN });
    const base = { accountId: customer.accountId, contactId: CONTACT };
    expect(gateway.fakes.of(changeConversationV1)).toEqual([
      { ...base, assigneeId: userId },
      { ...base, assigneeId: null },
      { ...base, done: true, seenUpTo: SEEN },
      { ...base, done: false },
      { ...base, seenUpTo: SEEN },
      { ...base, assigneeId: userId, done: true, seenUpTo: SEEN },
    ]);
    const entries = await sql(
      `SELECT action, target, details, outcome FROM audit_log WHERE account_id = $1 AND actor = $2 AND action LIKE 'conversation.%'
       ORDER BY id COLLATE "C"`,
      customer.accountId,
      `user:${userId}`,
    );
    expect(entries.map(({ action, target, outcome }) => [action, target, outcome])).toEqual(
      ['assign', 'unassign', 'done', 'reopen', 'see', 'assign'].map((name) => [
        `conversation.${name}`,
        CONTACT,
        'done',
      ]),
    );
    expect(entries[0]?.['details']).toEqual({ assigneeId: userId });
    expect(entries[5]?.['details']).toEqual({ assigneeId: userId, done: true });
  });

  it('rejects incomplete changes and users who cannot answer', async () => {
    const stranger = await signedIn(gateway, (await gateway.customer()).accountId, 'agent');
    const disabled = await signedIn(gateway, customer.accountId, 'agent');
    await usersOn(gateway).disableUser(disabled.user.userId, 'test');
    for (const [body, code] of [
      [{}, 'MISSING_FIELD'],
      [{ assigneeId: null, done: null, seenUpTo: null }, 'MISSING_FIELD'],
      [{ done: true }, 'MISSING_FIELD'],
      [{ seenUpTo: 'wamid.1' }, 'INVALID_VALUE'],
      [{ done: 'yes' }, 'INVALID_PARAMETER'],
      [{ assigneeId: viewer.user.userId }, 'NOT_FOUND'],
      [{ assigneeId: disabled.user.userId }, 'NOT_FOUND'],
      [{ assigneeId: stranger.user.userId }, 'NOT_FOUND'],
      [{ assigneeId: newId('usr') }, 'NOT_FOUND'],
    ] as const)
      expect([body, (await change(body)).body.code]).toEqual([body, code]);
    expect(gateway.fakes.of(changeConversationV1)).toEqual([]);
    gateway.fakes.answer(changeConversationV1, () => {
      throw new AppError('NOT_FOUND');
    });
    expect((await change({ done: false })).status).toBe(404);
    expect((await change({ done: false }, viewer)).body.code).toBe('ROLE_NOT_ALLOWED');
  });

  it('lists only colleagues who can answer, without addresses', async () => {
    const fresh = await gateway.customer();
    const [owner, one] = [
      await signedIn(gateway, fresh.accountId),
      await signedIn(gateway, fresh.accountId, 'agent'),
      await signedIn(gateway, fresh.accountId, 'viewer'),
    ];
    const { body } = await one.call('GET', '/console/v1/colleagues');
    const ids = (body.colleagues as { id: string }[]).map(({ id }) => id).sort();
    expect(ids).toEqual([owner.user.userId, one.user.userId].sort());
    expect(JSON.stringify(body)).not.toContain('@');
  });

  it('publishes that a user left when disabled or made a viewer', async () => {
    const [first, second, third] = [
      await signedIn(gateway, customer.accountId, 'agent'),
      await signedIn(gateway, customer.accountId, 'agent'),
      await signedIn(gateway, customer.accountId, 'admin'),
    ];
    await usersOn(gateway).disableUser(first.user.userId, 'test');
    await usersOn(gateway).setRole(second.user.userId, 'viewer', 'test');
    await usersOn(gateway).setRole(third.user.userId, 'agent', 'test');
    const left = await sql(
      `SELECT body::jsonb ->> 'userId' AS id FROM (
         SELECT body FROM outbox WHERE name = 'gateway.agent.left.v1'
         UNION ALL SELECT body FROM published WHERE name = 'gateway.agent.left.v1'
       ) AS sent ORDER BY 1`,
    );
    const ids = left.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining([first.user.userId, second.user.userId]));
    expect(ids).not.toContain(third.user.userId);
  });
});
