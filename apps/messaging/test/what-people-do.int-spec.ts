import { listConversationsV1 } from '@switchboard/contracts';
import { Transactions } from '@switchboard/database';
import { eventually, silentLogger } from '@switchboard/testing';
import { PartitionsService } from '../src/retention/partitions.service';
import { RetentionService } from '../src/retention/retention.service';
import { inboundText, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const GROUP = 'Y2FwaV9ncm91cDox';
const unix = (ageSeconds = 0): string => String(Math.floor(Date.now() / 1_000) - ageSeconds);
let calls = 0;
const callFrom = (from: string, more: object = {}) => ({
  id: `wacid.CALL${(calls += 1)}`,
  from,
  to: '15550783000',
  event: 'connect',
  timestamp: unix(),
  direction: 'USER_INITIATED',
  session: { sdp: 'v=0', sdp_type: 'offer' },
  ...more,
});
const noticeFrom = (from: string | undefined, system: object, more: object = {}) => ({
  ...inboundText(),
  from,
  text: undefined,
  type: 'system',
  system,
  ...more,
});

describe('contact activity other than messages', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const receive = (value: object, to = account) => messaging.callback(to.phoneNumberId, value);
  const arrive = async (value: object, to = account): Promise<void> => {
    await receive(value, to);
    await messaging.settled();
  };
  const sql = <T extends object>(text: string, ...params: unknown[]): Promise<T[]> =>
    messaging.dataSource.query(text, params);
  const contacts = (to = account) =>
    sql<{ id: string; phone: string | null; user_id: string | null }>(
      'SELECT * FROM contacts WHERE account_id = $1 ORDER BY id',
      to.accountId,
    );
  const list = (filters: object = {}) => messaging.list(account.accountId, filters);
  const ofAccount = <Event extends { accountId: string }>(events: readonly Event[]): Event[] =>
    events.filter(({ accountId }) => accountId === account.accountId);
  const send = (to: string) => messaging.send(account.accountId, { to, text: { body: 'Hello' } });

  describe('calls', () => {
    const CALLER = '919800100001';

    it('open the window, appear in the conversation and publish one event', async () => {
      await arrive({ messages: [inboundText({ from: CALLER, ageSeconds: 30 * 3_600 })] });
      await expect(send(CALLER)).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
      const call = callFrom(CALLER);
      const value = { contacts: [{ wa_id: CALLER, profile: { name: 'Asha' } }], calls: [call] };
      await Promise.all([receive(value), receive(value), receive({ ...value, calls: [call, call] })]);
      await messaging.settled();
      await eventually(() =>
        expect(ofAccount(messaging.calls)).toMatchObject([
          { from: CALLER, name: 'Asha', to: account.phoneNumber, upstreamId: call.id },
        ]),
      );
      await expect(send(CALLER)).resolves.toMatchObject({ id: expect.any(String) as string });
      const { messages } = await list({ phone: CALLER, direction: 'inbound' });
      expect(messages).toMatchObject([
        { type: 'call', content: null, id: ofAccount(messaging.calls)[0]?.id },
        { type: 'text' },
      ]);
      expect((await list({ type: 'call' })).messages).toHaveLength(1);
      expect((await list({ type: 'unsupported' })).messages).toEqual([]);
      // A call is not a message: no message event is published.
      expect(messaging.inboundEvents.filter(({ upstreamId }) => upstreamId === call.id)).toEqual([]);
    });

    it('are ignored unless they start a call of a contact', async () => {
      await arrive({
        calls: [
          callFrom(CALLER, { direction: 'BUSINESS_INITIATED' }),
          callFrom(CALLER, { event: 'terminate' }),
          callFrom(CALLER, { direction: undefined }),
          callFrom(CALLER, { id: 7 }),
          callFrom('', {}),
        ],
      });
      expect(ofAccount(messaging.calls)).toEqual([]);
      expect((await list()).total).toBe(0);
      expect(await contacts()).toEqual([]);
    });

    it('are published with the user id if there is no number', async () => {
      await arrive({ calls: [callFrom('', { from: undefined, from_user_id: 'US.77' })] });
      await eventually(() => expect(ofAccount(messaging.calls)).toMatchObject([{ from: 'US.77', userId: 'US.77' }]));
    });
  });

  describe('group messages', () => {
    const WRITER = '919800200001';
    const groupText = (more: object = {}) => ({ ...inboundText({ from: WRITER }), group_id: GROUP, ...more });

    it('are stored outside the conversation and its window', async () => {
      const message = groupText();
      await Promise.all([receive({ messages: [message] }), receive({ messages: [message, message] })]);
      await messaging.settled();
      await eventually(() =>
        expect(ofAccount(messaging.inboundEvents)).toMatchObject([
          { upstreamId: message.id, groupId: GROUP, from: WRITER },
        ]),
      );
      expect((await list({ groupId: GROUP })).messages).toMatchObject([
        { groupId: GROUP, from: WRITER, upstreamId: message.id, content: { body: 'Hello' } },
      ]);
      expect((await list({ groupId: 'another' })).messages).toEqual([]);
      expect((await list({ phone: WRITER })).messages).toEqual([]);
      expect((await list()).total).toBe(1);
      expect(await sql('SELECT * FROM conversations WHERE account_id = $1', account.accountId)).toEqual([]);
      expect(await sql('SELECT * FROM service_windows WHERE account_id = $1', account.accountId)).toEqual([]);
      await expect(send(WRITER)).rejects.toMatchObject({ code: 'WINDOW_CLOSED' });
    });

    it('are separated from private messages in one callback', async () => {
      const [toUs, toGroup] = [inboundText({ from: WRITER }), groupText()];
      await arrive({ messages: [toGroup, toUs] });
      expect((await list({ phone: WRITER })).messages.map(({ upstreamId }) => upstreamId)).toEqual([toUs.id]);
      expect(await sql('SELECT * FROM conversations WHERE account_id = $1', account.accountId)).toMatchObject([
        { message_count: 1, unread_count: 1 },
      ]);
      expect(await contacts()).toHaveLength(1);
    });

    it('are stored once if their timestamp is invalid', async () => {
      const message = groupText({ timestamp: 'soon' });
      await arrive({ messages: [message] });
      await arrive({ messages: [message, message] });
      expect((await list({ groupId: GROUP })).total).toBe(1);
    });

    it('can be edited and deleted without causing opt-outs', async () => {
      const [edited, deleted] = [groupText(), groupText({ text: { body: 'STOP' } })];
      await arrive({ messages: [edited, deleted] });
      const edit = { original_message_id: edited.id, message: { type: 'text', text: { body: 'STOP' } } };
      await arrive({
        messages: [
          groupText({ type: 'edit', edit, text: undefined }),
          groupText({ type: 'revoke', revoke: { original_message_id: deleted.id }, text: undefined }),
        ],
      });
      const { messages } = await list({ groupId: GROUP });
      expect(messages.find(({ upstreamId }) => upstreamId === edited.id)).toMatchObject({ content: { body: 'STOP' } });
      expect(messages.find(({ upstreamId }) => upstreamId === deleted.id)).toMatchObject({ content: null });
      await eventually(() => expect(ofAccount(messaging.edits)).toMatchObject([{ groupId: GROUP }]));
      await eventually(() => expect(ofAccount(messaging.deletions)).toMatchObject([{ groupId: GROUP }]));
      expect(await contacts()).toMatchObject([{ opted_out: false }]);
    });

    it('have statuses that are ignored', async () => {
      await messaging.writeIn(account);
      const { upstreamId } = await messaging.send(account.accountId, { text: { body: 'Hello' } });
      const status = { id: upstreamId, status: 'read', timestamp: unix(), recipient_id: GROUP };
      await arrive({
        statuses: [
          { ...status, recipient_type: 'group', recipient_participant_id: WRITER },
          { ...status, id: 'wamid.OF-GROUP', recipient_type: 'group' },
        ],
      });
      expect((await list({ direction: 'outbound' })).messages).toMatchObject([{ readAt: null }]);
      expect(await sql('SELECT * FROM parked_statuses WHERE account_id = $1', account.accountId)).toEqual([]);
      // A later status of the account's own message is published alone.
      await arrive({ statuses: [{ ...status, status: 'delivered', recipient_id: '919812345678' }] });
      await eventually(() => expect(ofAccount(messaging.statusEvents)).toMatchObject([{ status: 'delivered' }]));
    });

    it('are erased with their author', async () => {
      await arrive({ messages: [groupText(), inboundText({ from: WRITER }), groupText()] });
      await arrive({
        messages: [groupText({ type: 'revoke', revoke: { original_message_id: 'wamid.UNKNOWN' }, text: undefined })],
      });
      const transactions = new Transactions(messaging.dataSource);
      const retention = new RetentionService(
        messaging.dataSource,
        transactions,
        new PartitionsService(transactions, silentLogger),
        messaging.blobs,
        silentLogger,
      );
      const person = { accountId: account.accountId, phone: WRITER };
      expect(await retention.eraseStep({ ...person, dryRun: true })).toMatchObject({ messages: 3 });
      await eventually(async () =>
        expect(await retention.eraseStep({ ...person, dryRun: false })).toMatchObject({ done: true }),
      );
      expect((await list()).total).toBe(0);
      for (const table of ['contacts', 'message_changes'])
        expect(await sql(`SELECT * FROM ${table} WHERE account_id = $1`, account.accountId)).toEqual([]);
    });
  });

  describe('callbacks without a profile', () => {
    it('keep the known name in messages, edits, deletions and calls', async () => {
      const from = '919800400001';
      const profile = { wa_id: from, profile: { name: 'Asha R' } };
      await arrive({ contacts: [profile], messages: [inboundText({ from, ageSeconds: 60 })] });
      const nameless = inboundText({ from });
      await arrive({ contacts: [{ wa_id: from, profile: {} }], messages: [nameless], calls: [callFrom(from)] });
      const edit = { original_message_id: nameless.id, message: { type: 'text', text: { body: 'Hello again' } } };
      await arrive({ messages: [{ ...inboundText({ from }), text: undefined, type: 'edit', edit }] });
      expect((await list()).messages.map(({ name }) => name)).toEqual(['Asha R', 'Asha R', 'Asha R']);
      await eventually(() => expect(ofAccount(messaging.edits)).toMatchObject([{ name: 'Asha R' }]));
      const revoke = { original_message_id: nameless.id };
      await arrive({ messages: [{ ...inboundText({ from }), text: undefined, type: 'revoke', revoke }] });
      await eventually(() => expect(ofAccount(messaging.deletions)).toMatchObject([{ name: 'Asha R' }]));
      await eventually(() => expect(ofAccount(messaging.calls)).toMatchObject([{ name: 'Asha R' }]));
      const told = () => messaging.inboundEvents.find(({ upstreamId }) => upstreamId === nameless.id);
      await eventually(() => expect(told()).toMatchObject({ name: 'Asha R' }));
    });
  });

  describe('reactions', () => {
    const from = '919800500001';
    const reaction = (told: object, ageSeconds: number) => ({
      ...inboundText({ from, ageSeconds }),
      text: undefined,
      type: 'reaction',
      reaction: { message_id: 'wamid.OUT', ...told },
    });
    const conversation = async () => {
      const page = { accountId: account.accountId, page: 1, limit: 5 };
      const { conversations } = await messaging.gateway.request(listConversationsV1, page);
      expect(conversations).toHaveLength(1);
      return conversations[0];
    };

    it.each([[{}], [{ emoji: '' }], [{ emoji: null }]])(
      'leave the conversation unchanged when removed (%j)',
      async (withdrawn) => {
        await arrive({ messages: [inboundText({ from, ageSeconds: 60 }), reaction({ emoji: '👍' }, 50)] });
        const before = await conversation();
        expect(before).toMatchObject({ unreadCount: 2, lastMessage: { type: 'reaction', preview: '👍' } });
        await arrive({ messages: [reaction(withdrawn, 40)] });
        expect(await conversation()).toMatchObject({
          unreadCount: 2,
          messageCount: 3,
          lastMessage: before?.lastMessage as object,
        });
        expect((await list({ type: 'reaction' })).total).toBe(2);
      },
    );
  });

  describe('number changes', () => {
    it.each(['user_changed_number', 'customer_changed_number'])(
      'move the contact with its history (%s)',
      async (type) => {
        const [old, next] =
          type === 'user_changed_number' ? ['919800300001', '919800300002'] : ['919800300003', '919800300004'];
        await arrive({ messages: [inboundText({ from: old, ageSeconds: 60 })] });
        const [contact] = await contacts();
        const notice = noticeFrom(old, { type, wa_id: next, body: `changed from ${old} to ${next}` });
        await Promise.all([receive({ messages: [notice] }), receive({ messages: [notice, notice] })]);
        await messaging.settled();
        await eventually(() =>
          expect(ofAccount(messaging.moves)).toMatchObject([
            { contactId: contact?.id, previousPhone: old, phone: next, userId: null, moved: true },
          ]),
        );
        expect(await contacts()).toMatchObject([{ id: contact?.id, phone: next }]);
        const { messages } = await list({ phone: next });
        // The notice and the messages from the old number keep it.
        expect(messages).toMatchObject([
          { from: old, type: 'system', content: { wa_id: next } },
          { from: old, type: 'text' },
        ]);
        expect(messages[0]?.id).toBe(ofAccount(messaging.moves)[0]?.id);
        await arrive({ messages: [notice] });
        expect(await contacts()).toHaveLength(1);
        expect(ofAccount(messaging.moves)).toHaveLength(1);
      },
    );

    it.each([
      ['user_changed_number', { wa_id: '919800300052' }, '919800300051'],
      ['customer_changed_number', { wa_id: '919800300054' }, '919800300053'],
      ['user_changed_number', { new_wa_id: '919800300056' }, '919800300055'],
      ['user_changed_number', { new_wa_id: '+91 98003-00058' }, '919800300057'],
    ])('keep the known name (%s %j)', async (type, told, from) => {
      const profile = { wa_id: from, profile: { name: 'Asha R' } };
      await arrive({ contacts: [profile], messages: [inboundText({ from, ageSeconds: 60 })] });
      const [contact] = await contacts();
      await arrive({ messages: [noticeFrom(from, { type, body: 'changed', ...told })] });
      const phone = String(Object.values(told)[0]).replace(/\D/g, '');
      await eventually(() =>
        expect(ofAccount(messaging.moves)).toMatchObject([
          { contactId: contact?.id, previousPhone: from, phone, name: 'Asha R', moved: true },
        ]),
      );
      expect(await contacts()).toMatchObject([{ id: contact?.id, phone }]);
      expect((await list({ phone })).messages).toMatchObject([
        { type: 'system', name: 'Asha R' },
        { type: 'text', name: 'Asha R' },
      ]);
    });

    it('use the app name if the contact has no other name', async () => {
      const [from, next, third, last] = ['919800300061', '919800300062', '919800300063', '919800300064'];
      await arrive({ messages: [inboundText({ from })] });
      await sql("UPDATE contacts SET app_name = 'Asha (shop)' WHERE account_id = $1", account.accountId);
      await arrive({ messages: [noticeFrom(from, { type: 'user_changed_number', wa_id: next })] });
      await eventually(() => expect(ofAccount(messaging.moves)).toMatchObject([{ name: 'Asha (shop)', phone: next }]));
      // A name given by the account ranks above it, and the profile name ranks above both.
      await sql("UPDATE contacts SET name = 'Ms Rao' WHERE account_id = $1", account.accountId);
      await arrive({ messages: [noticeFrom(next, { type: 'user_changed_number', wa_id: third })] });
      await eventually(() => expect(ofAccount(messaging.moves)[1]).toMatchObject({ name: 'Ms Rao', phone: third }));
      await sql("UPDATE contacts SET profile_name = 'asha*' WHERE account_id = $1", account.accountId);
      await arrive({ messages: [noticeFrom(third, { type: 'user_changed_number', wa_id: last })] });
      await eventually(() => expect(ofAccount(messaging.moves)[2]).toMatchObject({ name: 'asha*', phone: last }));
    });

    it('change the number and the user id together', async () => {
      const [old, next] = ['919800300011', '919800300012'];
      await arrive({ messages: [{ ...inboundText({ from: old }), from_user_id: 'IN.1' }] });
      const system = { type: 'user_changed_number', wa_id: next, user_id: 'IN.2', previous_user_id: 'IN.1' };
      await arrive({ messages: [noticeFrom(old, system, { from_user_id: 'IN.2' })] });
      expect(await contacts()).toMatchObject([{ phone: next, user_id: 'IN.2' }]);
      await eventually(() =>
        expect(ofAccount(messaging.moves)).toMatchObject([{ previousUserId: 'IN.1', userId: 'IN.2', phone: next }]),
      );
    });

    it('keep two conversations if the number belongs to another contact', async () => {
      const [old, known] = ['919800300021', '919800300022'];
      await arrive({ messages: [inboundText({ from: old }), inboundText({ from: known })] });
      await arrive({ messages: [noticeFrom(old, { type: 'user_changed_number', wa_id: known })] });
      expect((await contacts()).map(({ phone }) => phone).toSorted()).toEqual([old, known]);
      await eventually(() =>
        expect(ofAccount(messaging.moves)).toMatchObject([{ previousPhone: old, phone: known, moved: false }]),
      );
      // The notice is in the old conversation; the other one is unchanged.
      const typesWith = async (phone: string) => (await list({ phone })).messages.map(({ type }) => type).toSorted();
      expect([await typesWith(old), await typesWith(known)]).toEqual([['system', 'text'], ['text']]);
    });

    it('do not affect other accounts', async () => {
      const other = await messaging.addAccount();
      const [old, next] = ['919800300031', '919800300032'];
      for (const to of [account, other]) await arrive({ messages: [inboundText({ from: old })] }, to);
      await arrive({ messages: [noticeFrom(old, { type: 'user_changed_number', wa_id: next })] });
      expect(await contacts()).toMatchObject([{ phone: next }]);
      expect(await contacts(other)).toMatchObject([{ phone: old }]);
    });

    it('change the user id of contacts without a number', async () => {
      await arrive({ messages: [{ ...inboundText(), from: undefined, from_user_id: 'US.11' }] });
      const system = { type: 'user_changed_user_id', previous_user_id: 'US.11', user_id: 'US.12' };
      await arrive({ messages: [noticeFrom(undefined, system)] });
      expect(await contacts()).toMatchObject([{ phone: null, user_id: 'US.12' }]);
      await eventually(() =>
        expect(ofAccount(messaging.moves)).toMatchObject([
          { previousPhone: null, phone: null, previousUserId: 'US.11', userId: 'US.12', moved: true },
        ]),
      );
    });

    it('change nothing if equal or missing', async () => {
      const from = '919800300041';
      await arrive({ messages: [inboundText({ from })] });
      await arrive({
        messages: [
          noticeFrom(from, { type: 'user_changed_number', wa_id: from }),
          noticeFrom(from, { type: 'user_changed_number', wa_id: 'soon' }),
          noticeFrom(from, { type: 'user_changed_user_id' }),
          noticeFrom(from, { type: 'customer_identity_changed', wa_id: '919800300042' }),
        ],
      });
      expect(await contacts()).toMatchObject([{ phone: from }]);
      expect(ofAccount(messaging.moves)).toEqual([]);
    });
  });
});
