import { firstIdAt } from '@switchboard/contracts';
import { scanQuery } from '@switchboard/database';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { type AuditFilter, type AuditPage, listAudit, listAuditSql } from '../src/audit-log/audit-log';
import { migrations } from '../src/migrations';

const ENTRIES = 200_000;
/** Maximum rows scanned per page. */
const SCAN_LIMIT = 5_000;
const BEGIN = Date.UTC(2026, 0, 1);
/**
 * Inserts entries that alternate between two accounts. Only the first entry of account 1 was rejected. $1 ids, $2 time
 * of the first entry
 */
const INSERT = `
  INSERT INTO audit_log (id, created_at, actor, action, account_id, target, outcome)
  SELECT id, $2::timestamptz + n * interval '1 second', 'user:usr_1', 'key.create',
    CASE WHEN n % 2 = 0 THEN 'acc_1' ELSE 'acc_2' END, 'key', CASE n WHEN 0 THEN 'refused' ELSE 'done' END
  FROM (SELECT id, place - 1 AS n FROM unnest($1::text[]) WITH ORDINALITY AS given (id, place)) AS given`;
/** Ids of entries one second apart. */
const IDS = Array.from({ length: ENTRIES }, (_, second) => firstIdAt('aud', BEGIN + second * 1_000));

describe('account audit log', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('gateway', migrations);
    await database.dataSource.query(INSERT, [IDS, new Date(BEGIN)]);
    await database.dataSource.query('ANALYZE audit_log');
  });
  afterAll(() => database.drop());

  const list = (filter: Partial<AuditFilter>): Promise<AuditPage> =>
    listAudit(database.dataSource, { accountId: 'acc_1', limit: 3, ...filter });
  /** Returns the plan of a page of 20 entries, with the rows that it read. */
  const planOf = async (filter: object): Promise<string> => {
    const unfiltered = { action: null, below: null, least: null, actor: null, target: null, outcome: null };
    const plan = await scanQuery<{ 'QUERY PLAN': string }>(
      database.dataSource,
      `EXPLAIN (ANALYZE) ${listAuditSql(20)}`,
      { ...unfiltered, since: null, until: null, accountId: 'acc_1', ...filter },
    );
    return plan.map((line) => line['QUERY PLAN']).join('\n');
  };
  const numbers = ({ entries }: AuditPage): number[] => entries.map(({ entryId }) => IDS.indexOf(entryId));

  it('is read by index without a sort', async () => {
    const page = await list({});
    expect(numbers(page)).toEqual([199_998, 199_996, 199_994]);
    expect(numbers(await list({ before: page.nextCursor ?? '' }))).toEqual([199_992, 199_990, 199_988]);
    for (const below of [null, page.nextCursor]) {
      const text = await planOf({ below });
      expect(text).toContain('audit_log_newest');
      expect(text).not.toMatch(/Sort|Seq Scan|Bitmap/);
    }
  });

  it('finds rare entries by following cursors', async () => {
    for (const rare of [
      { target: 'nothing' },
      { actor: 'operator' },
      { action: 'template' },
      { outcome: 'unknown' as const },
    ]) {
      const page = await list(rare);
      expect(page.entries).toEqual([]);
      expect(IDS.indexOf(page.nextCursor ?? '')).toBe(ENTRIES - 2 * SCAN_LIMIT);
    }
    for (const rare of [{ target: 'nothing' }, { actor: 'operator' }, { outcome: 'unknown' }]) {
      const read = [...(await planOf(rare)).matchAll(/actual time=\S+ rows=(\d+)|Rows Removed by Filter: (\d+)/g)];
      // One row more tells whether there is a next page.
      expect(Math.max(...read.map(([, rows, removed]) => Number(rows ?? removed)))).toBe(SCAN_LIMIT + 1);
    }
    const found: number[] = [];
    let pages = 0;
    let before: string | undefined;
    do {
      const page: AuditPage = await list({ outcome: 'refused', before });
      found.push(...numbers(page));
      before = page.nextCursor ?? undefined;
      pages += 1;
    } while (before !== undefined);
    expect([found, pages]).toEqual([[0], ENTRIES / 2 / SCAN_LIMIT]);
  });

  it('ends at the last entry and at the requested time', async () => {
    expect(numbers(await list({ before: IDS[7] }))).toEqual([6, 4, 2]);
    expect(await list({ before: IDS[5] })).toMatchObject({ entries: [{}, {}, {}], nextCursor: null });
    const since = new Date(BEGIN + (ENTRIES - 100) * 1_000);
    expect((await list({ since, limit: 100 })).entries).toHaveLength(50);
    expect(await list({ since, limit: 100, target: 'nothing' })).toEqual({ entries: [], nextCursor: null });
  });
});
