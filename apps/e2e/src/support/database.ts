import pg from 'pg';
import { operatorEnvironment } from './installation';

/** Runs a statement in the gateway's schema, to skip waits of up to an hour. */
export async function gatewaySql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: operatorEnvironment['DATABASE_URL'],
    options: '-c search_path=gateway',
  });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
