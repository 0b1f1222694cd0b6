import { eventually } from '@switchboard/testing';
import fc from 'fast-check';
import { inboundMessageId } from '../src/messages/message-id';
import { BackfillQueue1795800000922 } from '../src/migrations/1795800000922-backfill-queue';
import { createStore, minutesAgo, type StoredAccount, type TestStore } from './support/store';

const PHONES = ['919800000001', '919800000002', '919800000003'] as const;
const UNSETTLED = ['sending', 'unknown'];

interface Row {
  id: string;
  contact_id: string;
  direction: string;
  state: string;
  type: string;
  received_at: Date | null;
}

const REACTION = { type: 'reaction', content: { message_id: 'wamid.1', emoji: '👍' } };

describe('message triggers', () => {
  let store: TestStore;
  let account: StoredAccount;

  beforeAll(async () => {
    store = await createStore();
  });
  beforeEach(async () => {
    account = await store.addAccount();
  });
  afterAll(() => store.drop());

  const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => store.dataSource.query(text, params);
  const conversations = () =>
    sql<Record<string, unknown>>(
      'SELECT * FROM conversations WHERE account_id = $1 ORDER BY contact_id',
      account.accountId,
    );
  const setState = (ids: string[], state: string) =>
    sql('UPDATE messages SET state = $2 WHERE id = ANY ($1)', ids, state);

  it('count inbound messages when stored, outbound when settled', async () => {
    const [phone] = PHONES;
    const [first = ''] = await store.addMessages(account, [{ with: phone, state: 'sending' }]);
    expect([await store.totals(account), await conversations()]).toEqual([{ contacts: 1 }, []]);
    await setState([first], 'unknown');
    await setState([first], 'accepted');
    for (const state of ['sent', 'delivered', 'read']) await setState([first], state);
    const [second = ''] = await store.addMessages(account, [{ with: phone, state: 'unknown' }]);
    await setState([first, second], 'read');
    const [answer = ''] = await store.addMessages(account, [{ with: phone, direction: 'inbound' }]);
    expect(await store.totals(account)).toEqual({ contacts: 1, conversations: 1, inbound: 1, outbound: 2 });
    expect(await conversations()).toMatchObject([{ last_message_id: answer, message_count: 3, unread_count: 1 }]);
  });

  it('hold no lock on totals while waiting for conversations', async () => {
    const [first, second] = PHONES;
    const ids = await store.addMessages(account, [
      { with: first, state: 'sending' },
      { with: second, state: 'sending' },
    ]);
    const writer = store.dataSource.createQueryRunner();
    // Each connection uses one slot. Create its row before the transaction starts.
    await writer.query("SELECT add_to_total($1, 'conversations', 0)", [account.accountId]);
    await writer.startTransaction();
    await writer.query("UPDATE messages SET state = 'accepted' WHERE id = ANY ($1)", [ids]);
    const free =
      "SELECT total::int FROM list_totals WHERE account_id = $1 AND list = 'conversations' FOR UPDATE SKIP LOCKED";
    expect(await sql(free, account.accountId)).toEqual([{ total: 0 }]);
    await writer.commitTransaction();
    await writer.release();
    expect(await store.totals(account)).toMatchObject({ conversations: 2 });
  });

  it('count messages since the last outbound message as unread', async () => {
    const [phone] = PHONES;
    const inbound = (minutes: number) => ({ with: phone, direction: 'inbound' as const, at: minutesAgo(minutes) });
    await store.addMessages(account, [inbound(60), inbound(50)]);
    expect(await conversations()).toMatchObject([{ unread_count: 2 }]);
    await store.addMessages(account, [{ with: phone, at: minutesAgo(40), state: 'failed' }]);
    expect(await conversations()).toMatchObject([{ unread_count: 2 }]);
    await store.addMessages(account, [{ with: phone, at: minutesAgo(30) }]);
    expect(await conversations()).toMatchObject([{ unread_count: 0 }]);
    await store.addMessages(account, [{ with: phone, at: minutesAgo(20) }, inbound(25), inbound(10), inbound(5)]);
    expect(await conversations()).toMatchObject([{ unread_count: 2, message_count: 8 }]);
  });

  it('wait for an answer again when the answer fails, until it is delivered', async () => {
    const [phone] = PHONES;
    const message = (minutes: number, direction: 'inbound' | 'outbound') => ({
      with: phone,
      direction,
      at: minutesAgo(minutes),
    });
    const waiting = async () => (await conversations()).map((row) => row['waiting_id']);
    const [, , question = '', answer = ''] = await store.addMessages(account, [
      message(60, 'inbound'),
      message(50, 'outbound'),
      message(40, 'inbound'),
      message(30, 'outbound'),
    ]);
    expect(await waiting()).toEqual([null]);
    await setState([answer], 'failed');
    expect(await waiting()).toEqual([question]);
    await setState([answer], 'delivered');
    expect(await waiting()).toEqual([null]);
  });

  it.each([
    ['reopen a conversation when its answer fails', { minutes: 30, isAnswer: true }],
    ['keep a conversation done when a message before the unanswered one fails', { minutes: 50, isAnswer: false }],
    ['keep a conversation done when a reaction fails', { minutes: 30, isAnswer: false, ...REACTION }],
  ])('%s', async (_title, { minutes, isAnswer, ...content }) => {
    const [phone] = PHONES;
    const [question = '', outbound = ''] = await store.addMessages(account, [
      { with: phone, direction: 'inbound', at: minutesAgo(40) },
      { with: phone, at: minutesAgo(minutes), ...content },
    ]);
    await sql('UPDATE conversations SET done = true, waiting_id = NULL WHERE account_id = $1', account.accountId);
    await setState([outbound], 'failed');
    expect(await conversations()).toMatchObject([{ done: !isAnswer, waiting_id: isAnswer ? question : null }]);
  });

  it('agree with the backfill of unanswered messages', async () => {
    const [answered, failed, growing] = PHONES;
    const inbound = (phone: string, minutes: number) => ({
      with: phone,
      direction: 'inbound' as const,
      at: minutesAgo(minutes),
    });
    await store.addMessages(account, [
      inbound(answered, 60),
      { with: answered, at: minutesAgo(50) },
      inbound(failed, 40),
      { with: failed, at: minutesAgo(30), state: 'failed' },
      { ...inbound(failed, 20), type: 'system' },
      inbound(growing, 40),
    ]);
    const expected = await conversations();
    await sql('UPDATE conversations SET waiting_id = NULL WHERE account_id = $1', account.accountId);
    // Arrives between the migration that adds the column and the one that fills it.
    await store.addMessages(account, [inbound(growing, 10)]);
    const runner = store.dataSource.createQueryRunner();
    await new BackfillQueue1795800000922().up(runner);
    await runner.release();
    const waiting = (rows: Record<string, unknown>[]) => rows.map((row) => row['waiting_id']);
    expect(waiting(await conversations())).toEqual(waiting(expected));
  });

  it('wait since the first message after an answer that is settled late', async () => {
    const [phone] = PHONES;
    const inbound = (minutes: number) => ({ with: phone, direction: 'inbound' as const, at: minutesAgo(minutes) });
    const [, answer = '', next = ''] = await store.addMessages(account, [
      inbound(60),
      { with: phone, at: minutesAgo(50), state: 'sending' },
      inbound(40),
    ]);
    // A user has seen both messages.
    await sql(
      'UPDATE conversations SET last_answer_id = $2, unread_count = 0 WHERE account_id = $1',
      account.accountId,
      next,
    );
    await setState([answer], 'sent');
    expect(await conversations()).toMatchObject([{ waiting_id: next, unread_count: 0 }]);
  });

  it('ignore removed reactions in either direction', async () => {
    const [phone] = PHONES;
    const message = (minutes: number, direction: 'inbound' | 'outbound') => ({
      with: phone,
      direction,
      at: minutesAgo(minutes),
    });
    const withdrawal = { type: 'reaction', content: { message_id: 'wamid.1' } };
    const emptied = { type: 'reaction', content: { messageId: 'wamid.1', emoji: '' } };
    const [text = '', liked = ''] = await store.addMessages(account, [
      message(60, 'inbound'),
      { ...message(50, 'inbound'), ...REACTION },
    ]);
    expect(await conversations()).toMatchObject([{ last_message_id: liked, unread_count: 2 }]);
    await store.addMessages(account, [
      { ...message(40, 'inbound'), ...withdrawal },
      { ...message(30, 'outbound'), ...emptied },
    ]);
    expect(await conversations()).toMatchObject([
      { last_message_id: liked, last_answer_id: '', unread_count: 2, message_count: 4 },
    ]);
    // When a reply is settled late, the messages after it are counted.
    const [answer = ''] = await store.addMessages(account, [{ ...message(55, 'outbound'), state: 'unknown' }]);
    await setState([answer], 'sent');
    expect(await conversations()).toMatchObject([{ last_message_id: liked, unread_count: 1 }]);
    await sql('DELETE FROM messages WHERE id = ANY ($1)', [text, answer, liked]);
    expect(await conversations()).toMatchObject([{ message_count: 2, unread_count: 0 }]);
    expect((await conversations())[0]?.['last_message_id']).not.toBe(liked);
    const [newest = ''] = await store.addMessages(account, [message(5, 'inbound')]);
    expect(await conversations()).toMatchObject([{ last_message_id: newest, unread_count: 1 }]);
  });

  it('show a removed reaction last if it is the only message', async () => {
    const [phone] = PHONES;
    const content = { message_id: 'wamid.1' };
    const [only] = await store.addMessages(account, [{ with: phone, direction: 'inbound', type: 'reaction', content }]);
    expect(await conversations()).toMatchObject([{ last_message_id: only, unread_count: 0, message_count: 1 }]);
  });

  it.each([
    ['a late reply was settled', (ids: string[]) => setState(ids.slice(1, 2), 'accepted'), 2],
    ['the oldest message was removed', (ids: string[]) => sql('DELETE FROM messages WHERE id = $1', ids[0]), 2],
  ])('count messages stored while %s as unread', async (_what, change, unread) => {
    const [phone] = PHONES;
    const inbound = (minutes: number) => ({ with: phone, direction: 'inbound' as const, at: minutesAgo(minutes) });
    const ids = await store.addMessages(account, [
      inbound(60),
      { with: phone, at: minutesAgo(50), state: 'sending' },
      inbound(40),
    ]);
    const writer = store.dataSource.createQueryRunner();
    await writer.startTransaction();
    const at = minutesAgo(30);
    await writer.query(
      `INSERT INTO messages (id, account_id, number_id, contact_id, direction, sender, recipient, type, content, state,
         received_at, upstream_id)
       SELECT $2, account_id, number_id, contact_id, direction, sender, recipient, type, content, state, $3, 'wamid.new'
       FROM messages WHERE id = $1`,
      [ids[2], inboundMessageId({ numberId: account.numberId, upstreamId: 'wamid.new', at }), at],
    );
    const changed = change(ids);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await eventually(async () => expect((await sql(waiting)).length).toBe(1));
    await writer.commitTransaction();
    await changed;
    await writer.release();
    expect(await conversations()).toMatchObject([{ unread_count: unread }]);
  });

  it('open the window at message time, never earlier or in the future', async () => {
    const [phone] = PHONES;
    const windows = () =>
      sql<{ minutes: number }>(
        'SELECT round(extract(epoch FROM now() - last_inbound_at) / 60)::int AS minutes FROM service_windows WHERE account_id = $1',
        account.accountId,
      );
    const receive = (minutes: number, type = 'text') =>
      store.addMessages(account, [{ with: phone, direction: 'inbound', at: minutesAgo(minutes), type }]);
    await receive(1, 'system');
    expect(await windows()).toEqual([]);
    await receive(60);
    await receive(90);
    await receive(2, 'system');
    expect(await windows()).toEqual([{ minutes: 60 }]);
    await receive(-1_000);
    expect(await windows()).toEqual([{ minutes: 0 }]);
  });

  it('keep derived data consistent after any sequence of changes', async () => {
    const message = fc.record({
      with: fc.constantFrom(...PHONES),
      direction: fc.constantFrom('inbound', 'outbound'),
      minutes: fc.nat({ max: 3_000 }),
      state: fc.constantFrom('sending', 'sent', 'failed'),
    });
    const step = fc.oneof(
      fc.record({ add: fc.array(message, { minLength: 1, maxLength: 8 }) }),
      fc.record({ settle: fc.constantFrom('unknown', 'accepted', 'failed', 'read') }),
      fc.record({ removeOldest: fc.integer({ min: 1, max: 6 }) }),
      fc.record({ fail: fc.integer({ min: 1, max: 3 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (story) => {
        account = await store.addAccount();
        for (const each of story) await take(each);
        await expectTrue((kind) => story.some((each) => kind in each));
      }),
      { numRuns: 60, seed: 20_261_121 },
    );
  }, 120_000);

  type Step =
    | { add: { with: string; direction: string; minutes: number; state: string }[] }
    | { settle: string }
    | { removeOldest: number }
    | { fail: number };

  async function take(step: Step): Promise<void> {
    if ('add' in step) {
      const messages = step.add.map(({ with: phone, direction, minutes, state }) =>
        direction === 'inbound'
          ? { with: phone, direction: 'inbound' as const, at: minutesAgo(minutes) }
          : { with: phone, state, at: minutesAgo(minutes) },
      );
      await store.addMessages(account, messages);
    }
    if ('settle' in step)
      await sql(
        "UPDATE messages SET state = $2 WHERE account_id = $1 AND direction = 'outbound' AND state IN ('sending', 'unknown')",
        account.accountId,
        step.settle,
      );
    if ('fail' in step)
      await sql(
        `UPDATE messages SET state = 'failed' WHERE id IN (
           SELECT id FROM messages WHERE account_id = $1 AND direction = 'outbound' AND state IN ('sent', 'accepted', 'read')
           ORDER BY id DESC LIMIT $2)`,
        account.accountId,
        step.fail,
      );
    if ('removeOldest' in step)
      await sql(
        'DELETE FROM messages WHERE id IN (SELECT id FROM messages WHERE account_id = $1 ORDER BY id LIMIT $2)',
        account.accountId,
        step.removeOldest,
      );
  }

  async function expectTrue(has: (kind: 'removeOldest' | 'fail') => boolean): Promise<void> {
    const rows = await sql<Row>('SELECT * FROM messages WHERE account_id = $1 ORDER BY id', account.accountId);
    const settled = rows.filter(({ state }) => !UNSETTLED.includes(state));
    const contacts = new Set(settled.map((row) => row.contact_id));
    const known = await conversations();
    expect(known.map((row) => row['contact_id'])).toEqual([...contacts].sort());
    for (const row of known) {
      const own = settled.filter((each) => each.contact_id === row['contact_id']);
      const answer = row['last_answer_id'] as string;
      const unread = own.filter(({ id, direction }) => direction === 'inbound' && id > answer);
      expect(row).toMatchObject({
        last_message_id: own.at(-1)?.id,
        message_count: own.length,
        unread_count: unread.length,
      });
      const waiting = row['waiting_id'] as string | null;
      const isAnswer = ({ direction, state }: Row): boolean => direction === 'outbound' && state !== 'failed';
      const lastAnswer = own.findLast(isAnswer)?.id;
      const firstUnanswered = own.find(({ id, direction }) => direction === 'inbound' && id > (lastAnswer ?? ''))?.id;
      const firstUnread = unread[0]?.id ?? null;
      // A deleted message still waits for an answer.
      if (!has('removeOldest')) expect(waiting).toBe(firstUnanswered ?? null);
      else if (!has('fail')) expect(waiting === firstUnread || (waiting ?? '~') < (firstUnread ?? '~')).toBe(true);
      // The reply itself may have been deleted meanwhile.
      if (!has('fail')) expect(lastAnswer ?? answer).toBe(answer);
    }
    expect({ inbound: 0, outbound: 0, conversations: 0, ...(await store.totals(account)) }).toMatchObject({
      inbound: settled.filter(({ direction }) => direction === 'inbound').length,
      outbound: settled.filter(({ direction }) => direction === 'outbound').length,
      conversations: contacts.size,
    });
  }
});
