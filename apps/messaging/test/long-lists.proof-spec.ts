import { firstIdAt, listConversationMessagesV1, type ListMessagesCommand, newId } from '@switchboard/contracts';
import { scanQuery, boundedCount } from '@switchboard/database';
import { listMessagesSql, type MessageFilters, messageList } from '../src/messages/messages.queries';
import { addManyMessages } from './support/long-account';
import { insertOutbound } from './support/outbound-rows';
import { CUSTOMER, type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const MESSAGES = 60_000;
const SENT = 3;
/** Maximum number of rows that one page scans. */
const SCAN_LIMIT = 5_000;
const READERS = 12;
const SENDS = 30;
/** Tolerance for noise when two processors are busy. */
const NOISE_MS = 250;
const TRIES = 6;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

describe('lists of an account with many messages', () => {
  let messaging: RunningMessaging;
  let loud: TestAccount;
  let quiet: TestAccount;
  const at = new Date(Date.now() - 3_600_000);

  beforeAll(async () => {
    messaging = await startMessaging();
    [loud, quiet] = [await messaging.addAccount(), await messaging.addAccount()];
    await insertOutbound(messaging.dataSource, loud, ['failed']);
    const [person] = await messaging.dataSource.query<{ id: string }[]>(
      'SELECT id FROM contacts WHERE account_id = $1',
      [loud.accountId],
    );
    await addManyMessages(messaging.dataSource, loud, { count: MESSAGES, sent: SENT, at, contactId: person?.id ?? '' });
  }, 60_000);
  afterAll(() => messaging.stop());

  const list = (filters: Partial<ListMessagesCommand> = {}) => messaging.list(loud.accountId, filters);

  it('return every rare match by cursor, with short pages', async () => {
    const found: string[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const { messages, hasNext, nextCursor } = await list({ status: 'sent', cursor });
      found.push(...messages.map(({ status }) => status));
      expect(hasNext).toBe(nextCursor !== null);
      cursor = nextCursor ?? undefined;
      pages += 1;
    } while (cursor);
    expect(found).toEqual(['sent', 'sent', 'sent']);
    expect(pages).toBe(Math.floor(MESSAGES / SCAN_LIMIT) + 1);
    expect(await list({ status: 'sent' })).toMatchObject({
      messages: [],
      total: 0,
      totalIsExact: false,
      hasNext: true,
    });
    expect(await list({ status: 'failed' })).toMatchObject({
      messages: [{ status: 'failed' }],
      total: 1,
      totalIsExact: true,
      hasNext: false,
    });
  });

  it.each<[string, Partial<MessageFilters>]>([
    ['messages of a status', { status: 'sent' }],
    ['messages of a status and a type', { status: 'sent', type: 'text' }],
    ['all messages', {}],
  ])('read a bounded number of rows per page and total of %s', async (_title, filters) => {
    const wanted = messageList({ accountId: loud.accountId, below: firstIdAt('msg', Date.now()), ...filters });
    for (const sql of [listMessagesSql(wanted, { offset: 4_000, take: 101 }), boundedCount(wanted, 1_000)]) {
      expect(await rowsRead(sql, wanted.params)).toBeLessThanOrEqual(SCAN_LIMIT + 2);
    }
  });

  it('skip no messages that are sent while a client pages', async () => {
    const other = await messaging.addAccount();
    const since = new Date(at.getTime() + 60_000);
    const [person] = await messaging.dataSource.query<{ id: string }[]>(
      'SELECT id FROM contacts WHERE account_id = $1',
      [loud.accountId],
    );
    await addManyMessages(messaging.dataSource, other, {
      count: MESSAGES / 3,
      sent: 0,
      at: since,
      contactId: person?.id ?? '',
    });
    const wanted = messageList({ accountId: loud.accountId, below: firstIdAt('msg', since.getTime() + 60_000) });
    expect(await rowsRead(listMessagesSql(wanted, { offset: 0, take: 21 }), wanted.params)).toBeLessThan(100);
  });

  /** Returns the number of message rows that a statement reads, including those it discards. */
  async function rowsRead(sql: string, params: unknown[]): Promise<number> {
    const [row] = await scanQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
      messaging.dataSource,
      `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
      params,
    );
    const read = (node: PlanNode): number =>
      (node['Node Type'].includes('Index') && node['Relation Name']?.startsWith('messages')
        ? node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0))
        : 0) + (node.Plans ?? []).reduce((sum, below) => sum + read(below), 0);
    const plan = row?.['QUERY PLAN'][0]?.Plan;
    if (!plan) throw new Error('no plan');
    return read(plan);
  }

  it('reject pages beyond the scan limit', async () => {
    for (const page of [49, 50]) expect((await list({ page, limit: 100 })).messages).toHaveLength(100);
    for (const page of [51, 300, 600]) {
      await expect(list({ page, limit: 100 })).rejects.toMatchObject({
        code: 'INVALID_VALUE',
        message: expect.stringMatching(/follow nextCursor/) as string,
      });
    }
    expect(await list({ page: 602, limit: 100 })).toMatchObject({ messages: [], total: MESSAGES + 1, hasNext: false });
    expect(await list({ page: 2, limit: 100, status: 'failed' })).toMatchObject({
      messages: [],
      total: 1,
      hasNext: false,
    });
    await expect(list({ page: 2, status: 'sent' })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    const conversation = messaging.gateway.request(listConversationMessagesV1, {
      accountId: loud.accountId,
      phone: CUSTOMER,
      page: 300,
      limit: 100,
    });
    await expect(conversation).resolves.toMatchObject({ messages: [], hasNext: false });
  });

  it('are empty immediately for a contradictory filter', async () => {
    expect(await list({ direction: 'inbound', status: 'sent' })).toEqual({
      messages: [],
      total: 0,
      totalIsExact: true,
      hasNext: false,
      nextCursor: null,
    });
    expect(await list({ direction: 'outbound', status: 'received' })).toMatchObject({ total: 0, hasNext: false });
    expect(await list({ jobId: newId('job') })).toMatchObject({ messages: [], total: 0, totalIsExact: true });
  });

  it('do not slow sends of another account', async () => {
    await messaging.writeIn(quiet);
    await timesOf(5);
    const most = async (): Promise<number> => 1.5 * Math.max(...(await timesOf(SENDS))) + NOISE_MS;
    const tries: { beside: number; most: number }[] = [];
    for (let each = 0; each < TRIES && !tries.some((one) => one.beside <= one.most); each += 1) {
      const allowed = await most();
      let reading = true;
      const readers = Array.from({ length: READERS }, async () => {
        while (reading) await list({ status: 'sent', limit: 100 });
      });
      const beside = Math.max(...(await timesOf(SENDS)));
      reading = false;
      await Promise.all(readers);
      tries.push({ beside, most: allowed });
    }
    expect(tries.filter((one) => one.beside <= one.most)).not.toEqual([]);
  }, 60_000);

  /** Returns the durations of consecutive sends in milliseconds. Throws if one fails. */
  async function timesOf(count: number): Promise<number[]> {
    const times: number[] = [];
    for (let each = 0; each < count; each += 1) {
      const beganAt = performance.now();
      await messaging.send(quiet.accountId, { to: CUSTOMER, type: 'text', text: { body: 'Hello' } });
      times.push(performance.now() - beganAt);
    }
    return times;
  }
});
