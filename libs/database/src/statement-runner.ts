import type { QueryResult } from 'pg';
import type { QueryRunner } from 'typeorm';
import type { Statement } from './connection';

/**
 * Makes repositories send their statements where ours go, instead of on a connection that TypeORM takes from its pool.
 * Statements then have the limits, spans and errors of all others.
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
    // A commit whose answer is lost must not pass for a failure: Transactions knows the difference.
    startTransaction: () => Promise.reject(new Error('Transactions.run starts transactions; save() works inside it')),
  });
}
