import type { QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { Statement } from './connection';

/**
 * Routes the statements of repositories through `send` instead of a connection from TypeORM's pool, so that they have
 * the same time limits, spans and errors as all other statements.
 */
export function sendStatementsBy(
  runner: QueryRunner,
  send: (statement: Statement) => Promise<QueryResult>,
): QueryRunner {
  return Object.assign(runner, {
    query: async (text: string, values?: unknown[], isStructured = false): Promise<unknown> => {
      const { command, rows, rowCount } = await send({ text, values });
      const raw = command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows;
      return isStructured ? { raw, records: rows, affected: rowCount } : raw;
    },
    // TypeORM would report a commit whose response was lost as a failure.
    startTransaction: () => Promise.reject(new Error('Transactions.run starts transactions; save() works inside it')),
  });
}
