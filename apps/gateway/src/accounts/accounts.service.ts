import { accessChangedV1, AppError, newId, requirePlainName } from '@switchboard/contracts';
import { query, type Transaction, type Transactions } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { type AuditEntry, recordAudit } from './audit-log';
import { grantMonthly } from './monthly-grant.queries';

export interface Account {
  accountId: string;
  name: string;
  plan: string;
  createdAt: Date;
  /** Null while the account is not suspended, and so its reason. */
  suspendedAt: Date | null;
  suspendedReason: string | null;
}

const COLUMNS =
  'id AS "accountId", name, plan, created_at AS "createdAt", suspended_at AS "suspendedAt", suspended_reason AS "suspendedReason"';

/** Customers' accounts, as operators keep them. */
export class AccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError INVALID_PARAMETER when there is no such plan */
  async createAccount(account: { name: string; plan: string }, actor: string): Promise<Account> {
    requirePlainName(account.name);
    return this.transactions.run(async (tx) => insertAccount(tx, account, actor));
  }

  /** The oldest first. @param page.cursor only accounts younger than this one, by its id */
  listAccounts({ limit, cursor }: { limit: number; cursor?: string }): Promise<Account[]> {
    const sql = `SELECT ${COLUMNS} FROM accounts WHERE ($1::text IS NULL OR id COLLATE "C" > $1) ORDER BY id COLLATE "C" LIMIT $2`;
    return query<Account>(this.dataSource, sql, [cursor ?? null, limit]);
  }

  /** @throws AppError NOT_FOUND */
  async requireAccount(accountId: string): Promise<Account> {
    return requireAccount(this.dataSource, accountId);
  }

  /**
   * Refuses every key of the account and everybody who signs in to it, on every gateway and within a second. What was
   * accepted before goes on: waiting messages and bulk jobs are still sent (`jobs pause` stops those), webhooks are
   * delivered, and what customers write is kept. Doing it again gives another reason.
   * @throws AppError NOT_FOUND
   */
  suspendAccount(accountId: string, reason: string | undefined, actor: string): Promise<Account> {
    const sql = `UPDATE accounts SET suspended_at = coalesce(suspended_at, now()), suspended_reason = $2 WHERE id = $1 RETURNING ${COLUMNS}`;
    return this.setAccess(
      { sql, params: [accountId, reason ?? null] },
      { actor, action: 'account.suspend', target: accountId, details: { reason: reason ?? null } },
    );
  }

  /** Undoes a suspension: keys and sessions that have not ended otherwise work again. @throws AppError NOT_FOUND */
  resumeAccount(accountId: string, actor: string): Promise<Account> {
    const sql = `UPDATE accounts SET suspended_at = NULL, suspended_reason = NULL WHERE id = $1 RETURNING ${COLUMNS}`;
    return this.setAccess({ sql, params: [accountId] }, { actor, action: 'account.resume', target: accountId });
  }

  private setAccess({ sql, params }: { sql: string; params: unknown[] }, entry: AuditEntry): Promise<Account> {
    const accountId = entry.target;
    return this.transactions.run(async (tx) => {
      const [account] = await tx.query<Account>(sql, params);
      if (!account) throw noSuchAccount(accountId);
      await recordAudit(tx, { ...entry, accountId });
      tx.publish(accessChangedV1, { accountId });
      return account;
    });
  }

  /** Returns the account of this name, and creates it when there is none; two callers at a time get the same one. */
  ensureAccount(account: { name: string; plan: string }, actor: string): Promise<{ account: Account; isNew: boolean }> {
    requirePlainName(account.name);
    return this.transactions.run(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`account:${account.name}`]);
      const [found] = await tx.query<Account>(
        `SELECT ${COLUMNS} FROM accounts WHERE name = $1 ORDER BY created_at LIMIT 1`,
        [account.name],
      );
      return found
        ? { account: found, isNew: false }
        : { account: await insertAccount(tx, account, actor), isNew: true };
    });
  }
}

/** @throws AppError NOT_FOUND when there is no such account */
export async function requireAccount(executor: DataSource | Transaction, accountId: string): Promise<Account> {
  const [account] = await query<Account>(executor, `SELECT ${COLUMNS} FROM accounts WHERE id = $1`, [accountId]);
  if (!account) throw noSuchAccount(accountId);
  return account;
}

function noSuchAccount(accountId: string): AppError {
  return new AppError('NOT_FOUND', { message: `not found: there is no account ${accountId}` });
}

async function insertAccount(
  tx: Transaction,
  { name, plan }: { name: string; plan: string },
  actor: string,
): Promise<Account> {
  const [known] = await tx.query('SELECT 1 FROM plans WHERE name = $1', [plan]);
  if (!known) throw new AppError('INVALID_PARAMETER', { message: `there is no plan ${plan}` });
  const [account] = await tx.query<Account>(
    `INSERT INTO accounts (id, name, plan) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`,
    [newId('acc'), name, plan],
  );
  if (!account) throw new Error('INSERT … RETURNING gave no row');
  // A customer need not wait for the next round.
  await grantMonthly(tx, account.accountId);
  await recordAudit(tx, {
    actor,
    action: 'account.create',
    accountId: account.accountId,
    target: account.accountId,
    details: { name, plan },
  });
  return account;
}
