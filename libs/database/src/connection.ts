import { activity, currentWork } from '@switchboard/platform';
import type { Duplex } from 'node:stream';
import type { PoolClient, QueryResult } from 'pg';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { areOthersSpent, DatabaseUnreachedError, isConnectionSpent, isSilence } from './database-errors';
import { poolOf, SILENCE_MARGIN_MS } from './pools';
import { inStatementSpan } from './statement-span';

export interface Statement {
  /** Name of a prepared statement, which each connection plans once. It identifies this text on all connections. */
  name?: string;
  text: string;
  values?: unknown[];
}

/** Values by position (`$1`), or by name (`:accountId`) as in TypeORM's query builder; undefined is NULL. */
export type Params = unknown[] | ObjectLiteral;

/**
 * Builds a statement with its values. A named parameter must not share its name with a type used in a cast (`::text`).
 */
export function statementOf(dataSource: DataSource, sql: string, params: Params = []): Statement {
  if (Array.isArray(params)) return { text: sql, values: params };
  const [text, values] = dataSource.driver.escapeQueryWithParameters(sql, params);
  return { text, values };
}

const names = new Map<string, string>();

/**
 * Builds a statement that each connection plans once. Every connection keeps all plans, so use it only for a fixed set
 * of texts, which must list their columns.
 */
export function prepared(dataSource: DataSource, sql: string, params?: Params): Statement {
  const statement = statementOf(dataSource, sql, params);
  const name = names.get(statement.text) ?? `statement_${names.size + 1}`;
  names.set(statement.text, name);
  return { name, ...statement };
}

/** Time of the last success of each connection, on the clock of `performance.now()`. */
const provenAt = new WeakMap<PoolClient, number>();
/** Time of the last statement sent to each connection, on the same clock. */
const askedAt = new WeakMap<PoolClient, number>();
/** Connections without a success since this time are discarded. */
let spentBefore = -Infinity;

/**
 * Runs the work with a dedicated connection from the pool of the current workload. When the work fails, its transaction
 * is rolled back before the connection is reused. A connection that is broken, silent or connected to a read-only
 * server is closed immediately.
 * @throws DatabaseUnreachedError when there is no connection, so that nothing was done
 */
export async function withConnection<T>(dataSource: DataSource, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await checkOut(dataSource);
  const { statementMs } = currentWork();
  noteActivity();
  askedAt.set(client, performance.now());
  try {
    if (statementMs) await client.query(`SET statement_timeout = ${statementMs}`);
    const result = await work(client);
    if (statementMs) await reset(client, 'RESET statement_timeout');
    else release(client);
    noteActivity();
    return result;
  } catch (error) {
    if (areOthersSpent(error))
      spentBefore = Math.max(spentBefore, isSilence(error) ? (askedAt.get(client) ?? 0) : performance.now());
    if (isConnectionSpent(error)) discard(client);
    else await reset(client, 'ROLLBACK; RESET statement_timeout');
    throw error;
  }
}

/** Work for a caller or a message may give the loops of this service something to do. */
function noteActivity(): void {
  const { workload, isRoutine } = currentWork();
  if (!isRoutine && (workload === 'requests' || workload === 'events')) activity.note();
}

export function sendAlone(dataSource: DataSource, statement: Statement): Promise<QueryResult> {
  return inStatementSpan([statement], () => withConnection(dataSource, (client) => client.query(limited(statement))));
}

/**
 * Sends statements in one packet and waits for all results, because a round trip costs more than most statements. The
 * server runs them in order. In a transaction, all statements after a failed one also fail.
 * @throws the error of the first failed statement
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

/** Adds the time limit of the current work, if it differs from the driver's limit for the workload. */
function limited(statement: Statement): Statement {
  const { statementMs } = currentWork();
  return statementMs ? Object.assign(statement, { query_timeout: statementMs + SILENCE_MARGIN_MS }) : statement;
}

/** Resets the connection and releases it, or closes it if that fails. Never rejects. */
async function reset(client: PoolClient, sql: string): Promise<void> {
  await client.query(sql).then(
    () => release(client),
    () => discard(client),
  );
}

function release(client: PoolClient): void {
  provenAt.set(client, performance.now());
  client.off('error', ignore);
  client.release();
}

/** Destroys the socket, because an orderly close would wait for a peer that may never respond. */
function discard(client: PoolClient): void {
  client.off('error', ignore);
  client.release(true);
  streamOf(client).destroy();
}

function streamOf(client: PoolClient): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}

/** Ignores connection errors that have no other listener, because a broken connection also fails its statements. */
function ignore(): void {}
