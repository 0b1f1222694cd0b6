import { inSpan, startTracing } from '@switchboard/platform';
import { createTestDatabase, startCollector, type TestDatabase, type TraceCollector } from '@switchboard/testing';
import { query, Transactions } from '../src';

const SECRET = 'the-secret-of-a-customer';

describe('statement spans', () => {
  let database: TestDatabase;
  let stop: () => Promise<void>;
  let collector: TraceCollector;

  beforeAll(async () => {
    database = await createTestDatabase('demo', []);
    await database.dataSource.query('CREATE TABLE things (id int PRIMARY KEY, name text)');
    collector = await startCollector();
    stop = await startTracing('demo', collector.url);
  });
  afterAll(async () => {
    await database.drop();
    await collector.close();
  });

  it('contain statements without values, for traced work only', async () => {
    const { dataSource } = database;
    await query(dataSource, 'SELECT 1 AS untold');
    await inSpan('work', {}, async () => {
      await query(dataSource, 'INSERT INTO things (id, name) VALUES ($1, $2)', [1, SECRET]);
      await new Transactions(dataSource).run(async (tx) => {
        tx.queue('UPDATE things SET name = $1', [SECRET]);
        await tx.query('DELETE FROM things WHERE name = $1', [SECRET]);
      });
      await expect(query(dataSource, 'INSERT INTO things (id) VALUES ($1), ($1)', [7])).rejects.toThrow();
    });
    await stop();
    const { spans } = collector;
    const [work] = spans.filter(({ name }) => name === 'work');
    const ofDatabase = spans.filter(({ name }) => name.startsWith('database '));
    expect(new Set(ofDatabase.map(({ traceId }) => traceId))).toEqual(new Set([work?.traceId]));
    expect(ofDatabase.map(({ name, attributes }) => [name, attributes])).toEqual([
      [
        'database INSERT',
        { 'db.system.name': 'postgresql', 'db.query.text': 'INSERT INTO things (id, name) VALUES ($1, $2)' },
      ],
      [
        'database UPDATE',
        {
          'db.system.name': 'postgresql',
          'db.query.text': 'BEGIN;\nUPDATE things SET name = $1;\nDELETE FROM things WHERE name = $1',
          'db.operation.batch.size': 3,
        },
      ],
      ['database COMMIT', { 'db.system.name': 'postgresql', 'db.query.text': 'COMMIT' }],
      [
        'database INSERT',
        {
          'db.system.name': 'postgresql',
          'db.query.text': 'INSERT INTO things (id) VALUES ($1), ($1)',
          'db.response.status_code': '23505',
          'error.type': '23505',
        },
      ],
    ]);
    expect(JSON.stringify(spans)).not.toContain(SECRET);
  });
});
