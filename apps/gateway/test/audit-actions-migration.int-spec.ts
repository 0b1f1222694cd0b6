import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { migrations } from '../src/migrations';
import { NameAuditActions1764100000900 } from '../src/migrations/1764100000900-name-audit-actions';

describe('the new names of actions of the audit log', () => {
  let database: TestDatabase;

  beforeAll(async () => {
    const before = migrations.slice(0, migrations.indexOf(NameAuditActions1764100000900));
    database = await createTestDatabase('gateway', before);
  });
  afterAll(() => database.drop());

  it('reach what is on record, and nothing else of it changes', async () => {
    const sql = <T>(text: string, ...params: unknown[]): Promise<T[]> => database.dataSource.query(text, params);
    const actions = ['key.revoked', 'key.set', 'user.signed-in', 'job.cancelled', 'job.pause', 'job.paused'];
    for (const [index, action] of actions.entries())
      await sql(
        `INSERT INTO audit_log (id, actor, action, target, details) VALUES ($1, 'operator', $2, 'x', '{"total": 3}')`,
        `aud_${index}`,
        action,
      );
    const others = 'SELECT id, actor, account_id, target, created_at FROM audit_log ORDER BY id';
    const before = await sql(others);

    const runner = database.dataSource.createQueryRunner();
    await new NameAuditActions1764100000900().up(runner);
    await runner.release();

    expect(await sql('SELECT action, details FROM audit_log ORDER BY id')).toEqual([
      { action: 'key.revoke', details: { total: 3 } },
      { action: 'key.set', details: { total: 3 } },
      { action: 'user.sign-in', details: { total: 3 } },
      { action: 'job.finish', details: { total: 3, status: 'cancelled' } },
      { action: 'job.pause', details: { total: 3 } },
      { action: 'job.pause', details: { total: 3 } },
    ]);
    expect(await sql(others)).toEqual(before);
  });
});
