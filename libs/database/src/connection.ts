import type { Duplex } from 'node:stream';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { DataSource } from 'typeorm';

/** A statement as the driver takes it. */
export interface Statement {
  /** Each connection plans a statement with a name once; the name stands for this text on all of them. */
  name?: string;
  text: string;
  values?: unknown[];
}

/** One name per text. */
const names = new Map<string, string>();

/** A statement that each connection plans once. For a fixed set of texts only, which list their columns: every connection keeps them all. */
export function prepared(sql: string, params: unknown[] = []): Statement {
  const name = names.get(sql) ?? `statement_${names.size + 1}`;
  names.set(sql, name);
  return { name, text: sql, values: params };
}

/**
 * Gives the work a connection of its own. When it fails, its transaction is rolled back before anybody else gets the connection, which is
 * closed when it cannot do even that.
 */
export async function withConnection<T>(dataSource: DataSource, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await poolOf(dataSource).connect();
  client.on('error', ignore);
  try {
    const result = await work(client);
    giveBack(client);
    return result;
  } catch (error) {
    await client.query('ROLLBACK').then(
      () => giveBack(client),
      (failure: Error) => giveBack(client, failure),
    );
    throw error;
  }
}

/**
 * Sends statements in one packet and waits for all their answers. The server takes them one after another: after one that fails in a
 * transaction the others fail, too. A packet and a wait for each would cost more than most statements do.
 * @throws what the first one failed with
 */
export async function sendTogether(client: PoolClient, statements: readonly Statement[]): Promise<QueryResult[]> {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  const answers = statements.map((statement) => client.query(statement));
  stream.uncork();
  const outcomes = await Promise.allSettled(answers);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** TypeORM's own pool, so that there is one bound on connections. */
export function poolOf({ driver }: DataSource): Pool {
  return (driver as unknown as { master: Pool }).master;
}

function giveBack(client: PoolClient, failure?: Error): void {
  client.off('error', ignore);
  client.release(failure);
}

/** A connection that breaks fails its statements, too, and nobody else may be listening. */
function ignore(): void {}
