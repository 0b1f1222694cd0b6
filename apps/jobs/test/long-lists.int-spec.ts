import { listJobsV1, listRecipientsV1, newId, type RecipientStatus } from '@switchboard/contracts';
import { scanQuery } from '@switchboard/database';
import { listJobsSql, listRecipientsSql } from '../src/jobs/jobs.queries';
import { create, becomes, rowsOf, type RunningJobs, startJobs } from './support/start-jobs';

const RECIPIENTS = 12_000;
/** Maximum number of rows that one page may scan. */
const SCAN_LIMIT = 5_000;

const FILL = `
  INSERT INTO recipients (job_id, position, account_id, phone, status, is_lost)
  SELECT $1, n, $2, (919800000000 + n)::text, CASE WHEN n = $3 THEN 'sent' WHEN n % 1000 = 0 THEN 'failed' ELSE 'read'
    END, n <> $3 AND n % 1000 = 0
  FROM generate_series(10, $3::int) AS n`;
const JOBS =
  "INSERT INTO jobs (account_id, id, type, status, total, is_open) SELECT $1, 'job_01jd' || lpad(n::text, 22, '0'), 'bulk', CASE WHEN n = 1 THEN 'failed' ELSE 'completed' END, 1, false FROM generate_series(1, $2::int) AS n";

describe('long lists', () => {
  let jobs: RunningJobs;

  beforeAll(async () => {
    jobs = await startJobs();
  });
  afterAll(() => jobs.stop());

  it('return rare recipients by cursor', async () => {
    const { accountId, jobId } = await create(jobs, rowsOf(['919900000000']));
    const job = { accountId, jobId };
    await becomes(jobs, job, { accepted: 1 });
    await jobs.dataSource.query(FILL, [job.jobId, job.accountId, RECIPIENTS]);
    await jobs.dataSource.query('UPDATE jobs SET total = $2, sent = 1, failed = 11, read = $2 - 13 WHERE id = $1', [
      job.jobId,
      RECIPIENTS - 8,
    ]);
    const ask = (more: { status?: RecipientStatus; phone?: string; page?: number; limit?: number; cursor?: string }) =>
      jobs.gateway.request(listRecipientsV1, { ...job, page: 1, limit: 20, ...more });
    const found: number[] = [];
    let pages = 0;
    let cursor: string | undefined;
    do {
      const { recipients, total, hasNext, nextCursor } = await ask({ status: 'sent', cursor });
      found.push(...recipients.map(({ index }) => index));
      expect([total, hasNext]).toEqual([1, nextCursor !== null]);
      cursor = nextCursor ?? undefined;
      pages += 1;
    } while (cursor);
    expect(found).toEqual([RECIPIENTS]);
    expect(pages).toBe(Math.floor(RECIPIENTS / SCAN_LIMIT) + 1);
    const { recipients, ...rest } = await ask({ status: 'failed' });
    expect([recipients.length, rest]).toEqual([
      11,
      { total: 11, totalIsExact: true, hasNext: false, nextCursor: null },
    ]);
    expect(Object.keys(recipients[0] ?? {})).not.toContain('cutOffAt');
    await jobs.dataSource.query('ANALYZE recipients');
    const ofPhone = await scanQuery<object>(
      jobs.dataSource,
      `EXPLAIN ${listRecipientsSql({ isLost: false, isOfPhone: true }, { offset: 0, take: 21 })}`,
      [job.accountId, job.jobId, -1, null, ['919800011000', '+919800011000']],
    );
    expect(JSON.stringify(ofPhone)).toContain('recipients_by_phone');
    expect(await ask({ phone: '919800011000' })).toMatchObject({
      recipients: [{ index: 11_000, status: 'failed' }],
      total: 1,
      hasNext: false,
    });
    expect((await ask({ page: 50, limit: 100 })).recipients).toHaveLength(100);
    await expect(ask({ page: 52, limit: 100 })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
    expect(await ask({ page: 9_999, limit: 100 })).toMatchObject({ recipients: [], hasNext: false });
  });

  it('find jobs with a rare status by index', async () => {
    const accountId = newId('acc');
    await jobs.dataSource.query(JOBS, [accountId, SCAN_LIMIT + 1_000]);
    await jobs.dataSource.query('ANALYZE jobs');
    const page = { accountId, page: 1, limit: 100 };
    expect(await jobs.gateway.request(listJobsV1, { ...page, status: 'failed' })).toMatchObject({
      jobs: [{ status: 'failed' }],
      total: 1,
      totalIsExact: true,
      hasNext: false,
    });
    const plan = await scanQuery<object>(jobs.dataSource, `EXPLAIN ${listJobsSql({ offset: 0, take: 21 })}`, [
      accountId,
      'failed',
      null,
      null,
      null,
    ]);
    expect(JSON.stringify(plan)).toContain('jobs_by_status');
    const { jobs: shown, ...rest } = await jobs.gateway.request(listJobsV1, { ...page, page: 50 });
    expect([shown.length, rest.total, rest.hasNext]).toEqual([100, SCAN_LIMIT + 1_000, true]);
    expect(Object.keys(shown[0] ?? {})).not.toContain('cutOffAt');
    await expect(jobs.gateway.request(listJobsV1, { ...page, page: 51 })).rejects.toMatchObject({
      code: 'INVALID_VALUE',
    });
    expect((await jobs.gateway.request(listJobsV1, { ...page, cursor: rest.nextCursor ?? '' })).jobs).toHaveLength(100);
    expect((await jobs.gateway.request(listJobsV1, { ...page, page: 61 })).jobs).toEqual([]);
    await jobs.dataSource.query(
      "UPDATE jobs SET template = 'order_update' WHERE account_id = $1 AND id = (SELECT min(id) FROM jobs WHERE account_id = $1)",
      [accountId],
    );
    const named = { ...page, limit: 20, partOfName: 'rupd' };
    const scanned = await jobs.gateway.request(listJobsV1, named);
    expect(scanned).toMatchObject({ jobs: [], total: 0, totalIsExact: false, hasNext: true });
    expect(await jobs.gateway.request(listJobsV1, { ...named, cursor: scanned.nextCursor ?? '' })).toMatchObject({
      jobs: [{ template: 'order_update' }],
      hasNext: false,
    });
    expect(
      (await jobs.gateway.request(listJobsV1, { ...named, accountId: newId('acc'), partOfName: 'order' })).jobs,
    ).toEqual([]);
    // Add more jobs than the total can count.
    await jobs.dataSource.query(JOBS.replace('job_01jd', 'job_01je'), [accountId, SCAN_LIMIT]);
    for (const filter of [{}, { status: 'completed' as const }])
      expect(await jobs.gateway.request(listJobsV1, { ...page, ...filter })).toMatchObject({
        total: 10_000,
        totalIsExact: false,
        hasNext: true,
      });
  });
});
