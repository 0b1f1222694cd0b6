import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { DataSource } from 'typeorm';
import { dataSourceOptions, genericPlanQuery, query } from '../src';

const FIND = 'SELECT id FROM parts WHERE id = ANY ($1::int[]) ORDER BY id';

describe('a query with a generic plan', () => {
  let database: TestDatabase;
  /** DataSource with a single connection, so that its plans can be counted. */
  let db: DataSource;

  beforeAll(async () => {
    database = await createTestDatabase('demo', []);
    await database.dataSource.query('CREATE TABLE parts (id int PRIMARY KEY) PARTITION BY RANGE (id)');
    for (let from = 0; from < 40; from += 10)
      await database.dataSource.query(
        `CREATE TABLE parts_${from} PARTITION OF parts FOR VALUES FROM (${from}) TO (${from + 10})`,
      );
    await database.dataSource.query('INSERT INTO parts SELECT generate_series(1, 39)');
    await database.dataSource.query('ANALYZE parts');
    db = await new DataSource(dataSourceOptions({ schema: 'demo', url: database.url, poolSize: 1 })).initialize();
  });
  afterAll(async () => {
    await db.destroy();
    await database.drop();
  });

  const plans = async () =>
    (
      await query<{ anew: number; once: number }>(
        db,
        'SELECT custom_plans::int AS anew, generic_plans::int AS once FROM pg_prepared_statements WHERE statement = $1',
        [FIND],
      )
    )[0];

  it('is planned once for any values, without affecting others', async () => {
    for (let call = 0; call < 10; call += 1)
      expect(await genericPlanQuery(db, FIND, [[call + 1, 39]])).toEqual([{ id: call + 1 }, { id: 39 }]);
    expect(await plans()).toEqual({ anew: 0, once: 10 });
    expect(await query(db, 'SHOW plan_cache_mode')).toEqual([{ plan_cache_mode: 'auto' }]);
  });

  it('rolls back on failure and keeps the connection usable', async () => {
    await expect(genericPlanQuery(db, 'INSERT INTO parts VALUES ($1), (1)', [0])).rejects.toMatchObject({
      code: '23505',
    });
    expect(await query(db, 'SELECT id FROM parts WHERE id = 0')).toEqual([]);
    expect(await genericPlanQuery(db, 'INSERT INTO parts VALUES ($1) RETURNING id', [0])).toEqual([{ id: 0 }]);
  });

  it('fails when its connection breaks, and the next query uses another one', async () => {
    await expect(
      genericPlanQuery(db, 'SELECT pg_terminate_backend(pg_backend_pid()), $1::int', [1]),
    ).rejects.toMatchObject({ code: '57P01' });
    expect(await genericPlanQuery(db, FIND, [[7]])).toEqual([{ id: 7 }]);
  });

  it('is retried after a deadlock, with a single effect', async () => {
    const pair = await new DataSource(
      dataSourceOptions({ schema: 'demo', url: database.url, poolSize: 2 }),
    ).initialize();
    await query(pair, 'CREATE TABLE done (name text)');
    const BOTH = `WITH first AS MATERIALIZED (SELECT pg_advisory_xact_lock($1)), pause AS MATERIALIZED (SELECT pg_sleep(0.3) FROM first),
      second AS MATERIALIZED (SELECT pg_advisory_xact_lock($2) FROM pause)
      INSERT INTO done SELECT $3::text FROM second`;
    await Promise.all([genericPlanQuery(pair, BOTH, [1, 2, 'one']), genericPlanQuery(pair, BOTH, [2, 1, 'other'])]);
    expect(await query(pair, 'SELECT name FROM done ORDER BY name')).toEqual([{ name: 'one' }, { name: 'other' }]);
    await pair.destroy();
  });
});
