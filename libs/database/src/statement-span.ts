import { inSpan, isRecorded, SpanKind } from '@switchboard/platform';
import type { Statement } from './connection';

const OPERATION = /\b(INSERT|UPDATE|DELETE|SELECT)\b/;

/**
 * Records the statements of one packet in the current trace: their text, which contains no values, their number, and
 * the SQLSTATE of an error. The span includes the wait for a connection. Untraced work has no overhead.
 */
export function inStatementSpan<T>(statements: readonly Statement[], send: () => Promise<T>): Promise<T> {
  if (!isRecorded()) return send();
  const text = statements.map((statement) => statement.text.trim()).join(';\n');
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.text': text,
    ...(statements.length > 1 && { 'db.operation.batch.size': statements.length }),
  };
  // A packet without a row operation is the end of a transaction.
  const name = `database ${OPERATION.exec(text)?.[0] ?? text.split(/[\s;]/, 1)[0]}`;
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      return await send();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (typeof code === 'string') span.setAttribute('db.response.status_code', code);
      throw error;
    }
  });
}
