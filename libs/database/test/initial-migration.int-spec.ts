import { randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runMigrations } from '../src';

abstract class Migration implements MigrationInterface {
  protected abstract readonly sql: string;
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(this.sql);
  }
  async down(): Promise<void> {}
}

class CreateNotes1700000000000 extends Migration {
  protected override readonly sql = 'CREATE TABLE notes (id int)';
}
class AddText1700000000001 extends Migration {
  protected override readonly sql = 'ALTER TABLE notes ADD COLUMN text text';
}
/** Replaces the two migrations above. */
class CreateSchema1700000000001 extends Migration {
  protected override readonly sql = 'CREATE TABLE notes (id int, text text)';
}
class AddAuthor1700000000002 extends Migration {
  protected override readonly sql = 'ALTER TABLE notes ADD COLUMN author text';
}

describe('an initial migration that replaces others', () => {
  let database: TestDatabase;
  let schema: string;

  beforeAll(async () => {
    database = await createTestDatabase('demo', []);
  });
  beforeEach(async () => {
    schema = `notes_${randomBytes(4).toString('hex')}`;
    await database.dataSource.query(`CREATE SCHEMA ${schema}`);
  });
  afterAll(() => database.drop());

  const REPLACED = [CreateNotes1700000000000, AddText1700000000001];
  const migrate = (
    migrations: (new () => MigrationInterface)[] = [CreateSchema1700000000001, AddAuthor1700000000002],
  ) => runMigrations({ schema, migrations, config: { DATABASE_URL: database.url } });
  const names = async (sql: string) =>
    (await database.dataSource.query<{ name: string }[]>(sql)).map(({ name }) => name);
  const executed = () => names(`SELECT name FROM ${schema}.migrations ORDER BY id`);
  const columns = () =>
    names(
      `SELECT attname AS name FROM pg_attribute WHERE attrelid = '${schema}.notes'::regclass AND attnum > 0 ORDER BY attnum`,
    );

  it('runs in an empty schema', async () => {
    expect(await migrate()).toEqual(['CreateSchema1700000000001', 'AddAuthor1700000000002']);
    expect(await migrate()).toEqual([]);
    expect(await columns()).toEqual(['id', 'text', 'author']);
  });

  it('counts as run when the last replaced migration ran', async () => {
    const before = await migrate(REPLACED);
    expect(await migrate()).toEqual(['AddAuthor1700000000002']);
    expect(await migrate()).toEqual([]);
    expect(await executed()).toEqual([...before, 'CreateSchema1700000000001', 'AddAuthor1700000000002']);
    expect(await columns()).toEqual(['id', 'text', 'author']);
  });

  it('leaves the previous release nothing to run after a rollback', async () => {
    await migrate(REPLACED);
    await migrate();
    expect(await migrate(REPLACED)).toEqual([]);
  });

  it('rejects a partially migrated schema and changes nothing', async () => {
    const before = await migrate(REPLACED.slice(0, 1));
    await expect(migrate()).rejects.toThrow('upgrade to 0.2.0 first');
    expect(await executed()).toEqual(before);
    expect(await columns()).toEqual(['id']);
  });
});
