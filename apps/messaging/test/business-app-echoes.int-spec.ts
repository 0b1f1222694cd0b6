import { getMediaV1, getMessageStatisticsV1, listConversationsV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import {
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';
import { writeJson } from './support/upstream';

let echoes = 0;
const unix = (ageSeconds: number): string => String(Math.floor(Date.now() / 1_000) - ageSeconds);

/** Returns a text message from the phone app of the business, in upstream format. */
const echoOf = (
  account: TestAccount,
  { to = CUSTOMER as unknown, text = 'From the app', ageSeconds = 1, id = `wamid.ECHO${(echoes += 1)}` } = {},
) => ({ from: account.phoneNumber, to, id, timestamp: unix(ageSeconds), type: 'text', text: { body: text } });

const changeOf = <Change extends object>(
  account: TestAccount,
  original: { id: string; to: unknown },
  change: Change,
) => ({
  from: account.phoneNumber,
  to: original.to,
  id: `wamid.ECHO${(echoes += 1)}`,
  timestamp: unix(0),
  ...change,
});
const editOf = (account: TestAccount, original: { id: string; to: unknown }, text: string) =>
  changeOf(account, original, {
    type: 'edit',
    edit: { original_message_id: original.id, message: { type: 'text', text: { body: text } } },
  });
const deletionOf = (account: TestAccount, original: { id: string; to: unknown }) =>
  changeOf(account, original, { type: 'revoke', revoke: { original_message_id: original.id } });

describe('messages sent from the phone app', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const report = (...message_echoes: unknown[]) => messaging.callback(account.phoneNumberId, { message_echoes });
  const arrive = async (...message_echoes: unknown[]): Promise<void> => {
    await report(...message_echoes);
    await messaging.settled();
  };
  const record = async (upstreamId: string) => (await messaging.list(account.accountId, { upstreamId })).messages[0];
  const eventsOf = (upstreamId: string) => messaging.echoEvents.filter((echo) => echo.upstreamId === upstreamId);
  const rows = async (sql: string): Promise<object[]> => messaging.dataSource.query(sql, [account.accountId]);
  const status = (id: string, name: string, more: object = {}) => ({
    id,
    status: name,
    timestamp: unix(0),
    recipient_id: CUSTOMER,
    ...more,
  });

  it('are stored as outbound with one event despite repeated callbacks', async () => {
    const echo = echoOf(account);
    await Promise.all([report(echo), report(echo, echo), report(echo)]);
    await messaging.settled();
    const at = new Date(Number(echo.timestamp) * 1_000).toISOString();
    const { messages, total } = await messaging.list(account.accountId, { phone: CUSTOMER });
    expect(total).toBe(1);
    expect(messages).toMatchObject([
      {
        direction: 'outbound',
        origin: 'business_app',
        status: 'sent',
        type: 'text',
        upstreamId: echo.id,
        content: { body: 'From the app' },
        from: account.phoneNumber,
        to: CUSTOMER,
        sentAt: at,
        createdAt: at,
        jobId: null,
        clientRef: null,
        error: null,
        pricing: null,
      },
    ]);
    expect(eventsOf(echo.id)).toMatchObject([
      {
        accountId: account.accountId,
        action: 'sent',
        id: messages[0]?.id,
        from: account.phoneNumber,
        to: CUSTOMER,
        type: 'text',
        content: { body: 'From the app' },
        timestamp: at,
        changeId: null,
      },
    ]);
    expect(messaging.statusEvents.filter(({ upstreamId }) => upstreamId === echo.id)).toEqual([]);
  });

  it('are sent to contacts with a user id or both identifiers', async () => {
    const hidden = echoOf(account, { to: 'IN.10000000000000000077' });
    await arrive(hidden);
    expect(await record(hidden.id)).toMatchObject({ to: null, userId: 'IN.10000000000000000077' });
    expect(eventsOf(hidden.id)).toMatchObject([{ to: 'IN.10000000000000000077' }]);
    await arrive({ ...echoOf(account, { to: '919811110077' }), to_user_id: 'IN.10000000000000000077' });
    const { total } = await messaging.list(account.accountId, { phone: '919811110077' });
    expect(total).toBe(2);
  });

  it('mark earlier inbound messages as read', async () => {
    await messaging.writeIn(account);
    const unread = async () =>
      (await messaging.gateway.request(listConversationsV1, { accountId: account.accountId, page: 1, limit: 5 }))
        .conversations[0];
    expect(await unread()).toMatchObject({ unreadCount: 1 });
    await arrive(echoOf(account, { ageSeconds: 0 }));
    expect(await unread()).toMatchObject({ unreadCount: 0, messageCount: 2, lastMessage: { origin: 'business_app' } });
    await messaging.callback(account.phoneNumberId, { messages: [inboundText({ ageSeconds: -2 })] });
    await messaging.settled();
    expect(await unread()).toMatchObject({ unreadCount: 1, messageCount: 3 });
  });

  it('open no service window', async () => {
    await arrive(echoOf(account, { to: '919800000031' }));
    await expect(
      messaging.send(account.accountId, { to: '919800000031', text: { body: 'Hello' } }),
    ).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
  });

  it('are counted as sent and receive statuses that arrived early', async () => {
    const [echo, early] = [echoOf(account), echoOf(account)];
    await messaging.callback(account.phoneNumberId, { statuses: [status(early.id, 'delivered')] });
    await messaging.settled();
    await arrive(echo, early);
    await messaging.callback(account.phoneNumberId, { statuses: [status(echo.id, 'sent'), status(echo.id, 'read')] });
    await eventually(async () => {
      expect(await record(echo.id)).toMatchObject({ status: 'read' });
      expect(await record(early.id)).toMatchObject({ status: 'delivered' });
    });
    await messaging.settled();
    // The status `sent` is not new, so it is not published.
    const told = messaging.statusEvents.filter(({ upstreamId }) => [echo.id, early.id].includes(upstreamId));
    expect(told.map(({ upstreamId, status: name }) => [upstreamId, name]).toSorted()).toEqual(
      [
        [echo.id, 'read'],
        [early.id, 'delivered'],
      ].toSorted(),
    );
    const { figures } = await messaging.gateway.request(getMessageStatisticsV1, {
      accountId: account.accountId,
      unit: 'day',
      count: 2,
    });
    expect(figures.reduce((sum, { read, delivered, sent }) => sum + read + delivered + sent, 0)).toBe(2);
  });

  it('ignore group statuses', async () => {
    const echo = echoOf(account);
    await arrive(echo);
    const ofGroup = { recipient_type: 'group', recipient_id: 'Y2FwaV9ncm91cDox', recipient_participant_id: CUSTOMER };
    await messaging.callback(account.phoneNumberId, {
      statuses: [status(echo.id, 'read', ofGroup), status('wamid.OF-A-GROUP', 'read', ofGroup)],
    });
    await messaging.settled();
    expect(await record(echo.id)).toMatchObject({ status: 'sent', readAt: null });
    expect(messaging.statusEvents.filter(({ upstreamId }) => upstreamId === echo.id)).toEqual([]);
    expect(await rows('SELECT 1 FROM parked_statuses WHERE account_id = $1')).toEqual([]);
  });

  it('have their files downloaded', async () => {
    const bytes = Buffer.from('the bytes of a picture');
    messaging.upstream.serve('/v24.0/9301', (_request, response) =>
      writeJson(response, 200, { url: `${messaging.upstream.url}/bytes/9301`, mime_type: 'image/jpeg', id: '9301' }),
    );
    messaging.upstream.serve('/bytes/9301', (_request, response) =>
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes),
    );
    const image = { id: '9301', mime_type: 'image/jpeg', caption: 'The menu' };
    const echo = { ...echoOf(account), type: 'image', image };
    await arrive(echo);
    const shown = await record(echo.id);
    const { id } = shown?.content as { id: string };
    expect(shown).toMatchObject({
      type: 'image',
      caption: 'The menu',
      content: { id: expect.stringMatching(/^med_/) as string },
    });
    await eventually(async () =>
      expect(await messaging.gateway.request(getMediaV1, { accountId: account.accountId, mediaId: id })).toMatchObject({
        bytes: bytes.length,
      }),
    );
  });

  it('are edited and deleted only from the phone app', async () => {
    const echo = echoOf(account, { text: 'hush-1' });
    await arrive(echo);
    const edit = editOf(account, echo, 'hush-2');
    await Promise.all([report(edit), report(edit)]);
    await messaging.settled();
    expect(await record(echo.id)).toMatchObject({
      content: { body: 'hush-2' },
      editedAt: expect.any(String) as string,
    });
    // An edit that is older than a stored one changes nothing and publishes nothing.
    await arrive({ ...editOf(account, echo, 'hush-0'), timestamp: unix(60) });
    expect(await record(echo.id)).toMatchObject({ content: { body: 'hush-2' } });
    // Neither a contact nor another account can change it.
    const other = await messaging.addAccount();
    await messaging.callback(account.phoneNumberId, {
      messages: [{ ...deletionOf(account, echo), from: CUSTOMER }],
    });
    await messaging.callback(other.phoneNumberId, { message_echoes: [deletionOf(other, echo)] });
    await messaging.settled();
    expect(await record(echo.id)).toMatchObject({ content: { body: 'hush-2' }, deletedAt: null });
    const deletion = deletionOf(account, echo);
    await Promise.all([report(deletion), report(deletion)]);
    await messaging.settled();
    // An edit that is older than the deletion changes nothing, either.
    await arrive(editOf(account, echo, 'hush-3'));
    expect(await record(echo.id)).toMatchObject({ content: null, deletedAt: expect.any(String) as string });
    const own = eventsOf(echo.id).filter(({ accountId }) => accountId === account.accountId);
    expect(own.map(({ action, type, content }) => [action, type, content])).toEqual([
      ['sent', 'text', { body: 'hush-1' }],
      ['edited', 'text', { body: 'hush-2' }],
      ['deleted', null, null],
    ]);
    expect(messaging.edits.filter(({ upstreamId }) => upstreamId === echo.id)).toEqual([]);
    expect(
      JSON.stringify(await rows('SELECT * FROM messages WHERE account_id = $1')) +
        JSON.stringify(await rows('SELECT * FROM message_changes WHERE account_id = $1')),
    ).not.toContain('hush');
  });

  it('apply changes that arrived before them or concurrently', async () => {
    const pairs = Array.from({ length: 20 }, (_unused, index) => {
      const echo = echoOf(account, { to: `91980000${2_000 + index}` });
      return { echo, change: index % 2 === 0 ? editOf(account, echo, 'Better') : deletionOf(account, echo) };
    });
    await report(...pairs.slice(0, 10).map(({ change }) => change));
    await Promise.all(pairs.flatMap(({ echo, change }) => [report(change), report(echo)]));
    await messaging.settled();
    for (const { echo, change } of pairs)
      expect(await record(echo.id)).toMatchObject({ content: change.type === 'edit' ? { body: 'Better' } : null });
    // If a message was deleted before it arrived, only the deletion is published.
    const told = pairs.slice(0, 10).flatMap(({ echo }) => eventsOf(echo.id).map(({ action }) => action));
    expect(told.filter((action) => action === 'deleted')).toHaveLength(5);
    const gone = echoOf(account);
    await arrive(deletionOf(account, gone));
    await arrive(gone);
    expect(eventsOf(gone.id)).toMatchObject([{ action: 'deleted', id: null }]);
    const edited = echoOf(account);
    await arrive(editOf(account, edited, 'Better'));
    await arrive(edited);
    expect(eventsOf(edited.id)).toMatchObject([
      { action: 'edited', id: null },
      { action: 'sent', content: { body: 'Better' } },
    ]);
  });

  it('stay separate between accounts despite equal ids', async () => {
    const other = await messaging.addAccount();
    const echo = echoOf(account);
    await report(echo);
    await messaging.callback(other.phoneNumberId, {
      message_echoes: [{ ...echo, from: other.phoneNumber, text: { body: 'Ours' } }],
    });
    await messaging.settled();
    expect((await messaging.list(other.accountId)).messages).toMatchObject([{ content: { body: 'Ours' } }]);
    expect((await messaging.list(account.accountId)).messages).toMatchObject([{ content: { body: 'From the app' } }]);
  });

  it('are skipped when malformed and truncated when oversized', async () => {
    const fine = echoOf(account, { text: 'NUL \u0000 and half of a pair \ud83d' });
    const long = echoOf(account, { text: 'x'.repeat(50_000) });
    await arrive(
      {},
      { id: 'wamid.X' },
      { ...echoOf(account), to: { a: 1 } },
      { ...echoOf(account), id: 7 },
      { ...echoOf(account), timestamp: 'x', type: { a: 1 } },
      { ...echoOf(account), type: 'constructor', constructor: { a: 1 } },
      { ...echoOf(account), type: 'image', image: 'x' },
      { ...echoOf(account), type: 'edit', edit: 'x' },
      fine,
      long,
    );
    const { messages } = await messaging.list(account.accountId);
    expect(messages.map(({ type }) => type).toSorted()).toEqual([
      'constructor',
      'text',
      'text',
      'unsupported',
      'unsupported',
    ]);
    expect(await record(fine.id)).toMatchObject({ content: { body: 'NUL \ufffd and half of a pair \ufffd' } });
  });
});
