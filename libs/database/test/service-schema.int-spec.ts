import { createEmptyDatabase } from '@switchboard/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runMigrations } from '../src';

class SortNotes1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TEMPORARY TABLE sorted (id int) ON COMMIT DROP');
  }
  async down(): Promise<void> {}
}

class FailWithNotes1700000000000 extends SortNotes1700000000000 {
  override async up(runner: QueryRunner): Promise<void> {
    await super.up(runner);
    throw new Error('this migration fails');
  }
}

class CreateNotes1700000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE notes (id int)');
  }
  async down(): Promise<void> {}
}

describe("a service's schema", () => {
  let admin: { url: string; drop: () => Promise<void> };
  const suffix = Math.random().toString(36).slice(2, 10);
  const login = (service: string): string => {
    const url = new URL(admin.url);
    url.username = `sb_${service}_${suffix}`;
    url.password = 'p@ss/word';
    return url.toString();
  };
  const stranger = `sb_stranger_${suffix}`;
  const migrate = (service: string, migrations = [CreateNotes1700000000000]) =>
    runMigrations({
      schema: service,
      migrations,
      config: { DATABASE_URL: login(service), DATABASE_ADMIN_URL: admin.url },
    });
  const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    admin = await createEmptyDatabase();
  });
  afterAll(async () => {
    await connected(admin.url, async (client) => {
      await client.query(`DROP ROLE IF EXISTS ${stranger}`);
      for (const service of ['alpha', 'beta', 'gamma'])
        await client.query(`DROP OWNED BY sb_${service}_${suffix}; DROP ROLE sb_${service}_${suffix}`);
    });
    await admin.drop();
  });

  it('is created with its login and migrated once by concurrent commands', async () => {
    const ran = await Promise.all([migrate('alpha'), migrate('alpha'), migrate('beta')]);
    expect(ran.map((names) => names.length).sort()).toEqual([0, 1, 1]);
    expect(await migrate('alpha')).toEqual([]);
  });

  it("cannot be read with another service's login", async () => {
    await connected(login('beta'), async (client) => {
      await expect(client.query('SELECT * FROM beta.notes')).resolves.toMatchObject({ rowCount: 0 });
      await expect(client.query('SELECT * FROM alpha.notes')).rejects.toThrow('permission denied for schema alpha');
    });
  });

  it('is in a database that no other login may connect to', async () => {
    await connected(admin.url, (client) => client.query(`CREATE ROLE ${stranger} LOGIN PASSWORD 'p@ss/word'`));
    await expect(connected(login('stranger'), (client) => client.query('SELECT 1'))).rejects.toThrow(
      /permission denied for database/,
    );
    for (const service of ['alpha', 'beta'])
      expect(await connected(login(service), (client) => client.query(`SELECT * FROM ${service}.notes`))).toMatchObject(
        { rowCount: 0 },
      );
  });

  it('remains readable for a monitoring role that was granted CONNECT', async () => {
    await connected(admin.url, async (client) => {
      const { rows } = await client.query<{ name: string }>('SELECT quote_ident(current_database()) AS name');
      await client.query(`GRANT CONNECT ON DATABASE ${rows[0]?.name} TO pg_monitor; GRANT pg_monitor TO ${stranger}`);
    });
    await migrate('alpha');
    await connected(login('stranger'), (client) => client.query('SELECT 1'));
  });

  it.each(['CREATE TEMPORARY TABLE t (id int)', 'CREATE TABLE public.t (id int)', 'CREATE SCHEMA mine'])(
    'rejects %s from the login of its service',
    async (sql) => {
      await connected(login('beta'), (client) => expect(client.query(sql)).rejects.toThrow(/permission denied/));
    },
  );

  it('allows temporary tables only during a migration', async () => {
    await expect(migrate('gamma', [FailWithNotes1700000000000])).rejects.toThrow('this migration fails');
    const make = () => connected(login('gamma'), (client) => client.query('CREATE TEMPORARY TABLE t (id int)'));
    await expect(make()).rejects.toThrow(/permission denied to create temporary tables/);
    expect(await migrate('gamma', [SortNotes1700000000000])).toHaveLength(1);
    await expect(make()).rejects.toThrow(/permission denied to create temporary tables/);
  });
});
