import {
  activitySample,
  AppError,
  changeConversationV1,
  countConversationsV1,
  getContactV1,
  listActivitiesV1,
  listConversationMessagesV1,
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
  let agent: Browser & { user: { userId: string; name: string } };
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
    const base = { accountId: customer.accountId, contactId: CONTACT, actorId: userId };
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
      [{ expectedAssigneeId: '' }, 'MISSING_FIELD'],
      [{ expectedAssigneeId: '', done: false }, 'MISSING_FIELD'],
      [{ assigneeId: '', expectedAssigneeId: 1 }, 'INVALID_PARAMETER'],
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

  it('names who assigned the conversation if the user expected another assignment', async () => {
    const { userId, name } = agent.user;
    const changedAt = '2026-03-02T10:21:00.000Z';
    gateway.fakes.answer(changeConversationV1, ({ expectedAssigneeId }) => {
      const assigneeId = expectedAssigneeId === null ? userId : null;
      throw new AppError('ASSIGNEE_CHANGED', {
        extra: {
          assignment: { assigneeId, changedById: assigneeId && newId('usr'), changedAt: assigneeId && changedAt },
        },
      });
    });
    const taken = await change({ assigneeId: userId, expectedAssigneeId: '' });
    expect([taken.status, taken.body]).toMatchObject([
      409,
      {
        success: false,
        code: 'ASSIGNEE_CHANGED',
        assignment: { assignee: { id: userId, name }, changedBy: { name: null }, changedAt },
      },
    ]);
    const given = await change({ assigneeId: '', expectedAssigneeId: userId });
    expect(given.body).toMatchObject({ assignment: { assignee: null, changedBy: null, changedAt: null } });
    expect(gateway.fakes.of(changeConversationV1)).toMatchObject([
      { assigneeId: userId, expectedAssigneeId: null, actorId: userId },
      { assigneeId: null, expectedAssigneeId: userId, actorId: userId },
    ]);
    const refused = await sql(
      "SELECT 1 FROM audit_log WHERE account_id = $1 AND action LIKE 'conversation.%' AND outcome = 'refused'",
      customer.accountId,
    );
    expect(refused.length).toBeGreaterThanOrEqual(2);
  });

  it('shows activities with the names of users in the conversation', async () => {
    const gone = newId('usr');
    const activities = [
      { ...activitySample, actorId: agent.user.userId, assigneeId: gone },
      { ...activitySample, action: 'reopened-by-message' as const, actorId: null, assigneeId: null },
    ];
    const { response } = listConversationMessagesV1.sample;
    gateway.fakes.answer(listConversationMessagesV1, () => ({ ...response, notes: undefined, activities }));
    const { body } = await viewer.call('GET', '/console/v1/conversations/919812345678/messages?limit=5');
    const { id, createdAt } = activitySample;
    expect(body.activities).toEqual([
      {
        id,
        createdAt,
        action: 'assigned',
        actor: { id: agent.user.userId, name: agent.user.name },
        assignee: { id: gone, name: null },
      },
      { id, createdAt, action: 'reopened-by-message', actor: null, assignee: null },
    ]);
    gateway.fakes.answer(listConversationMessagesV1, () => ({ ...response, activities: undefined }));
    const older = await viewer.call('GET', '/console/v1/conversations/919812345678/messages');
    expect(older.body.activities).toEqual([]);
  });

  it('exports activities as CSV, but not for agents', async () => {
    const activity = { ...activitySample, phone: '919812345678', userId: null, contactName: '=Asha' };
    gateway.fakes.answer(listActivitiesV1, ({ cursor }) => ({
      activities: [
        { ...activity, actorId: agent.user.userId, assigneeId: cursor === undefined ? agent.user.userId : null },
      ],
      nextCursor: cursor === undefined ? 'next' : null,
    }));
    const file = await viewer.call('GET', '/console/v1/exports/activities.csv');
    const lines = String(file.body.text).split('\r\n');
    const { userId, name } = agent.user;
    expect(lines[0]).toMatch(
      /id,contactId,phone,userId,contactName,action,actorId,actorName,assigneeId,assigneeName,createdAt$/,
    );
    expect(lines[1]).toContain(`,919812345678,,'=Asha,assigned,${userId},${name},${userId},${name},2026-`);
    expect(lines[2]).toContain(`,assigned,${userId},${name},,,2026-`);
    expect(gateway.fakes.of(listActivitiesV1)).toEqual([
      { accountId: customer.accountId, limit: 100 },
      { accountId: customer.accountId, limit: 100, cursor: 'next' },
    ]);
    expect((await agent.call('GET', '/console/v1/exports/activities.csv')).body.code).toBe('ROLE_NOT_ALLOWED');
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
