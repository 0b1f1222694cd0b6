import { newId } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';

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
