import { createEmptyDatabase } from '@switchboard/testing';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { runMigrations } from '../src';

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
  const migrate = (service: string) =>
    runMigrations({
      schema: service,
      migrations: [CreateNotes1700000000000],
      config: { DATABASE_URL: login(service), DATABASE_ADMIN_URL: admin.url },
    });
  const connected = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return work(client).finally(() => client.end());
  };

  beforeAll(async () => {
    admin = await createEmptyDatabase();
  });
  afterAll(async () => {
    await connected(admin.url, async (client) => {
      for (const service of ['alpha', 'beta']) await client.query(`DROP OWNED BY sb_${service}_${suffix}; DROP ROLE sb_${service}_${suffix}`);
    });
    await admin.drop();
  });

  it('is made with its own login and migrated once, even by commands that run at the same time', async () => {
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
});
