import { type BlobStore, createBlobStore } from '@switchboard/blobs';
import { newId, type ResultGroup, type ResultGrouping } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { silentLogger } from '@switchboard/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PAGE_ROWS } from '../src/results/result-days';
import { LOCK_DAY } from '../src/results/results.queries';
import { ResultsService } from '../src/results/results.service';
import { PartitionsService } from '../src/retention/partitions.service';
import { RetentionService } from '../src/retention/retention.service';
import { createStore, type StoredAccount, type StoredMessage, type TestStore } from './support/store';

const [ASHA, BO, CHI] = ['919812345678', '4915112345678', '919812345679'];
const DAY_MS = 86_400_000;
const HOUR = 3_600_000;
/** Noon of the day before yesterday, so that a test that runs at midnight has its messages on one day. */
const NOON = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS + DAY_MS / 2;
const TODAY = new Date().toISOString().slice(0, 10);
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
const MONTH_AGO = dayOf(Date.now() - 30 * DAY_MS);

interface Sent extends Omit<StoredMessage, 'at'> {
  /** Milliseconds after noon. */
  at: number;
  template?: string;
  sender?: string;
  reason?: string;
  /** Index of the message to which this one replies. */
  replyTo?: number;
}

describe('results', () => {
  let store: TestStore;
  let folder: string;
  let blobs: BlobStore;
  let transactions: Transactions;
  let service: ResultsService;
  let retention: RetentionService;
  let account: StoredAccount;
  const userId = newId('usr');

  beforeAll(async () => {
    store = await createStore();
    folder = await mkdtemp(join(tmpdir(), 'results-'));
    blobs = await createBlobStore({ BLOB_STORE: 'local', BLOB_DIR: folder } as Parameters<typeof createBlobStore>[0]);
    transactions = new Transactions(store.dataSource);
    const partitions = new PartitionsService(transactions, silentLogger);
    retention = new RetentionService(store.dataSource, transactions, partitions, blobs, silentLogger);
  });
  beforeEach(async () => {
    account = await store.addAccount();
    service = new ResultsService(store.dataSource, transactions);
  });
  afterAll(async () => {
    await store.drop();
    await rm(folder, { recursive: true });
  });

  const sql = <Row = unknown>(text: string, ...params: unknown[]) => query<Row>(store.dataSource, text, params);

  async function add(messages: Sent[], to = account): Promise<string[]> {
    const ids = await store.addMessages(
      to,
      messages.map(({ at, template, ...message }) => ({
        ...message,
        at: new Date(NOON + at),
        ...(template !== undefined && { type: 'template', content: { name: template } }),
      })),
    );
    for (const [index, { sender, reason, replyTo }] of messages.entries()) {
      if (sender !== undefined) await sql('UPDATE messages SET sender_id = $2 WHERE id = $1', ids[index], sender);
      if (reason !== undefined)
        await sql('UPDATE messages SET error = $2::jsonb WHERE id = $1', ids[index], JSON.stringify({ reason }));
      if (replyTo !== undefined)
        await sql(
          'UPDATE messages SET reference = $2::jsonb WHERE id = $1',
          ids[index],
          JSON.stringify({ context: { messageId: `wamid.${ids[replyTo]}` } }),
        );
    }
    return ids;
  }
  const read = (by: ResultGrouping = 'template', { accountId } = account, now = Date.now()) =>
    service.resultsOf({ accountId, by, since: MONTH_AGO, until: TODAY }, now);
  const shown = ({ name, sent, delivered, read: seen, answered, pressed, failed }: ResultGroup) => [
    name,
    sent,
    delivered,
    seen,
    answered,
    pressed,
    failed,
  ];
  const figures = async (by: ResultGrouping, of = account) => {
    // All days are due, as the loop would find them.
    await sql('UPDATE result_progress SET computed_at = NULL WHERE account_id = $1', of.accountId);
    return (await read(by, of)).groups.map(shown);
  };
  /** Runs the loops until nothing is due. */
  async function runLoops(): Promise<void> {
    while (await service.findDays());
    while (await service.computeDue());
  }
  const inbound = (at: number, phone: string, more: Partial<Sent> = {}) => ({
    with: phone,
    at,
    direction: 'inbound' as const,
    ...more,
  });

  it('count each message by template, job, label and agent', async () => {
    const jobId = newId('job');
    const button = { type: 'button', content: { text: 'Yes' } };
    await add([
      { with: ASHA, at: 0, state: 'read', template: 'order_update', jobId },
      inbound(60_000, ASHA, { ...button, replyTo: 0 }),
      { with: BO, at: 0, state: 'delivered', template: 'order_update', jobId },
      { with: CHI, at: 0, state: 'failed', template: 'order_update', jobId, reason: 'UNDELIVERABLE' },
      inbound(1_000, BO),
      { with: BO, at: HOUR + 1_000, state: 'sent', sender: userId },
      { with: BO, at: HOUR + 2_000, state: 'accepted', sender: newId('key') },
    ]);
    await sql(
      "INSERT INTO labels (id, account_id, name, name_key, colour) VALUES ('lbl_vip', $1, 'VIP', 'vip', 'blue')",
      account.accountId,
    );
    await sql(
      "INSERT INTO contact_labels (contact_id, label_id, account_id) SELECT id, 'lbl_vip', account_id FROM contacts WHERE account_id = $1 AND phone = $2",
      account.accountId,
      ASHA,
    );
    await runLoops();
    expect(await figures('template')).toEqual([
      ['order_update', 2, 2, 1, 2, 1, 1],
      [null, 2, 0, 0, 0, 0, 0],
    ]);
    expect(await figures('job')).toEqual([
      ['order_update', 2, 2, 1, 2, 1, 1],
      [null, 2, 0, 0, 0, 0, 0],
    ]);
    expect(await figures('label')).toEqual([
      [null, 3, 1, 0, 1, 0, 1],
      ['VIP', 1, 1, 1, 1, 1, 0],
    ]);
    const { groups, total, days } = await read('agent');
    expect(groups.map(({ key, sent }) => [key, sent])).toEqual([
      [null, 3],
      [userId, 1],
    ]);
    expect(groups[1]).toMatchObject({ responses: 1, name: null });
    expect(Math.abs((groups[1]?.medianResponseSeconds ?? 0) - 3_600)).toBeLessThan(180);
    expect(total).toEqual({ sent: 4, delivered: 2, read: 1, answered: 2, pressed: 1, failed: 1 });
    expect(days).toEqual([{ day: dayOf(NOON), ...total }]);
    const [ofJob] = (await read('job')).groups;
    expect(ofJob).toMatchObject({ key: jobId, reasons: [{ reason: 'UNDELIVERABLE', messages: 1 }], responses: 2 });
  });
  it('do not count a reaction as a response', async () => {
    const content = { messageId: 'wamid.1', emoji: '👍' };
    await add([
      inbound(1_000, BO),
      { with: BO, at: 60_000, state: 'sent', sender: userId, type: 'reaction', content },
      { with: BO, at: HOUR + 1_000, state: 'sent', sender: userId },
    ]);
    await runLoops();
    const [agent] = (await read('agent')).groups;
    expect(agent).toMatchObject({ key: userId, sent: 2, responses: 1 });
    expect(Math.abs((agent?.medianResponseSeconds ?? 0) - 3_600)).toBeLessThan(180);
  });
  it('include late statuses until a week after the day', async () => {
    const [id = ''] = await add([{ with: ASHA, at: 0, state: 'sent', template: 'order_update' }]);
    await runLoops();
    expect((await read()).groups.map(shown)).toEqual([['order_update', 1, 0, 0, 0, 0, 0]]);
    await sql("UPDATE messages SET state = 'read' WHERE id = $1", id);
    // The figures of earlier days are up to an hour old, and state how old.
    expect((await read()).groups.map(shown)).toEqual([['order_update', 1, 0, 0, 0, 0, 0]]);
    const later = await read('template', account, Date.now() + HOUR);
    expect(later.groups.map(shown)).toEqual([['order_update', 1, 1, 1, 0, 0, 0]]);
    expect(Date.now() - Date.parse(later.computedAt ?? '')).toBeLessThan(60_000);
  });

  it('are final a week after the day', async () => {
    const old = -8 * DAY_MS;
    const [id = ''] = await add([{ with: ASHA, at: old, state: 'sent', template: 'order_update' }]);
    await runLoops();
    const [progress] = await sql<{ due_at: Date | null }>(
      'SELECT due_at FROM result_progress WHERE account_id = $1',
      account.accountId,
    );
    expect(progress).toEqual({ due_at: null });
    await sql("UPDATE messages SET state = 'read' WHERE id = $1", id);
    await sql('DELETE FROM messages WHERE account_id = $1', account.accountId);
    await runLoops();
    expect(await figures('template')).toEqual([['order_update', 1, 0, 0, 0, 0, 0]]);
  });

  it('count more messages than a page when some are from the history', async () => {
    const [imported] = await add(Array.from({ length: PAGE_ROWS + 2 }, (_, at) => ({ with: ASHA, at, state: 'sent' })));
    await sql("UPDATE messages SET origin = 'history' WHERE id = $1", imported);
    await runLoops();
    expect((await read()).total.sent).toBe(PAGE_ROWS + 1);
  });

  it('do not wait for a day whose computation fails', async () => {
    await add([
      { with: ASHA, at: -DAY_MS, state: 'sent' },
      { with: ASHA, at: 0, state: 'sent' },
    ]);
    while (await service.findDays());
    await sql("UPDATE result_progress SET due_at = now() + interval '1 day' WHERE account_id <> $1", account.accountId);
    await sql(
      "UPDATE result_progress SET due_at = now() - interval '1 hour' WHERE day = $1::date",
      dayOf(NOON - DAY_MS),
    );
    const failing = new Transactions(store.dataSource);
    failing.run = () => Promise.reject(new Error('Disk full'));
    await expect(new ResultsService(store.dataSource, failing).computeDue()).rejects.toThrow('Disk full');
    while (await service.computeDue());
    const computed = await sql(
      'SELECT day FROM result_progress WHERE account_id = $1 AND computed_at IS NOT NULL',
      account.accountId,
    );
    expect(computed).toHaveLength(1);
  });

  it('keep the counts of messages that were deleted before the day was final', async () => {
    await add([
      { with: ASHA, at: 0, state: 'read', template: 'order_update', sender: userId },
      inbound(60_000, ASHA),
      { with: ASHA, at: 120_000, state: 'sent', sender: userId },
      { with: BO, at: 0, state: 'delivered', template: 'order_update' },
    ]);
    await runLoops();
    const [template, agent] = [await figures('template'), await figures('agent')];
    expect(template[0]).toEqual(['order_update', 2, 2, 1, 1, 0, 0]);
    const { accountId } = account;
    for (let done = false; !done; ) ({ done } = await retention.eraseStep({ accountId, phone: ASHA, dryRun: false }));
    expect((await read()).groups.map(shown)).toEqual(template);
    expect([await figures('template'), await figures('agent')]).toEqual([template, agent]);
    const responses = async () => (await read('agent')).groups.map((group) => group.responses);
    expect(await responses()).toEqual([1, 0]);
    await sql('INSERT INTO account_settings (account_id, message_days) VALUES ($1, 1)', accountId);
    await retention.runStep({ accountId, dryRun: false });
    expect(await sql('SELECT 1 FROM messages WHERE account_id = $1', accountId)).toEqual([]);
    expect([await figures('template'), await figures('agent')]).toEqual([template, agent]);
    const stored = await sql('SELECT * FROM result_days WHERE account_id = $1', accountId);
    expect(JSON.stringify(stored)).not.toMatch(new RegExp(`${ASHA}|${BO}|ct_`));
  });

  it('repeat a computation during which messages were deleted', async () => {
    await add([{ with: ASHA, at: 0, state: 'read' }]);
    await runLoops();
    const { accountId } = account;
    await sql('UPDATE result_progress SET due_at = now(), computed_at = NULL WHERE account_id = $1', accountId);
    const run = transactions.run.bind(transactions);
    // The deletion is committed between reading the messages and storing their counts.
    const overtaken = new Transactions(store.dataSource);
    overtaken.run = (work) =>
      run((tx) => {
        const ask = tx.query.bind(tx);
        tx.query = async (text, params) => {
          if (text.includes('SET computed_at')) await retention.eraseStep({ accountId, phone: ASHA, dryRun: false });
          return ask(text, params);
        };
        return work(tx);
      });
    await new ResultsService(store.dataSource, overtaken).computeDue();
    await runLoops();
    expect(await figures('template')).toEqual([[null, 1, 1, 1, 0, 0, 0]]);
  });

  it('are computed by one of two processes at a time', async () => {
    await add(Array.from({ length: 50 }, (_, at) => ({ with: ASHA, at, state: 'sent' })));
    while (await service.findDays());
    const other = new ResultsService(store.dataSource, new Transactions(store.dataSource));
    while ((await Promise.all([service.computeDue(), other.computeDue()])).some(Boolean));
    const busy = store.dataSource.createQueryRunner();
    await busy.startTransaction();
    await busy.query(LOCK_DAY, [account.accountId, dayOf(NOON)]);
    await sql('UPDATE result_progress SET due_at = now(), computed_at = NULL WHERE account_id = $1', account.accountId);
    const { groups, pendingDays, computedAt } = await read();
    expect([groups.map(shown), pendingDays, computedAt]).toEqual([[[null, 50, 0, 0, 0, 0, 0]], [dayOf(NOON)], null]);
    await busy.rollbackTransaction();
    await busy.release();
    const reads = await Promise.all([read(), read(), read()]);
    for (const { total } of reads) expect(total.sent).toBe(50);
    expect(await sql('SELECT 1 FROM result_days WHERE account_id = $1', account.accountId)).toHaveLength(4);
  });

  it('are invisible to other accounts', async () => {
    await add([{ with: ASHA, at: 0, state: 'sent', template: 'order_update' }]);
    const other = await store.addAccount();
    await runLoops();
    for (const by of ['template', 'job', 'label', 'agent'] as const)
      expect(await read(by, other)).toMatchObject({ groups: [], days: [], computedAt: null, pendingDays: [] });
  });

  it('open no transaction while nothing is due', async () => {
    await add([{ with: ASHA, at: 0 }]);
    await runLoops();
    const statements: string[] = [];
    const counting = new Proxy(transactions, {
      get: (target, name: keyof Transactions) => {
        statements.push(name);
        return target[name];
      },
    });
    expect(await new ResultsService(store.dataSource, counting).computeDue()).toBe(false);
    expect(statements).toEqual([]);
  });

  it('include messages of today before the loop has found them', async () => {
    await store.addMessages(account, [{ with: ASHA }]);
    expect((await read()).total.sent).toBe(1);
  });
});
