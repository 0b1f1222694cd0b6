import {
  getMediaV1,
  getMessageStatisticsV1,
  listBlocksV1,
  listContactsV1,
  listConversationsV1,
  listNumbersV1,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { startOfMonth } from '../src/messages/message-partitions';
import {
  CUSTOMER,
  inboundText,
  type RunningMessaging,
  startMessaging,
  type TestAccount,
} from './support/start-messaging';
import { writeJson } from './support/upstream';

const DAY_S = 86_400;
let messages = 0;

interface Given {
  by?: 'customer' | 'business';
  ageDays?: number;
  text?: string;
  thread?: string;
  status?: string;
  id?: string;
}

describe('phone app data', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  /** Returns a message as the gateway publishes it. */
  const old = ({ by = 'customer', ageDays = 3, text = 'Long ago', thread = CUSTOMER, status, id }: Given = {}) => ({
    thread_id: thread,
    from: by === 'customer' ? thread : account.phoneNumber,
    id: id ?? `wamid.OLD${(messages += 1)}`,
    timestamp: String(Math.floor(Date.now() / 1_000 - ageDays * DAY_S)),
    type: 'text',
    text: { body: text },
    ...(status !== undefined && { history_status: status }),
  });
  const tell = (value: object, of = account) => messaging.appData(of.phoneNumberId, value);
  const arrive = async (value: object): Promise<void> => {
    await tell(value);
    await messaging.settled();
  };
  const listed = async (of = account) => (await messaging.list(of.accountId, { limit: 100 })).messages;
  const conversations = async () =>
    (await messaging.gateway.request(listConversationsV1, { accountId: account.accountId, page: 1, limit: 20 }))
      .conversations;
  const numberOf = async ({ accountId, numberId }: TestAccount) =>
    (await messaging.gateway.request(listNumbersV1, { accountId })).numbers.find(({ id }) => id === numberId);
  const rows = async <Row extends object>(sql: string, ...params: unknown[]): Promise<Row[]> =>
    messaging.dataSource.query<Row[]>(sql, params);

  describe('history', () => {
    it('is stored once with its direction and original time', async () => {
      const history = [
        old({ text: 'first', ageDays: 5 }),
        old({ by: 'business', text: 'second', ageDays: 4, status: 'READ' }),
        old({ by: 'business', text: 'third', ageDays: 3, status: 'ERROR' }),
      ];
      const parts = [history, history.toReversed(), history.slice(1), history.slice(0, 1)];
      await Promise.all(parts.map((part) => tell({ history: part })));
      await messaging.settled();
      expect(await listed()).toMatchObject([
        {
          content: { body: 'third' },
          direction: 'outbound',
          status: 'failed',
          origin: 'history',
          error: { title: 'Not delivered', code: 0 },
          sentAt: null,
        },
        { content: { body: 'second' }, direction: 'outbound', status: 'read', from: account.phoneNumber, to: CUSTOMER },
        { content: { body: 'first' }, direction: 'inbound', status: 'received', from: CUSTOMER, origin: 'history' },
      ]);
      for (const [index, shown] of (await listed()).toReversed().entries())
        expect(Math.abs(Date.parse(shown.timestamp) - Number(history[index]?.timestamp) * 1_000)).toBeLessThan(1_000);
    });

    it('causes no events, statistics, windows, unread counts or opt-outs', async () => {
      const before = [messaging.inboundEvents.length, messaging.echoEvents.length];
      const words = ['STOP', 'hello', 'one more'].map((text, index) => old({ text, ageDays: index / 24 }));
      await arrive({ history: [...words, old({ by: 'business', ageDays: 1, status: 'DELIVERED' })] });
      expect([messaging.inboundEvents.length, messaging.echoEvents.length]).toEqual(before);
      expect(messaging.statusEvents.filter(({ accountId }) => accountId === account.accountId)).toEqual([]);
      expect(await conversations()).toMatchObject([
        { messageCount: 4, unreadCount: 0, windowOpen: false, lastInboundAt: null },
      ]);
      const { figures } = await messaging.gateway.request(getMessageStatisticsV1, {
        accountId: account.accountId,
        unit: 'day',
        count: 31,
      });
      expect(figures).toEqual([]);
      const { contacts } = await messaging.gateway.request(listContactsV1, {
        accountId: account.accountId,
        page: 1,
        limit: 5,
      });
      expect(contacts).toMatchObject([{ phone: CUSTOMER, optedOut: false, lastInboundAt: null }]);
      await expect(messaging.send(account.accountId, { text: { body: 'Hi' } })).rejects.toMatchObject({
        code: 'WINDOW_CLOSED',
      });
    });

    it('leaves the unread count of other messages unchanged', async () => {
      await messaging.writeIn(account);
      await arrive({ history: [old(), old({ by: 'business', ageDays: 2 }), old({ ageDays: 0.5 })] });
      expect(await conversations()).toMatchObject([{ messageCount: 4, unreadCount: 1, windowOpen: true }]);
      await rows(
        'DELETE FROM messages WHERE account_id = $1 AND id = (SELECT min(id) FROM messages WHERE account_id = $1)',
        account.accountId,
      );
      expect(await conversations()).toMatchObject([{ messageCount: 3, unreadCount: 1 }]);
    });

    it('is merged with messages received live, in either order', async () => {
      const [live, later] = [inboundText({ ageSeconds: 100 }), inboundText({ ageSeconds: 50 })];
      const asOld = ({ id, timestamp, from }: typeof live, shift: number) => ({
        ...old({ id, thread: from }),
        timestamp: String(Number(timestamp) + shift),
      });
      await arrive({ history: [asOld(later, 3)] });
      await Promise.all([
        ...[later, later, live].map((message) => messaging.callback(account.phoneNumberId, { messages: [message] })),
        tell({ history: [asOld(later, 3), asOld(live, 0)] }),
      ]);
      await messaging.settled();
      await arrive({ history: [asOld(live, 3)] });
      const ids = (await listed()).map(({ upstreamId }) => upstreamId);
      expect(ids.toSorted()).toEqual([live.id, later.id].toSorted());
    });

    it('creates monthly partitions up to seven months back', async () => {
      const inMonth = (monthsAgo: number) =>
        (Date.now() - (startOfMonth(new Date(), -monthsAgo).getTime() + 3 * DAY_S * 1_000)) / (DAY_S * 1_000);
      const history = [inMonth(2), inMonth(5), inMonth(20)].map((ageDays) => old({ ageDays }));
      await arrive({ history });
      const found = await rows<{ part: string }>(
        'SELECT tableoid::regclass::text AS part FROM messages WHERE account_id = $1 ORDER BY id',
        account.accountId,
      );
      const month = (monthsAgo: number): string =>
        `messages_${startOfMonth(new Date(), -monthsAgo).toISOString().slice(0, 7).replace('-', '_')}`;
      expect(found.map(({ part }) => part)).toEqual(['messages_before', month(5), month(2)]);
    });

    it('is not stored if older than the retention period', async () => {
      await rows('INSERT INTO account_settings (account_id, message_days) VALUES ($1, 30)', account.accountId);
      await arrive({ history: [old({ ageDays: 31, text: 'too old' }), old({ ageDays: 29, text: 'kept' })] });
      expect(await listed()).toMatchObject([{ content: { body: 'kept' } }]);
    });

    it('includes files reported before or after their messages', async () => {
      const bytes = Buffer.from('the bytes of a picture');
      for (const id of ['9401', '9402']) {
        messaging.upstream.serve(`/v24.0/${id}`, (_request, response) =>
          writeJson(response, 200, { url: `${messaging.upstream.url}/bytes/${id}`, mime_type: 'image/jpeg', id }),
        );
        messaging.upstream.serve(`/bytes/${id}`, (_request, response) =>
          response.writeHead(200, { 'content-type': 'image/jpeg' }).end(bytes),
        );
      }
      const [first, second] = [old(), old({ by: 'business' })].map(({ text: _text, ...message }) => ({
        ...message,
        type: 'media_placeholder',
      })) as [ReturnType<typeof old>, ReturnType<typeof old>];
      const fileOf = ({ thread_id: to, ...message }: ReturnType<typeof old>, id: string) => ({
        ...message,
        ...(message.from === account.phoneNumber && { to }),
        type: 'image',
        image: { id, mime_type: 'image/jpeg', caption: id },
      });
      await arrive({ history: [first] });
      expect(await listed()).toMatchObject([{ type: 'media_placeholder', content: null }]);
      await Promise.all([tell({ history: [fileOf(first, '9401')] }), tell({ history: [fileOf(second, '9402')] })]);
      await messaging.settled();
      await arrive({ history: [second, first, fileOf(first, '9401')] });
      const shown = await listed();
      expect(shown).toHaveLength(2);
      for (const { type, caption, content } of shown) {
        expect([type, ['9401', '9402'].includes(caption ?? '')]).toEqual(['image', true]);
        const { id: mediaId } = content as { id: string };
        const { accountId } = account;
        await eventually(async () =>
          expect(await messaging.gateway.request(getMediaV1, { accountId, mediaId })).toMatchObject({
            bytes: bytes.length,
          }),
        );
      }
      expect(await rows('SELECT id FROM media WHERE account_id = $1', account.accountId)).toHaveLength(2);
    });

    it('shows the furthest progress or that the business declined', async () => {
      expect((await numberOf(account))?.appHistory).toBeNull();
      const report = (phase: unknown, progress: unknown) => ({
        history_progress: [{ phase, chunk_order: 1, progress }],
      });
      await arrive({ history_progress: [{ code: 2593109, title: 'History sharing is turned off' }] });
      expect((await numberOf(account))?.appHistory).toEqual({
        phase: null,
        progress: null,
        reportedAt: null,
        declined: true,
      });
      await arrive(report(1, 55));
      await arrive(report(0, 20));
      await arrive(report('x', 99));
      expect((await numberOf(account))?.appHistory).toMatchObject({ phase: 1, progress: 55, declined: false });
      const other = await messaging.addAccount();
      expect((await numberOf(other))?.appHistory).toBeNull();
      await arrive(report(2, 100));
      expect((await numberOf(account))?.appHistory).toMatchObject({
        phase: 2,
        progress: 100,
        reportedAt: expect.any(String) as string,
      });
    });

    it('stays separate between accounts despite equal ids', async () => {
      const other = await messaging.addAccount();
      const message = old({ text: 'Ours' });
      await Promise.all([
        tell({ history: [message] }),
        tell({ history: [{ ...message, text: { body: 'Theirs' } }] }, other),
      ]);
      await messaging.settled();
      expect(await listed()).toMatchObject([{ content: { body: 'Ours' } }]);
      expect(await listed(other)).toMatchObject([{ content: { body: 'Theirs' } }]);
    });

    it('is complete after a crash during storage', async () => {
      const history = Array.from({ length: 100 }, (_unused, index) =>
        old({
          by: index % 2 === 0 ? 'customer' : 'business',
          ageDays: 1 + index,
          thread: `9198000${10_000 + (index % 7)}`,
        }),
      );
      // Block the storing of messages in the middle of the transaction, then close its connection.
      const holder = messaging.dataSource.createQueryRunner();
      await holder.startTransaction();
      await holder.query('LOCK TABLE conversations IN SHARE ROW EXCLUSIVE MODE');
      await tell({ history });
      const kill = `
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO messages%'`;
      await eventually(async () => expect(await rows(kill)).not.toEqual([]));
      await eventually(async () => expect(await rows(kill)).not.toEqual([]), { timeoutMs: 30_000 });
      await holder.rollbackTransaction();
      await holder.release();
      await eventually(async () => expect((await listed()).length).toBe(100), { timeoutMs: 60_000 });
      const totals = await rows<{ total: number }>(
        "SELECT sum(total)::int AS total FROM list_totals WHERE account_id = $1 AND list IN ('inbound', 'outbound')",
        account.accountId,
      );
      expect(totals).toEqual([{ total: 100 }]);
    }, 120_000);

    it('skips malformed messages and stores the rest', async () => {
      const fine = old({ text: 'NUL \u0000, half of a pair \ud83d' });
      await arrive({
        history: [
          {},
          { id: 'x' },
          { ...old(), timestamp: null },
          { ...old(), timestamp: '99999999999999' },
          { ...old(), thread_id: { a: 1 }, from: ['x'] },
          { ...old(), thread_id: 'not a number' },
          { ...old(), type: { a: 1 } },
          { ...old(), text: { body: 'x'.repeat(40_000) } },
          { ...old(), history_status: { a: 1 }, errors: 'x', context: 7 },
          fine,
        ],
        history_progress: [{ phase: -1, progress: 1e9 }, { code: '2593109' }],
        state_sync: [
          { type: 'contact', contact: { phone_number: '919800099999', full_name: 'N\u0000' }, action: 'add' },
        ],
      });
      const shown = await listed();
      expect(shown.find(({ upstreamId }) => upstreamId === fine.id)?.content).toEqual({
        body: 'NUL \ufffd, half of a pair \ufffd',
      });
      expect(shown).toHaveLength(5);
      expect((await numberOf(account))?.appHistory).toBeNull();
    });

    it('does not delay live messages', async () => {
      const history = Array.from({ length: 100 }, (_unused, index) => old({ ageDays: 1 + index / 24 }));
      await Promise.all(
        Array.from({ length: 20 }, (_unused, part) =>
          tell({ history: history.map((message) => ({ ...message, id: `${message.id}.${part}` })) }),
        ),
      );
      await messaging.callback(account.phoneNumberId, { messages: [inboundText({ id: 'wamid.NOW' })] });
      await eventually(async () =>
        expect((await messaging.list(account.accountId, { upstreamId: 'wamid.NOW' })).total).toBe(1),
      );
      const [{ stored } = { stored: 0 }] = await rows<{ stored: number }>(
        "SELECT count(*)::int AS stored FROM messages WHERE account_id = $1 AND origin = 'history'",
        account.accountId,
      );
      expect(stored).toBeLessThan(2_000);
      await eventually(async () => expect((await messaging.list(account.accountId)).total).toBe(2_001), {
        timeoutMs: 60_000,
      });
    }, 90_000);
  });

  describe('contact names', () => {
    const contactOf = async (search: string) =>
      (await messaging.gateway.request(listContactsV1, { accountId: account.accountId, page: 1, limit: 5, search }))
        .contacts[0];
    const change = (phone: string, name: string | null, atSeconds: number) => ({
      type: 'contact',
      contact: { phone_number: phone, ...(name !== null && { full_name: name, first_name: name.split(' ')[0] }) },
      action: name === null ? 'remove' : 'add',
      metadata: { timestamp: String(1_780_000_000 + atSeconds) },
    });

    it('apply the newest change in any order and are searchable', async () => {
      const phone = '919800040001';
      await Promise.all([
        tell({ state_sync: [change(phone, 'Third Name', 30)] }),
        tell({ state_sync: [change(phone, 'First Name', 10)] }),
        tell({ state_sync: [change(phone, 'Second Name', 20)] }),
      ]);
      await messaging.settled();
      expect(await contactOf(phone)).toMatchObject({ appName: 'Third Name', name: 'Third Name', profileName: null });
      expect(await contactOf('third na')).toMatchObject({ phone });
      expect(await contactOf('second na')).toBeUndefined();
    });

    it('rank below account names and above profile names', async () => {
      await messaging.callback(account.phoneNumberId, {
        contacts: [{ wa_id: CUSTOMER, profile: { name: 'asha*' } }],
        messages: [inboundText()],
      });
      await messaging.settled();
      expect(await contactOf(CUSTOMER)).toMatchObject({ name: 'asha*', appName: null });
      await arrive({ state_sync: [change(CUSTOMER, 'Asha (blue door)', 10)] });
      expect(await contactOf(CUSTOMER)).toMatchObject({ name: 'Asha (blue door)', profileName: 'asha*' });
      const search = { accountId: account.accountId, page: 1, limit: 5, search: 'blue door' };
      expect((await messaging.gateway.request(listConversationsV1, search)).conversations).toMatchObject([
        { phone: CUSTOMER, name: 'Asha (blue door)' },
      ]);
      const { accountId, numberId } = account;
      await rows(
        'INSERT INTO blocks (account_id, number_id, phone, phone_key) VALUES ($1, $2, $3, $3)',
        accountId,
        numberId,
        CUSTOMER,
      );
      const { blocks } = await messaging.gateway.request(listBlocksV1, { accountId, page: 1, limit: 5 });
      expect(blocks).toMatchObject([{ name: 'Asha (blue door)' }]);
      await rows("UPDATE contacts SET name = 'Ms Rao' WHERE account_id = $1", account.accountId);
      await arrive({ state_sync: [change(CUSTOMER, 'Asha (green door)', 20)] });
      expect(await contactOf(CUSTOMER)).toMatchObject({ name: 'Ms Rao', appName: 'Asha (green door)' });
      await messaging.gateway.request(listConversationsV1, { accountId: account.accountId, page: 1, limit: 5 });
      expect(await conversations()).toMatchObject([{ name: 'Ms Rao' }]);
    });

    it('are removed without changing or creating contacts', async () => {
      await messaging.callback(account.phoneNumberId, {
        contacts: [{ wa_id: CUSTOMER, profile: { name: 'asha*' } }],
        messages: [inboundText()],
      });
      await messaging.settled();
      await arrive({ state_sync: [change(CUSTOMER, 'Asha', 10)] });
      const before = await contactOf(CUSTOMER);
      await arrive({ state_sync: [change(CUSTOMER, null, 20), change('919800040099', null, 20)] });
      await arrive({ state_sync: [change(CUSTOMER, 'Asha', 15)] });
      expect(before).toMatchObject({ appName: 'Asha', name: 'Asha' });
      expect(await contactOf(CUSTOMER)).toEqual({ ...before, appName: null, name: 'asha*' });
      expect(await listed()).toHaveLength(1);
      expect(await contactOf('919800040099')).toBeUndefined();
    });

    it('are invisible to other accounts', async () => {
      const other = await messaging.addAccount();
      await arrive({ state_sync: [change('919800040002', 'Ours', 10)] });
      const { contacts } = await messaging.gateway.request(listContactsV1, {
        accountId: other.accountId,
        page: 1,
        limit: 5,
      });
      expect(contacts).toEqual([]);
    });
  });

  // Keep this test last: it publishes its callbacks twice, which counts as a duplicate.
  it('is applied once its number is added', async () => {
    const phoneNumberId = '299990000000001';
    await messaging.appData(phoneNumberId, {
      history: [{ ...old(), thread_id: CUSTOMER }],
      history_progress: [{ phase: 0, progress: 7 }],
    });
    await eventually(async () =>
      expect((await rows('SELECT id FROM unowned_callbacks WHERE phone_number_id = $1', phoneNumberId)).length).toBe(1),
    );
    await rows('UPDATE numbers SET phone_number_id = $1 WHERE id = $2', phoneNumberId, account.numberId);
    await eventually(async () => expect((await listed()).length).toBe(1));
    await eventually(async () => expect((await numberOf(account))?.appHistory).toMatchObject({ progress: 7 }));
  });
});
