import { createTestDatabase, eventually, type TestDatabase } from '@switchboard/testing';
import { createIndexBeside, withLockRetry } from '../src';

/** Lock timeout of the services. */
const WRITERS_WAIT = "SET LOCAL lock_timeout = '2s'";

describe('a migration of a table that is in use', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase('locks', []);
    await database.dataSource.query('CREATE TABLE things (id int PRIMARY KEY, name text)');
  });
  afterAll(() => database.drop());

  it('lets writers proceed while it waits for a long change', async () => {
    const [holder, migration] = [database.dataSource.createQueryRunner(), database.dataSource.createQueryRunner()];
    await holder.startTransaction();
    await holder.query("INSERT INTO things VALUES (0, 'a long change')");
    await migration.startTransaction();
    const migrated = withLockRetry(migration, ['LOCK TABLE things IN SHARE ROW EXCLUSIVE MODE', 'ANALYZE things']);
    await eventually(async () => {
      const waiting = await database.dataSource.query<unknown[]>(
        "SELECT FROM pg_locks WHERE NOT granted AND relation = 'things'::regclass",
      );
      expect(waiting.length).toBe(1);
    });
    for (let id = 1; id <= 5; id += 1)
      await database.dataSource.transaction(async (writer) => {
        await writer.query(WRITERS_WAIT);
        await writer.query('INSERT INTO things VALUES ($1)', [id]);
      });
    await holder.commitTransaction();
    await migrated;
    await migration.commitTransaction();
    await Promise.all([holder.release(), migration.release()]);
  });

  it('fails when a statement fails for another reason', async () => {
    const migration = database.dataSource.createQueryRunner();
    await migration.startTransaction();
    await expect(withLockRetry(migration, ['LOCK TABLE nothing'])).rejects.toMatchObject({ code: '42P01' });
    await migration.rollbackTransaction();
    await migration.release();
  });

  it('builds an index once and rebuilds an invalid one', async () => {
    const runner = database.dataSource.createQueryRunner();
    const build = async (): Promise<{ oid: string; isValid: boolean } | undefined> => {
      await createIndexBeside(runner, 'things_by_name', 'things (name)');
      const [index] = (await runner.query(
        `SELECT indexrelid AS oid, indisvalid AS "isValid" FROM pg_index WHERE indexrelid = 'things_by_name'::regclass`,
      )) as { oid: string; isValid: boolean }[];
      return index;
    };
    const first = await build();
    expect(await build()).toEqual(first);
    await runner.query('UPDATE pg_index SET indisvalid = false WHERE indexrelid = $1', [first?.oid]);
    const second = await build();
    expect(second?.isValid).toBe(true);
    expect(second?.oid).not.toBe(first?.oid);
    await runner.release();
  });
});
