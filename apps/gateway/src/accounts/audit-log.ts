import { newId } from '@switchboard/contracts';
import { query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';

/** One change by an operator. Details hold no secret: no key, token or signing secret. */
export interface AuditEntry {
  /** Who: the operator's login on the machine the command ran on. */
  actor: string;
  action: string;
  accountId?: string;
  /** The id or name of what was changed. */
  target: string;
  details?: Record<string, unknown>;
}

/** Notes a change in the transaction that makes it: neither stands without the other. */
export async function recordAudit(tx: Transaction, { actor, action, accountId, target, details = {} }: AuditEntry): Promise<void> {
  await tx.query('INSERT INTO audit_log (id, actor, action, account_id, target, details) VALUES ($1, $2, $3, $4, $5, $6)', [
    newId('aud'),
    actor,
    action,
    accountId ?? null,
    target,
    JSON.stringify(details),
  ]);
}

/** An entry as it is shown. */
export interface AuditRecord {
  entryId: string;
  at: Date;
  actor: string;
  action: string;
  accountId: string | null;
  target: string;
  details: Record<string, unknown>;
}

export interface AuditFilter {
  accountId?: string;
  action?: string;
  limit: number;
  /** Only entries older than this one, by its id. */
  before?: string;
}

/** The newest entry first. */
export function listAudit(dataSource: DataSource, { accountId, action, limit, before }: AuditFilter): Promise<AuditRecord[]> {
  return query<AuditRecord>(
    dataSource,
    `SELECT id AS "entryId", created_at AS at, actor, action, account_id AS "accountId", target, details FROM audit_log
     WHERE ($1::text IS NULL OR account_id = $1) AND ($2::text IS NULL OR action = $2) AND ($3::text IS NULL OR id COLLATE "C" < $3)
     ORDER BY id COLLATE "C" DESC LIMIT $4`,
    [accountId ?? null, action ?? null, before ?? null, limit],
  );
}
