import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { LIST_AUDIT, listAudit } from '../src/accounts/audit-log';
import { migrations } from '../src/migrations';

const ENTRIES = 20_000;
const INSERT = `
  INSERT INTO audit_log (id, actor, action, account_id, target)
  SELECT 'aud_01jd' || lpad(n::text, 22, '0'), 'user', 'key.create', CASE WHEN n % 2 = 0 THEN 'acc_1' ELSE 'acc_2'
    END, 'key' FROM generate_series(1, $1::int) AS n`;

describe('the audit log of an account', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('gateway', migrations);
    await database.dataSource.query(INSERT, [ENTRIES]);
    await database.dataSource.query('ANALYZE audit_log');
  });
  afterAll(() => database.drop());

  it('is read in the order of an index, without a sort, however long it is', async () => {
    const page = await listAudit(database.dataSource, { accountId: 'acc_1', limit: 3 });
    expect(page.map(({ entryId }) => Number(entryId.slice(8)))).toEqual([20_000, 19_998, 19_996]);
    for (const before of [null, page[2]?.entryId]) {
      const plan = JSON.stringify(
        await database.dataSource.query(`EXPLAIN ${LIST_AUDIT}`, [
          'acc_1',
          null,
          before,
          20,
          null,
          null,
          null,
          null,
          null,
        ]),
      );
      expect(plan).toContain('audit_log_newest');
      expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/);
    }
  });
});
