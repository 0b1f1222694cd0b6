import { inSpan, isRecorded, SpanKind } from '@switchboard/platform';
import type { Statement } from './connection';

const OPERATION = /\b(INSERT|UPDATE|DELETE|SELECT)\b/;

/**
 * Shows statements of one packet in the trace of the request or the message that they belong to: their text, which has
 * no values, how many there are, and the database's code of an error. A wait for a connection counts. Work that no
 * collector is told of costs nothing here.
 */
export function inStatementSpan<T>(statements: readonly Statement[], send: () => Promise<T>): Promise<T> {
  if (!isRecorded()) return send();
  const text = statements.map((statement) => statement.text.trim()).join(';\n');
  const attributes = {
    'db.system.name': 'postgresql',
    'db.query.text': text,
    ...(statements.length > 1 && { 'db.operation.batch.size': statements.length }),
  };
  // A packet that changes nothing itself ends a transaction.
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
