import { GENERIC_PLAN } from '@switchboard/database';
import { createTestDatabase, rowsRead, type TestDatabase } from '@switchboard/testing';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../src/migrations';
import { FIND_PENDING, FIND_PENDING_IN_REGIONS, RELEASE_RECIPIENTS } from '../src/release/release.queries';

const RECIPIENTS = 5_000;
const ASKED = 20;
/** A few rows per requested recipient. Scanning the whole job, once or per recipient, would read far more. */
const MOST_ROWS = 30 * ASKED;

const positions = `ARRAY[${Array.from({ length: ASKED }, (_unused, index) => index + 1).join(',')}]`;
const each = (value: string): string => `array_fill(${value}, ARRAY[${ASKED}])`;

/** Release statements with their parameters. */
const STATEMENTS: Record<string, { sql: string; given: string[] }> = {
  find_pending: { sql: FIND_PENDING, given: ["'job'", String(ASKED), '1000000', "'15550783881'"] },
  find_pending_in_regions: {
    sql: FIND_PENDING_IN_REGIONS,
    given: ["'job'", String(ASKED), '1000000', "'15550783881'", "ARRAY['IN', 'DE']"],
  },
  release_recipients: {
    sql: RELEASE_RECIPIENTS,
    given: ["'acc'", "'job'", '21', 'NULL', positions, each("'msg'::text")],
  },
};

/** Statistics from before the first job make the planner expect almost no rows per job. */
describe('release with statistics from before the first job', () => {
  let database: TestDatabase;
  let runner: QueryRunner;

  const query = (text: string, params: unknown[] = []): Promise<unknown> => runner.query(text, params);
  async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
    await runner.startTransaction();
    await query(GENERIC_PLAN);
    const result = await work();
    await runner.commitTransaction();
    return result;
  }
  const execute = (name: string): string => `EXECUTE ${name}(${STATEMENTS[name]?.given.join(', ')})`;

  beforeAll(async () => {
    database = await createTestDatabase('jobs', migrations);
    runner = database.dataSource.createQueryRunner();
    await query('ANALYZE');
    for (const [name, { sql }] of Object.entries(STATEMENTS)) {
      await query(`PREPARE ${name} AS ${sql}`);
      await inTransaction(() => query(execute(name)));
    }
    await query(
      `INSERT INTO jobs (account_id, id, type, status, total, pending, is_open)
       VALUES ('acc', 'job', 'bulk', 'processing', $1, $1, true)`,
      [RECIPIENTS],
    );
    await query(
      `INSERT INTO recipients (job_id, position, account_id, phone, status, region, is_waiting)
       SELECT 'job', n, 'acc', (919800000000 + n)::text, 'pending', 'IN', true FROM generate_series(1, $1::int) AS n`,
      [RECIPIENTS],
    );
  });
  afterAll(async () => {
    await runner.release();
    await database.drop();
  });

  it.each(Object.keys(STATEMENTS))('the statement %s reads only the requested recipients', async (name) => {
    expect(await inTransaction(() => rowsRead(query, execute(name)))).toBeLessThanOrEqual(MOST_ROWS);
    const released = "SELECT 1 FROM recipients WHERE status = 'released'";
    if (name === 'release_recipients') expect(await query(released)).toHaveLength(ASKED);
  });
});
