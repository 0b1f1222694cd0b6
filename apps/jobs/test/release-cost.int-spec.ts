import { GENERIC_PLAN } from '@switchboard/database';
import { createTestDatabase, rowsRead, type TestDatabase } from '@switchboard/testing';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../src/migrations';
import { FIND_PENDING, RELEASE_RECIPIENTS } from '../src/release/release.queries';

const RECIPIENTS = 5_000;
const ASKED = 20;
/** A few rows per requested recipient. Scanning the whole job, once or per recipient, would read far more. */
const MOST_ROWS = 30 * ASKED;

const positions = `ARRAY[${Array.from({ length: ASKED }, (_unused, index) => index + 1).join(',')}]`;
const each = (value: string): string => `array_fill(${value}, ARRAY[${ASKED}])`;

/** Release statements with their parameters. */
const STATEMENTS: Record<string, { sql: string; given: string[] }> = {
  find_pending: { sql: FIND_PENDING, given: ["'job'", String(ASKED), '1000000', "'15550783881'"] },
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
      `INSERT INTO recipients (job_id, position, account_id, phone, status)
       SELECT 'job', n, 'acc', (919800000000 + n)::text, 'pending' FROM generate_series(1, $1::int) AS n`,
      [RECIPIENTS],
    );
  });
  afterAll(async () => {
    await runner.release();
    await database.drop();
  });

  it.each(Object.keys(STATEMENTS))('%s reads only the requested recipients', async (name) => {
    expect(await inTransaction(() => rowsRead(query, execute(name)))).toBeLessThanOrEqual(MOST_ROWS);
    const released = "SELECT 1 FROM recipients WHERE status = 'released'";
    if (name === 'release_recipients') expect(await query(released)).toHaveLength(ASKED);
  });

  it('finds the recipients that returned to a number beside many of another', async () => {
    const [own, other] = ['15550783881', '15550783882'];
    for (const number of [own, other])
      await query(
        "INSERT INTO job_numbers (account_id, job_id, phone_number, position) VALUES ('acc', 'shared', $1, $2)",
        [number, number === own ? 0 : 1],
      );
    await query(
      `INSERT INTO recipients (job_id, position, account_id, phone, status, is_returned, business_number)
       SELECT 'shared', n, 'acc', (919900000000 + n)::text, 'pending', true, CASE WHEN n > $1 - $2 THEN $3 ELSE $4 END
       FROM generate_series(1, $1::int) AS n`,
      [RECIPIENTS, ASKED, own, other],
    );
    const find = `EXECUTE find_pending('shared', ${ASKED}, 1000000, '${own}')`;
    expect(await query(find)).toHaveLength(ASKED);
    expect(await inTransaction(() => rowsRead(query, find))).toBeLessThanOrEqual(MOST_ROWS);
    await query("UPDATE job_numbers SET stopped_reason = 'NUMBER_STOPPED' WHERE phone_number = $1", [other]);
    // Any number takes the recipients of one that cannot send.
    const positionsOf = (await query(find)) as { position: number }[];
    expect(positionsOf.map(({ position }) => position)).toEqual(Array.from({ length: ASKED }, (_, index) => index + 1));
  });
});
