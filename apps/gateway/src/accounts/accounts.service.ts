import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { accessChangedV1, AppError, newId, requirePlainName } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import type { EntityManager, Repository } from 'typeorm';
import { Account } from './account.entity';
import { type AuditEntry, recordAudit } from '../audit-log/audit-log';
import { grantMonthly } from './monthly-grant.queries';
import type { ChangeBy } from '../request-context/console-user';
import { PlanEntity } from './plan.entity';

type AccessChange = Parameters<Repository<Account>['update']>[1];

/** Manages customer accounts. */
@Injectable()
export class AccountsService {
  constructor(
    @InjectRepository(Account) private readonly accounts: Repository<Account>,
    private readonly transactions: Transactions,
  ) {}

  /** @throws AppError INVALID_PARAMETER for an unknown plan */
  async createAccount(account: { name: string; plan: string }, actor: string): Promise<Account> {
    requirePlainName(account.name);
    return this.transactions.run(async (tx) => insertAccount(tx, account, actor));
  }

  /** Lists accounts, oldest first. @param page.cursor id of the last account of the previous page */
  listAccounts({ limit, cursor }: { limit: number; cursor?: string }): Promise<Account[]> {
    const page = this.accounts.createQueryBuilder('account').orderBy('account.accountId COLLATE "C"').limit(limit);
    return (cursor === undefined ? page : page.where('account.accountId COLLATE "C" > :cursor', { cursor })).getMany();
  }

  /** @throws AppError NOT_FOUND */
  async requireAccount(accountId: string): Promise<Account> {
    return requireAccount(this.accounts, accountId);
  }

  /**
   * Suspends the account: within a second, every gateway rejects its keys and users. Accepted messages and bulk jobs
   * are still sent (`jobs pause` stops jobs), webhooks are delivered, and inbound messages are stored. A repeated call
   * replaces the reason.
   * @throws AppError NOT_FOUND
   */
  suspendAccount(accountId: string, reason: string | undefined, actor: string): Promise<Account> {
    return this.setAccess(
      { suspendedAt: () => 'coalesce(suspended_at, now())', suspendedReason: reason ?? null },
      { actor, action: 'account.suspend', target: accountId, details: { reason: reason ?? null } },
    );
  }

  /**
   * Resumes a suspended account. Its keys and sessions are valid again unless they have expired or were revoked.
   * @throws AppError NOT_FOUND
   */
  resumeAccount(accountId: string, actor: string): Promise<Account> {
    return this.setAccess(
      { suspendedAt: null, suspendedReason: null },
      { actor, action: 'account.resume', target: accountId },
    );
  }

  /**
   * Sets the time zone in which the dashboard shows times.
   * @param timeZone IANA name; null for that of each user's browser
   * @throws AppError INVALID_VALUE for an unknown name, NOT_FOUND
   */
  setTimeZone({ accountId, actor }: ChangeBy, timeZone: string | null): Promise<Account> {
    if (timeZone !== null && !isTimeZone(timeZone)) {
      const message = 'timeZone must be an IANA time zone, such as Asia/Kolkata';
      throw new AppError('INVALID_VALUE', { message, details: [{ field: 'timeZone', message }] });
    }
    return this.transactions.run(async (tx) => {
      await tx.manager.update(Account, { accountId }, { timeZone });
      const account = await requireAccount(tx, accountId);
      await recordAudit(tx, {
        actor,
        action: 'account.set-time-zone',
        accountId,
        target: accountId,
        details: { timeZone },
      });
      return account;
    });
  }

  private setAccess(change: AccessChange, entry: AuditEntry): Promise<Account> {
    const accountId = entry.target;
    return this.transactions.run(async (tx) => {
      await tx.manager.update(Account, { accountId }, change);
      const account = await requireAccount(tx, accountId);
      await recordAudit(tx, { ...entry, accountId });
      tx.publish(accessChangedV1, { accountId });
      return account;
    });
  }

  /** Returns the account with this name, or creates one. Concurrent calls return the same account. */
  ensureAccount(account: { name: string; plan: string }, actor: string): Promise<{ account: Account; isNew: boolean }> {
    requirePlainName(account.name);
    return this.transactions.run(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`account:${account.name}`]);
      const found = await tx.manager.findOne(Account, {
        where: { name: account.name },
        order: { createdAt: 'ASC' },
      });
      return found
        ? { account: found, isNew: false }
        : { account: await insertAccount(tx, account, actor), isNew: true };
    });
  }
}

/** Checks for the name of a time zone. Offsets such as `+05:30` do not follow daylight saving time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** @throws AppError NOT_FOUND for an unknown account */
export async function requireAccount({ manager }: { manager: EntityManager }, accountId: string): Promise<Account> {
  const account = await manager.findOneBy(Account, { accountId });
  if (account) return account;
  throw new AppError('NOT_FOUND', { message: `not found: there is no account ${accountId}` });
}

async function insertAccount(
  tx: Transaction,
  { name, plan }: { name: string; plan: string },
  actor: string,
): Promise<Account> {
  if (!(await tx.manager.existsBy(PlanEntity, { name: plan })))
    throw new AppError('INVALID_PARAMETER', { message: `there is no plan ${plan}` });
  const accountId = newId('acc');
  await tx.manager.insert(Account, { accountId, name, plan });
  // Grants the first credits now rather than at the next scheduled run.
  await grantMonthly(tx, accountId);
  await recordAudit(tx, { actor, action: 'account.create', accountId, target: accountId, details: { name, plan } });
  return requireAccount(tx, accountId);
}
