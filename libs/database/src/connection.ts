import { currentWork } from '@switchboard/platform';
import type { Duplex } from 'node:stream';
import type { PoolClient, QueryResult } from 'pg';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { areOthersSpent, DatabaseUnreachedError, isConnectionSpent, isSilence } from './database-errors';
import { poolOf, SILENCE_MARGIN_MS } from './pools';
import { inStatementSpan } from './statement-span';

/** A statement as the driver takes it. */
export interface Statement {
  /** Each connection plans a statement with a name once; the name stands for this text on all of them. */
  name?: string;
  text: string;
  values?: unknown[];
}

/** Values by position (`$1`), or by name (`:accountId`) as in TypeORM's query builder; undefined is NULL. */
export type Params = unknown[] | ObjectLiteral;

/** A statement with its values. A parameter must not have the name of a type that the statement casts to (`::text`). */
export function statementOf(dataSource: DataSource, sql: string, params: Params = []): Statement {
  if (Array.isArray(params)) return { text: sql, values: params };
  const [text, values] = dataSource.driver.escapeQueryWithParameters(sql, params);
  return { text, values };
}

/** One name per text. */
const names = new Map<string, string>();

/**
 * A statement that each connection plans once. For a fixed set of texts only, which list their columns: every
 * connection keeps them all.
 */
export function prepared(dataSource: DataSource, sql: string, params?: Params): Statement {
  const statement = statementOf(dataSource, sql, params);
  const name = names.get(statement.text) ?? `statement_${names.size + 1}`;
  names.set(statement.text, name);
  return { name, ...statement };
}

/** When each connection last did what it was asked, on the clock of `performance.now()`. */
const provenAt = new WeakMap<PoolClient, number>();
/** When each connection was last asked something, on the same clock. */
const askedAt = new WeakMap<PoolClient, number>();
/** Connections that have not proven themselves since then are not used any more. */
let spentBefore = -Infinity;

/**
 * Gives the work a connection of its own, from the pool for its kind of work. When it fails, its transaction is rolled
 * back before anybody else gets the connection. A connection that broke, went silent or leads to a server that takes no
 * writes is closed without another word.
 * @throws DatabaseUnreachedError when there is no connection: nothing was done
 */
export async function withConnection<T>(dataSource: DataSource, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await checkOut(dataSource);
  const { statementMs } = currentWork();
  askedAt.set(client, performance.now());
  try {
    if (statementMs) await client.query(`SET statement_timeout = ${statementMs}`);
    const result = await work(client);
    if (statementMs) await reset(client, 'RESET statement_timeout');
    else giveBack(client);
    return result;
  } catch (error) {
    if (areOthersSpent(error))
      spentBefore = Math.max(spentBefore, isSilence(error) ? (askedAt.get(client) ?? 0) : performance.now());
    if (isConnectionSpent(error)) discard(client);
    else await reset(client, 'ROLLBACK; RESET statement_timeout');
    throw error;
  }
}

/** The answer to one statement; as for `withConnection`. */
export function sendAlone(dataSource: DataSource, statement: Statement): Promise<QueryResult> {
  return inStatementSpan([statement], () => withConnection(dataSource, (client) => client.query(limited(statement))));
}

/**
 * Sends statements in one packet and waits for all their answers. The server takes them one after another: after one
 * that fails in a transaction the others fail, too. A packet and a wait for each would cost more than most statements
 * do.
 * @throws what the first one failed with
 */
export function sendTogether(client: PoolClient, statements: readonly Statement[]): Promise<QueryResult[]> {
  return inStatementSpan(statements, () => sendPacket(client, statements));
}

async function sendPacket(client: PoolClient, statements: readonly Statement[]): Promise<QueryResult[]> {
  const stream = streamOf(client);
  askedAt.set(client, performance.now());
  stream.cork();
  const answers = statements.map((statement) => client.query(limited(statement)));
  stream.uncork();
  const outcomes = await Promise.allSettled(answers);
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

async function checkOut(dataSource: DataSource): Promise<PoolClient> {
  for (;;) {
    const client = await connect(dataSource);
    client.on('error', ignore);
    if ((provenAt.get(client) ?? Infinity) >= spentBefore) return client;
    discard(client);
  }
}

async function connect(dataSource: DataSource): Promise<PoolClient> {
  try {
    return await poolOf(dataSource).connect();
  } catch (error) {
    throw new DatabaseUnreachedError('no connection to the database', { cause: error });
  }
}

/** The driver's own limit is that of the kind of work. */
function limited(statement: Statement): Statement {
  const { statementMs } = currentWork();
  return statementMs ? Object.assign(statement, { query_timeout: statementMs + SILENCE_MARGIN_MS }) : statement;
}

/** Gives the connection back as it was; closes one that cannot do even that. Never rejects. */
async function reset(client: PoolClient, sql: string): Promise<void> {
  await client.query(sql).then(
    () => giveBack(client),
    () => discard(client),
  );
}

function giveBack(client: PoolClient): void {
  provenAt.set(client, performance.now());
  client.off('error', ignore);
  client.release();
}

/** Closes it at once: the other side may never answer, and would end an orderly goodbye only then. */
function discard(client: PoolClient): void {
  client.off('error', ignore);
  client.release(true);
  streamOf(client).destroy();
}

function streamOf(client: PoolClient): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}

/** A connection that breaks fails its statements, too, and nobody else may be listening. */
function ignore(): void {}
