import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inSpan, startTracing } from '@switchboard/platform';
import { createTestDatabase, type TestDatabase } from '@switchboard/testing';
import { query, Transactions } from '../src';

interface Exported {
  name: string;
  traceId: string;
  attributes: Record<string, unknown>;
}

const SECRET = 'the-secret-of-a-customer';

describe('statements in a trace', () => {
  let database: TestDatabase;
  let stop: () => Promise<void>;
  const spans: Exported[] = [];
  const collector = createServer((request, response) => {
    let text = '';
    request
      .on('data', (chunk: Buffer) => (text += chunk.toString()))
      .on('end', () => {
        spans.push(...spansOf(text));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
  });

  beforeAll(async () => {
    database = await createTestDatabase('demo', []);
    await database.dataSource.query('CREATE TABLE things (id int PRIMARY KEY, name text)');
    collector.listen(0, '127.0.0.1');
    await once(collector, 'listening');
    stop = await startTracing('demo', `http://127.0.0.1:${(collector.address() as AddressInfo).port}`);
  });
  afterAll(async () => {
    await database.drop();
    collector.close();
  });

  it('stand there without their values, and others nowhere', async () => {
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
        },
      ],
    ]);
    expect(JSON.stringify(spans)).not.toContain(SECRET);
  });
});

/** The spans of a body as OTLP has them in JSON. */
function spansOf(text: string): Exported[] {
  interface Body {
    resourceSpans: {
      scopeSpans: {
        spans: {
          name: string;
          traceId: string;
          attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
        }[];
      }[];
    }[];
  }
  return (JSON.parse(text) as Body).resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ name, traceId, attributes }) => ({
      name,
      traceId,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue])),
    }));
}
