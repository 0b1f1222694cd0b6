import { randomBytes } from 'node:crypto';
import {
  type ActivityAction,
  agentLeftV1,
  changeConversationV1,
  createNoteV1,
  eraseContactV1,
  getContactV1,
  idOf,
  listActivitiesV1,
  listConversationMessagesV1,
  newId,
  runRetentionV1,
} from '@switchboard/contracts';
import { eventually, startTcpProxy, type TcpProxy, testDatabaseUrl } from '@switchboard/testing';
import { HIDDEN, hiddenContacts } from './support/hidden-contacts';
import {
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';

const [ASHA, BO, CARLA] = [newId('usr'), newId('usr'), newId('usr')];

describe('activities of conversations', () => {
  let database: TcpProxy;
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    const { hostname, port } = new URL(testDatabaseUrl());
    database = await startTcpProxy({ host: hostname, port: Number(port || 5432) });
    messaging = await startMessaging({ reachDatabase: (address) => database.through(address) });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(async () => {
    await messaging.stop();
    await database.close();
  });

  const { person, receive, hiddenText } = hiddenContacts(() => ({ messaging, account }));
  const write = async (...messages: object[]): Promise<void> => {
    await messaging.callback(account.phoneNumberId, { messages });
    await messaging.settled();
  };
  const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => messaging.dataSource.query(text, params);
  const contactOf = async (phone = CUSTOMER) =>
    (await messaging.gateway.request(getContactV1, { accountId: account.accountId, phone })).contact.id;
  const change = async (fields: {
    assigneeId?: string | null;
    expectedAssigneeId?: string | null;
    done?: boolean;
    seenUpTo?: string;
    actorId?: string;
    contactId?: string;
  }) =>
    messaging.gateway.request(changeConversationV1, {
      accountId: account.accountId,
      contactId: await contactOf(),
      actorId: ASHA,
      ...fields,
    });
  const newest = async (): Promise<string> =>
    (await sql<{ id: string }>('SELECT max(id) AS id FROM messages WHERE account_id = $1', account.accountId))[0]?.id ??
    '';
  const markDone = async (actorId = ASHA) => change({ actorId, done: true, seenUpTo: await newest() });
  const thread = (more: { limit?: number; cursor?: string; withNotes?: boolean; phone?: string } = {}) =>
    messaging.gateway.request(listConversationMessagesV1, {
      accountId: account.accountId,
      phone: CUSTOMER,
      page: 1,
      limit: 20,
      withNotes: true,
      ...more,
    });
  /** Returns action, actor and assignee of all activities, oldest first. */
  const recorded = async (phone = CUSTOMER) =>
    ((await thread({ phone })).activities ?? [])
      .map(({ action, actorId, assigneeId }) => [action, actorId, assigneeId] as const)
      .reverse();
  const listAll = (limit = 20, cursor?: string) =>
    messaging.gateway.request(listActivitiesV1, { accountId: account.accountId, limit, ...(cursor && { cursor }) });
  const addAgo = async (seconds: number, action: ActivityAction = 'reopened') =>
    sql(
      'INSERT INTO activities (id, account_id, contact_id, action) VALUES ($1, $2, $3, $4)',
      idOf('act', Date.now() - seconds * 1_000, randomBytes(16)),
      account.accountId,
      await contactOf(),
      action,
    );

  it('are recorded once per change, with the user', async () => {
    await write(inboundText({ from: CUSTOMER, ageSeconds: 60 }));
    const before = Date.now();
    await change({ assigneeId: BO });
    await change({ assigneeId: BO, actorId: CARLA });
    await change({ assigneeId: CARLA, done: true, seenUpTo: await newest(), actorId: BO });
    await change({ seenUpTo: await newest() });
    await change({ done: false, actorId: CARLA });
    await change({ done: false, actorId: BO });
    await change({ assigneeId: null, actorId: CARLA });
    expect(await recorded()).toEqual([
      ['assigned', ASHA, BO],
      ['assigned', BO, CARLA],
      ['done', BO, null],
      ['reopened', CARLA, null],
      ['unassigned', CARLA, CARLA],
    ]);
    const times = ((await thread()).activities ?? []).map(({ createdAt }) => Date.parse(createdAt));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(before - 1_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now() + 1_000);
    expect('activities' in (await thread({ withNotes: false }))).toBe(false);
  });

  it('name the message or the failed answer that reopened a conversation', async () => {
    const first = inboundText({ from: CUSTOMER, ageSeconds: 60 });
    await write(first);
    await markDone();
    await write(first);
    const again = inboundText({ from: CUSTOMER, ageSeconds: 5 });
    await write(again);
    await write(again, inboundText({ from: CUSTOMER, ageSeconds: 4 }));
    const answer = await messaging.send(account.accountId, { to: CUSTOMER, text: { body: 'On its way' } });
    await markDone();
    await sql("UPDATE messages SET state = 'failed' WHERE id = $1", answer.id);
    expect(await recorded()).toEqual([
      ['done', ASHA, null],
      ['reopened-by-message', null, null],
      ['done', ASHA, null],
      ['reopened-by-failure', null, null],
    ]);
  });

  it('are rolled back with the message that reopens', async () => {
    await write(inboundText({ from: CUSTOMER }));
    await markDone();
    const writer = messaging.dataSource.createQueryRunner();
    await writer.startTransaction();
    await writer.query(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
         received_at, upstream_id)
       SELECT $2, account_id, number_id, contact_id, direction, sender, recipient, type, content, state, now(), 'wamid.none'
       FROM messages WHERE id = $1`,
      [await newest(), newId('msg')],
    );
    const inside = (await writer.query('SELECT 1 FROM activities WHERE account_id = $1', [
      account.accountId,
    ])) as object[];
    expect(inside).toHaveLength(2);
    await writer.rollbackTransaction();
    await writer.release();
    expect(await recorded()).toEqual([['done', ASHA, null]]);
  });

  it('reject an assignment if another user was faster', async () => {
    await write(inboundText({ from: CUSTOMER }));
    const take = (userId: string, expectedAssigneeId: string | null) =>
      change({ assigneeId: userId, expectedAssigneeId, actorId: userId });
    const taken = await Promise.allSettled([take(BO, null), take(CARLA, null)]);
    const [[winner, loser]] = taken[0].status === 'fulfilled' ? [[BO, CARLA]] : [[CARLA, BO]];
    expect(taken.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(take(loser, null)).rejects.toMatchObject({
      code: 'ASSIGNEE_CHANGED',
      extra: {
        assignment: { assigneeId: winner, changedById: winner, changedAt: expect.stringMatching(/Z$/) as string },
      },
    });
    // An assignment that is already as wanted is no conflict.
    expect((await take(winner, null)).queue.assigneeId).toBe(winner);
    expect(await recorded()).toEqual([['assigned', winner, winner]]);
    expect((await take(loser, winner)).queue.assigneeId).toBe(loser);
    await expect(change({ assigneeId: null, expectedAssigneeId: winner })).rejects.toMatchObject({
      code: 'ASSIGNEE_CHANGED',
    });
    await change({ assigneeId: null, expectedAssigneeId: loser });
    await expect(take(BO, loser)).rejects.toMatchObject({
      extra: { assignment: { assigneeId: null, changedById: ASHA } },
    });
  });

  it('are recorded once if a user repeats a change after a lost response', async () => {
    await write(inboundText({ from: CUSTOMER }));
    const take = () => change({ assigneeId: BO, expectedAssigneeId: null, actorId: BO });
    const lost = database.loseAnswer(BO, 'COMMIT');
    await expect(take()).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await lost;
    expect((await take()).queue.assigneeId).toBe(BO);
    expect(await recorded()).toEqual([['assigned', BO, BO]]);
    const done = database.loseAnswer(CARLA, 'COMMIT');
    await expect(markDone(CARLA)).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    await done;
    expect((await markDone(CARLA)).queue.done).toBe(true);
    expect(await recorded()).toEqual([
      ['assigned', BO, BO],
      ['done', CARLA, null],
    ]);
  });

  it('show that a conversation was unassigned because the user left', async () => {
    await write(inboundText({ from: CUSTOMER }));
    await change({ assigneeId: BO });
    await messaging.gateway.publish(agentLeftV1, { accountId: account.accountId, userId: BO });
    await eventually(async () => expect((await recorded()).length).toBe(2));
    expect((await recorded())[1]).toEqual(['unassigned', null, BO]);
  });

  it('are on one page each, with the messages and notes of their time', async () => {
    const ages = [100, 200, 300, 400];
    const [notes, activities] = [
      [450, 350, 250, 150, 50],
      [455, 340, 335, 330, 145, 45, 40],
    ];
    await write(...ages.map((ageSeconds) => inboundText({ from: CUSTOMER, ageSeconds })));
    const contactId = await contactOf();
    for (const age of notes)
      await messaging.gateway.request(createNoteV1, {
        accountId: account.accountId,
        contactId,
        noteId: idOf('note', Date.now() - age * 1_000, randomBytes(16)),
        authorId: ASHA,
        text: 'x',
      });
    for (const age of activities) await addAgo(age);
    const all = (await thread({ limit: 100 })) as Record<'messages' | 'notes' | 'activities', { id: string }[]>;
    const placesOf = (page: object) =>
      Object.values({ ...page, total: [] })
        .flatMap((rows: unknown) => (Array.isArray(rows) ? (rows as { id: string }[]) : []))
        .map(({ id }) => id.slice(id.indexOf('_')))
        .sort()
        .reverse();
    expect(placesOf(all)).toHaveLength(ages.length + notes.length + activities.length);
    for (const limit of [1, 2, 3, 20]) {
      const read: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await thread({ limit, ...(cursor !== undefined && { cursor }) });
        for (const rows of [page.messages, page.notes, page.activities])
          expect(rows?.length).toBeLessThanOrEqual(limit);
        read.push(...placesOf(page));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      expect([limit, read]).toEqual([limit, placesOf(all)]);
    }
  });

  it('are listed with their contacts, newest first, for their account only', async () => {
    await write(inboundText({ from: CUSTOMER }));
    for (const seconds of [30, 20, 10]) await addAgo(seconds, seconds === 10 ? 'done' : 'reopened');
    const first = await listAll(2);
    expect(first.activities).toMatchObject([{ action: 'done', phone: CUSTOMER, userId: null }, { action: 'reopened' }]);
    const second = await listAll(2, first.nextCursor ?? undefined);
    expect([second.activities.length, second.nextCursor]).toEqual([1, null]);
    await expect(listAll(2, 'x')).rejects.toMatchObject({ code: 'INVALID_PARAMETER' });
    const contactId = await contactOf();
    account = await messaging.addAccount();
    await write(inboundText({ from: CUSTOMER }));
    await expect(change({ contactId, assigneeId: BO })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([await recorded(), (await listAll()).activities]).toEqual([[], []]);
  });

  it('are deleted with an erased contact', async () => {
    await write(inboundText({ from: CUSTOMER }));
    await change({ assigneeId: BO });
    const erased = { accountId: account.accountId, phone: CUSTOMER, dryRun: false };
    while (!(await messaging.gateway.request(eraseContactV1, erased)).done);
    expect(await sql('SELECT 1 FROM activities WHERE account_id = $1', account.accountId)).toEqual([]);
  });

  it('are kept when contacts are merged', async () => {
    await write(inboundText({ from: CUSTOMER, ageSeconds: 60 }));
    await change({ assigneeId: BO });
    await receive(hiddenText());
    await change({ contactId: await contactOf(HIDDEN), assigneeId: CARLA });
    await receive(
      { ...inboundText({ from: CUSTOMER, ageSeconds: 0 }), from_user_id: HIDDEN },
      person(HIDDEN, 'asha.rao', CUSTOMER),
    );
    expect(await recorded()).toEqual([
      ['assigned', ASHA, BO],
      ['assigned', ASHA, CARLA],
    ]);
  });

  it('are retained as long as messages', async () => {
    const day = 86_400;
    await write(inboundText({ from: CUSTOMER }));
    await addAgo(31 * day, 'done');
    await addAgo(29 * day);
    const { accountId } = account;
    await messaging.gateway.request(runRetentionV1, { accountId, dryRun: false });
    expect(await recorded()).toHaveLength(2);
    await sql('INSERT INTO account_settings (account_id, message_days) VALUES ($1, 30)', accountId);
    await messaging.gateway.request(runRetentionV1, { accountId, dryRun: false });
    expect(await recorded()).toEqual([['reopened', null, null]]);
  });
});
