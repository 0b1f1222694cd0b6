import { AppError, newId } from '@switchboard/contracts';
import { query, type Transaction, type Transactions } from '@switchboard/database';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAudit } from './audit-log';
import { grantMonthly } from './monthly-grant.queries';

export interface Account {
  accountId: string;
  name: string;
  plan: string;
  createdAt: Date;
}

const COLUMNS = 'id AS "accountId", name, plan, created_at AS "createdAt"';

/** Customers' accounts, as operators keep them. */
export class AccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError INVALID_PARAMETER when there is no such plan */
  createAccount(account: { name: string; plan: string }, actor: string): Promise<Account> {
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

  /** The account of this name, made when there is none; two callers at a time get the same one. */
  ensureAccount(account: { name: string; plan: string }, actor: string): Promise<Account> {
    return this.transactions.run(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`account:${account.name}`]);
      const [found] = await tx.query<Account>(`SELECT ${COLUMNS} FROM accounts WHERE name = $1 ORDER BY created_at LIMIT 1`, [account.name]);
      return found ?? insertAccount(tx, account, actor);
    });
  }
}

/** @throws AppError NOT_FOUND when there is no such account */
export async function requireAccount(executor: DataSource | EntityManager, accountId: string): Promise<Account> {
  const [account] = await query<Account>(executor, `SELECT ${COLUMNS} FROM accounts WHERE id = $1`, [accountId]);
  if (!account) throw new AppError('NOT_FOUND', { message: `not found: there is no account ${accountId}` });
  return account;
}

async function insertAccount(tx: Transaction, { name, plan }: { name: string; plan: string }, actor: string): Promise<Account> {
  const [known] = await tx.query('SELECT 1 FROM plans WHERE name = $1', [plan]);
  if (!known) throw new AppError('INVALID_PARAMETER', { message: `there is no plan ${plan}` });
  const [account] = await tx.query<Account>(`INSERT INTO accounts (id, name, plan) VALUES ($1, $2, $3) RETURNING ${COLUMNS}`, [newId('acc'), name, plan]);
  if (!account) throw new Error('INSERT … RETURNING gave no row');
  // A customer need not wait for the next round.
  await grantMonthly(tx, account.accountId);
  await recordAudit(tx, { actor, action: 'account.created', accountId: account.accountId, target: account.accountId, details: { name, plan } });
  return account;
}
