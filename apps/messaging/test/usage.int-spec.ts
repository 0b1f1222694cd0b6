import {
  firstIdAt,
  getJobChargesV1,
  getUsageV1,
  importRatesV1,
  newId,
  type UsageGrouping,
} from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { planNodes, rowsPassedOver } from '@switchboard/testing';
import fc from 'fast-check';
import { RateCards } from '../src/rates/rate-cards';
import { RatesService } from '../src/rates/rates.service';
import { sumUsageSql } from '../src/usage/usage.queries';
import { UsageService } from '../src/usage/usage.service';
import { insertOutbound } from './support/outbound-rows';
import { type RunningMessaging, startMessaging, type TestAccount } from './support/start-messaging';

const MONTH = new Date().toISOString().slice(0, 7);
const REGULAR = { billable: true, pricing_model: 'PMP', type: 'regular', category: 'utility' };
const FREE = { billable: false, pricing_model: 'PMP', type: 'free_entry_point', category: 'referral_conversion' };

describe('monthly usage', () => {
  let messaging: RunningMessaging;
  let account: TestAccount;

  beforeAll(async () => {
    messaging = await startMessaging({ replicas: 2 });
    const rate = { currency: 'USD', validFrom: '2026-01-01', source: 'sample' };
    await messaging.gateway.request(importRatesV1, {
      replace: true,
      rates: [{ ...rate, market: 'India', category: 'utility', amount: '0.0014' }],
    });
  });
  beforeEach(async () => {
    account = await messaging.addAccount();
  });
  afterAll(() => messaging.stop());

  const statusOf = (id: string, status: string, pricing?: object) => ({
    id: `wamid.${id}`,
    status,
    timestamp: String(Math.floor(Date.now() / 1_000)),
    ...(pricing && { pricing }),
  });
  const report = (statuses: object[]) => messaging.callback(account.phoneNumberId, { statuses });
  const usage = (by: UsageGrouping = 'category', { accountId } = account, month = MONTH) =>
    messaging.gateway.request(getUsageV1, { accountId, month, by });
  const sql = <Row>(text: string, ...params: (string | string[])[]) => query<Row>(messaging.dataSource, text, params);

  it('counts each delivered message once despite reordered or repeated statuses', async () => {
    const ids = await insertOutbound(
      messaging.dataSource,
      account,
      Array.from({ length: 60 }, () => 'accepted'),
    );
    const updates = ids.flatMap((id, index) => {
      const pricing = index % 3 === 0 ? FREE : REGULAR;
      const priced = (status: string, at: number) => statusOf(id, status, index % 4 === at ? pricing : undefined);
      const story = [
        priced('sent', 0),
        ...(index % 5 === 0 ? [statusOf(id, 'failed')] : [priced('delivered', 1), priced('read', 2)]),
      ];
      return [...story, ...story];
    });
    const [shuffled = []] = fc.sample(fc.shuffledSubarray(updates, { minLength: updates.length }), {
      numRuns: 1,
      seed: 5,
    });
    await Promise.all(
      Array.from({ length: Math.ceil(shuffled.length / 10) }, (_, index) =>
        report(shuffled.slice(index * 10, index * 10 + 10)),
      ),
    );
    await messaging.settled();
    const rows = await sql<{ category: string; total: number }>(
      `SELECT pricing->>'category' AS category, count(*)::int AS total FROM messages
       WHERE account_id = $1 AND pricing IS NOT NULL AND state IN ('delivered', 'read') GROUP BY 1 ORDER BY 2 DESC`,
      account.accountId,
    );
    expect(rows).toHaveLength(2);
    const { groups, total } = await usage();
    expect(
      groups.map(({ name, delivered }) => ({ category: name, total: delivered })).toSorted((a, b) => b.total - a.total),
    ).toEqual(rows);
    expect(total.delivered).toBe(rows.reduce((sum, row) => sum + row.total, 0));
  });

  it('is grouped by category, market, template and job, with amounts', async () => {
    const ids = await insertOutbound(messaging.dataSource, account, ['accepted', 'accepted', 'accepted']);
    const [american = ''] = await insertOutbound(messaging.dataSource, account, ['accepted'], '12125550123');
    const [templated = '', free = '', sent = ''] = ids;
    const jobId = newId('job');
    await sql(
      `UPDATE messages SET type = 'template', content = '{"name":"order_update"}', job_id = $2 WHERE id = $1`,
      templated,
      jobId,
    );
    await report([
      statusOf(templated, 'delivered', REGULAR),
      statusOf(american, 'delivered', REGULAR),
      statusOf(free, 'delivered', FREE),
      statusOf(sent, 'sent', REGULAR),
    ]);
    await messaging.settled();
    const named = async (by: UsageGrouping) =>
      (await usage(by)).groups.map(({ name, delivered, billable, amount, unrated }) => [
        name,
        delivered,
        billable,
        amount,
        unrated,
      ]);
    expect(await named('category')).toEqual([
      ['utility', 2, 2, '0.0014', 1],
      ['referral_conversion', 1, 0, '0.00', 0],
    ]);
    expect(await named('market')).toEqual([
      ['India', 2, 1, '0.0014', 0],
      ['North America', 1, 1, null, 1],
    ]);
    expect(await named('template')).toEqual([
      [null, 2, 1, null, 1],
      ['order_update', 1, 1, '0.0014', 0],
    ]);
    expect(await named('job')).toEqual([
      [null, 2, 1, null, 1],
      [jobId, 1, 1, '0.0014', 0],
    ]);
    expect(await usage()).toMatchObject({ currency: 'USD', total: { delivered: 3, billable: 2 }, moreGroups: 0 });
  });

  it('is invisible to other accounts and in other months', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    await report([statusOf(id, 'delivered', REGULAR)]);
    await messaging.settled();
    expect((await usage()).total.delivered).toBe(1);
    expect((await usage('category', await messaging.addAccount())).groups).toEqual([]);
    expect((await usage('category', account, '2026-01')).groups).toEqual([]);
  });

  it('remains after its messages are deleted, for 400 days', async () => {
    const [id = ''] = await insertOutbound(messaging.dataSource, account, ['accepted']);
    await report([statusOf(id, 'delivered', REGULAR)]);
    await messaging.settled();
    await sql('DELETE FROM messages WHERE id = $1', id);
    const { accountId } = account;
    await sql(
      `INSERT INTO usage_days SELECT account_id, current_date - days, category, type, billable, country, template, job_id, delivered
       FROM usage_days, unnest(ARRAY[400, 401]) AS days WHERE account_id = $1`,
      accountId,
    );
    const rates = new RatesService(messaging.dataSource, new Transactions(messaging.dataSource));
    await new UsageService(messaging.dataSource, rates, new RateCards(rates)).deleteExpired();
    expect((await usage()).total.delivered).toBe(1);
    expect(await sql('SELECT 1 FROM usage_days WHERE account_id = $1', accountId)).toHaveLength(2);
  });

  it('reads only rows for its account and month', async () => {
    const { accountId } = account;
    const accounts = [accountId, ...Array.from({ length: 200 }, () => newId('acc'))];
    await sql(
      `INSERT INTO usage_days SELECT account, '2025-01-01'::date + day, 'utility', 'regular', 'true', 'IN', 't' || template, '', 1
       FROM unnest($1::text[]) AS account, generate_series(0, 89) AS day, generate_series(1, 6) AS template`,
      accounts,
    );
    await sql('ANALYZE usage_days');
    const startedAt = performance.now();
    const nodes = await planNodes((text, params) => messaging.dataSource.query(text, params), sumUsageSql('template'), [
      accountId,
      '2025-02-01',
      '2025-03-01',
    ]);
    const milliseconds = Math.round(performance.now() - startedAt);
    const scans = nodes.filter((node) => node['Relation Name'] === 'usage_days');
    expect(scans.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(scans.map((node) => [node['Actual Rows'], rowsPassedOver(node)])).toEqual([[168, 0]]);
    process.stdout.write(`usage of a month: 168 of 108,540 rows in ${milliseconds} ms\n`);
  });

  it('returns reported charges per job and for all jobs', async () => {
    const [jobId, other, earlier] = [newId('job'), newId('job'), firstIdAt('job', Date.parse('2026-01-15'))];
    const ids = await insertOutbound(
      messaging.dataSource,
      account,
      Array.from({ length: 6 }, () => 'accepted'),
    );
    const jobs = [jobId, jobId, jobId, other, earlier, null];
    for (const [index, id] of ids.entries())
      await sql('UPDATE messages SET job_id = $2 WHERE id = $1', id, jobs[index] as string);
    const pricing = [REGULAR, REGULAR, FREE, REGULAR, REGULAR, REGULAR];
    await report(ids.map((id, index) => statusOf(id, 'delivered', pricing[index])));
    await messaging.settled();
    const charges = (jobIds: string[], month?: string, { accountId } = account) =>
      messaging.gateway.request(getJobChargesV1, { accountId, jobIds, ...(month !== undefined && { month }) });
    const price = await usage('job');
    const amountOf = (name: string | null) => price.groups.find((group) => group.name === name)?.amount;
    expect(await charges([jobId, newId('job')], MONTH)).toEqual({
      currency: 'USD',
      jobs: [{ jobId, delivered: 3, billable: 2, amount: amountOf(jobId), unrated: expect.any(Number) }],
      total: expect.objectContaining({ delivered: 4, billable: 3 }),
    });
    expect((await charges([earlier])).total).toBeNull();
    expect((await charges([], '2026-01')).total).toMatchObject({ delivered: 1 });
    expect(await charges([jobId], MONTH, await messaging.addAccount())).toMatchObject({
      jobs: [],
      total: { delivered: 0, billable: 0, amount: '0.00' },
    });
  });
});
