import { newId, REPORTED_STATUSES, type ReportedStatus } from '@switchboard/contracts';
import fc from 'fast-check';
import { pino } from 'pino';
import {
  advance,
  isOvertaken,
  OUTBOUND_STATES,
  type OutboundState,
  reportableStatuses,
} from '../src/messages/message-state';
import { CREATED_AT, insertOutbound } from './support/outbound-rows';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const SUBSETS: ReportedStatus[][] = Array.from({ length: 15 }, (_unused, index) =>
  REPORTED_STATUSES.filter((_status, bit) => ((index + 1) >> bit) & 1),
);
const RANKS = ['accepted', 'sent', 'failed', 'delivered', 'read'];

interface Row {
  id: string;
  state: OutboundState;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  failed_at: Date | null;
}

describe('status callbacks', () => {
  const lines: string[] = [];
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({
      replicas: 2,
      logger: pino({ level: 'info', base: {} }, { write: (line: string) => void lines.push(line) }),
    });
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const rows = (ids: string[]): Promise<Row[]> =>
    messaging.dataSource.query('SELECT * FROM messages WHERE id = ANY ($1) ORDER BY id', [ids]);
  const eventsOf = (id: string) => messaging.statusEvents.filter((event) => event.id === id);
  const report = (statuses: object[]) => messaging.callback(account.phoneNumberId, { statuses });
  const statusOf = (id: string, status: string, more: object = {}) => ({
    id: `wamid.${id}`,
    status,
    timestamp: '1790416830',
    ...more,
  });
  it('match the state machine for all states and statuses', async () => {
    const cases = OUTBOUND_STATES.flatMap((before) => SUBSETS.map((statuses) => ({ before, statuses })));
    const ids = await insertOutbound(
      messaging.dataSource,
      account,
      cases.map(({ before }) => before),
    );
    await report(
      cases.flatMap(({ statuses }, index) =>
        [...statuses].reverse().map((status) => statusOf(ids[index] ?? '', status)),
      ),
    );
    await messaging.settled();
    const after = new Map((await rows(ids)).map(({ id, state }) => [id, state]));
    const seen = cases.map((each, index) => ({
      ...each,
      after: after.get(ids[index] ?? ''),
      events: eventsOf(ids[index] ?? '').map(({ status }) => status),
    }));
    expect(seen).toEqual(
      cases.map(({ before, statuses }) => ({
        before,
        statuses,
        after: advance(before, statuses),
        events: reportableStatuses(
          before,
          statuses,
          REPORTED_STATUSES.filter((status) => status === before),
        ),
      })),
    );
  });

  it('never regress or duplicate a status under concurrency', async () => {
    const ids = await insertOutbound(
      messaging.dataSource,
      account,
      Array.from({ length: 150 }, () => 'accepted'),
    );
    const updates = ids.flatMap((id, index) => {
      const story: ReportedStatus[] = index % 5 === 0 ? ['sent', 'failed'] : ['sent', 'delivered', 'read'];
      return [...story, ...story].map((status) =>
        statusOf(id, status, index % 2 === 0 ? { biz_opaque_callback_data: id } : {}),
      );
    });
    const [shuffled = []] = fc.sample(fc.shuffledSubarray(updates, { minLength: updates.length }), {
      numRuns: 1,
      seed: 20_260_302,
    });
    expect(shuffled.length).toBeGreaterThan(800);
    const callbacks = Array.from({ length: Math.ceil(shuffled.length / 20) }, (_unused, index) =>
      shuffled.slice(index * 20, (index + 1) * 20),
    );
    await Promise.all(callbacks.map(report));
    await messaging.settled();
    const states = new Map((await rows(ids)).map(({ id, state }) => [id, state]));
    expect(ids.map((id) => states.get(id))).toEqual(ids.map((_id, index) => (index % 5 === 0 ? 'failed' : 'read')));
    for (const [index, id] of ids.entries()) {
      const statuses = eventsOf(id).map(({ status }) => status);
      expect(new Set(statuses).size).toBe(statuses.length);
      // Overtaken statuses are also published.
      expect(statuses.sort()).toEqual(index % 5 === 0 ? ['failed', 'sent'] : ['delivered', 'read', 'sent']);
    }
    const complete = (await rows(ids)).filter(({ state }) => state === 'read');
    expect(complete.every(({ sent_at, delivered_at, read_at }) => sent_at && delivered_at && read_at)).toBe(true);
  }, 60_000);

  it("publish the state machine's events when applied sequentially", async () => {
    const ids = await insertOutbound(
      messaging.dataSource,
      account,
      Array.from({ length: 40 }, () => 'accepted'),
    );
    const updates = ids.flatMap((id) => REPORTED_STATUSES.map((status) => ({ id, status })));
    const [shuffled = []] = fc.sample(fc.shuffledSubarray(updates, { minLength: updates.length }), {
      numRuns: 1,
      seed: 7,
    });
    const states = new Map<string, OutboundState>(ids.map((id) => [id, 'accepted']));
    const reported = new Map<string, ReportedStatus[]>(ids.map((id) => [id, []]));
    const expected: string[] = [];
    for (let start = 0; start < shuffled.length; start += 16) {
      const part = shuffled.slice(start, start + 16);
      await report(part.map(({ id, status }) => statusOf(id, status)));
      await messaging.settled();
      for (const id of new Set(part.map((update) => update.id))) {
        const statuses = part.filter((update) => update.id === id).map(({ status }) => status);
        const before = states.get(id) ?? 'accepted';
        const news = reportableStatuses(before, statuses, reported.get(id) ?? []);
        reported.get(id)?.push(...news);
        expected.push(...news.map((status) => `${id} ${status}${isOvertaken(before, status) ? ' late' : ''}`));
        states.set(id, advance(before, statuses));
      }
    }
    const seen = messaging.statusEvents
      .filter(({ id }) => ids.includes(id))
      .map(({ id, status, late }) => `${id} ${status}${late ? ' late' : ''}`);
    expect(seen.sort()).toEqual(expected.sort());
    expect([...states.values()].every((state) => RANKS.indexOf(state) === 4)).toBe(true);
  }, 60_000);

  it('are published in batches of up to 25 per lane', async () => {
    const ids = await insertOutbound(
      messaging.dataSource,
      account,
      Array.from({ length: 60 }, () => 'accepted'),
    );
    const countTold = async (): Promise<number> => {
      const sql = "SELECT count(*)::int AS told FROM published WHERE name LIKE 'messaging.message-status.changed.%'";
      return ((await messaging.dataSource.query(sql)) as { told: number }[])[0]?.told ?? NaN;
    };
    const before = await countTold();
    await report(ids.map((id) => statusOf(id, 'sent')));
    await messaging.settled();
    expect(ids.flatMap((id) => eventsOf(id).map(({ status }) => status))).toEqual(ids.map(() => 'sent'));
    expect((await countTold()) - before).toBeLessThanOrEqual(4);
  });

  it('set reason, reference and times in event and message', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['sent']);
    await messaging.dataSource.query("UPDATE messages SET client_ref = 'order-7', job_id = 'job_7' WHERE id = $1", [
      id,
    ]);
    const errors = [
      { code: 131047, title: 'Re-engagement message', error_data: { details: 'more than 24 hours have passed' } },
    ];
    await report([statusOf(id, 'failed', { errors })]);
    await messaging.settled();
    const error = {
      reason: 'WINDOW_CLOSED',
      code: 131047,
      title: 'Re-engagement message',
      message: 'more than 24 hours have passed',
      category: 'window',
      retriable: false,
    };
    const { accountId } = account;
    const common = {
      accountId,
      id,
      upstreamId: `wamid.${id}`,
      to: '919812345678',
      clientRef: 'order-7',
      jobId: 'job_7',
    };
    expect(eventsOf(id)).toMatchObject([{ ...common, status: 'failed', error, timestamp: '2026-09-26T10:00:30.000Z' }]);
    const { messages } = await messaging.list(accountId, { status: 'failed', limit: 100 });
    expect(messages.find((message) => message.id === id)).toMatchObject({
      error,
      failedAt: '2026-09-26T10:00:30.000Z',
      sentAt: CREATED_AT,
    });
  });

  it('are published once as late when overtaken', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    for (const [status, timestamp] of [
      ['read', '1790416832'],
      ['sent', '1790416830'],
      ['delivered', '1790416831'],
      ['sent', '1790416829'],
      ['delivered', '1790416834'],
      ['read', '1790416829'],
      ['failed', '1790416833'],
    ]) {
      await report([statusOf(id, status ?? '', { timestamp })]);
      await messaging.settled();
    }
    const shown = eventsOf(id).map(({ status, timestamp, late }) => ({ status, timestamp, late }));
    expect(shown).toEqual([
      { status: 'read', timestamp: '2026-09-26T10:00:32.000Z', late: undefined },
      { status: 'sent', timestamp: '2026-09-26T10:00:30.000Z', late: true },
      { status: 'delivered', timestamp: '2026-09-26T10:00:31.000Z', late: true },
    ]);
    const { messages } = await messaging.list(account.accountId, { status: 'read', limit: 100 });
    expect(messages.find((message) => message.id === id)).toMatchObject({
      sentAt: '2026-09-26T10:00:30.000Z',
      deliveredAt: '2026-09-26T10:00:31.000Z',
      readAt: '2026-09-26T10:00:32.000Z',
      failedAt: null,
    });
    const loggedOf = (messageId: string) =>
      lines
        .map((line) => JSON.parse(line) as { msg: string; contradicted?: number; messageIds?: string[] })
        .filter(({ msg, messageIds }) => msg === 'statuses.applied' && messageIds?.includes(messageId));
    const logged = loggedOf(id);
    expect(logged.map(({ contradicted }) => contradicted)).toEqual([0, 0, 0, 0, 0, 0, 1]);
    const [arrived = ''] = await insertOutbound(messaging.dataSource, account, ['delivered']);
    await report([statusOf(arrived, 'failed')]);
    await messaging.settled();
    expect(loggedOf(arrived).map(({ contradicted }) => contradicted)).toEqual([1]);
  });

  it('never have a time before the message was created', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    await messaging.dataSource.query("UPDATE messages SET created_at = '2026-09-26T10:00:30.700Z' WHERE id = $1", [id]);
    await report([statusOf(id, 'sent'), statusOf(id, 'delivered', { timestamp: '1790416831' })]);
    await messaging.settled();
    const times = { sent: '2026-09-26T10:00:30.700Z', delivered: '2026-09-26T10:00:31.000Z' };
    expect(Object.fromEntries(eventsOf(id).map(({ status, timestamp }) => [status, timestamp]))).toEqual(times);
    const { messages } = await messaging.list(account.accountId, { status: 'delivered', limit: 100 });
    expect(messages.find((message) => message.id === id)).toMatchObject({
      createdAt: times.sent,
      sentAt: times.sent,
      deliveredAt: times.delivered,
    });
    const [read = '', failed = ''] = await insertOutbound(messaging.dataSource, account, ['accepted', 'accepted']);
    await messaging.dataSource.query('UPDATE messages SET created_at = $2 WHERE id = ANY ($1)', [
      [read, failed],
      times.sent,
    ]);
    await report([statusOf(read, 'delivered'), statusOf(read, 'read'), statusOf(failed, 'failed')]);
    await messaging.settled();
    const { messages: others } = await messaging.list(account.accountId, { limit: 100 });
    expect(others.find((message) => message.id === read)).toMatchObject({
      createdAt: times.sent,
      deliveredAt: times.sent,
      readAt: times.sent,
    });
    expect(others.find((message) => message.id === failed)).toMatchObject({ failedAt: times.sent });
  });

  it('keep the first pricing and publish it in later events', async () => {
    const [priced = '', silent = ''] = await insertOutbound(messaging.dataSource, account, ['accepted', 'accepted']);
    const utility = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };
    await report([statusOf(priced, 'sent'), statusOf(silent, 'sent')]);
    await messaging.settled();
    await report([statusOf(priced, 'delivered', { pricing: utility })]);
    await messaging.settled();
    await report([
      statusOf(priced, 'read', { pricing: { ...utility, billable: false, category: 'marketing' } }),
      statusOf(silent, 'read', { pricing: { category: { of: 'no kind' }, billable: 'yes' } }),
    ]);
    await messaging.settled();
    const pricing = { category: 'utility', billable: true, type: 'regular', model: 'PMP' };
    expect(eventsOf(priced).map((event) => [event.status, event.pricing])).toEqual([
      ['sent', undefined],
      ['delivered', pricing],
      ['read', pricing],
    ]);
    const { messages } = await messaging.list(account.accountId, { status: 'read', limit: 100 });
    const shown = (id: string) => messages.find((message) => message.id === id)?.pricing;
    expect([shown(priced), shown(silent)]).toEqual([pricing, null]);
  });

  it("are not applied to another account's messages", async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    const other = await messaging.addAccount();
    await messaging.callback(other.phoneNumberId, {
      statuses: [statusOf(id, 'read', { biz_opaque_callback_data: id })],
    });
    await messaging.settled();
    expect(await rows([id])).toMatchObject([{ state: 'accepted' }]);
  });

  it('are ignored for unknown messages, numbers and shapes', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    await messaging.callback('999', { statuses: [statusOf(id, 'read')] });
    await messaging.callback(account.phoneNumberId, { metadata: undefined, statuses: [statusOf(id, 'read')] });
    await report([
      {},
      { id: 7, status: 'read' },
      statusOf(newId('msg'), 'read'),
      statusOf(id, 'played'),
      statusOf(id, 'sent', { timestamp: 'soon' }),
    ]);
    await messaging.settled();
    expect(await rows([id])).toMatchObject([{ state: 'sent', sent_at: expect.any(Date) }]);
  });
});
