import { AppError, newId } from '@switchboard/contracts';
import { query, type Transaction, type Transactions } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { requireAccount } from '../accounts/accounts.service';
import { recordAudit } from '../accounts/audit-log';
import { type PasswordOwner, requireStrongPassword } from './password-strength';
import { hashPassword } from './passwords';
import type { Role } from '../caller/roles';

/** A person who may sign in to an account's console. */
export interface UserRecord {
  userId: string;
  accountId: string;
  email: string;
  name: string;
  role: Role;
  disabledAt: Date | null;
  lastSignInAt: Date | null;
  createdAt: Date;
}

export interface NewUser {
  accountId: string;
  email: string;
  name: string;
  role: Role;
  password: string;
}

const COLUMNS =
  'id AS "userId", account_id AS "accountId", email, name, role, disabled_at AS "disabledAt", last_sign_in_at AS "lastSignInAt", created_at AS "createdAt"';
const INSERT = `
  INSERT INTO users (id, account_id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`;
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** The people of the accounts, as operators keep them. */
export class UsersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /**
   * @throws AppError NOT_FOUND for the account, INVALID_PARAMETER when the address is none or is taken, INVALID_VALUE
   * for the password
   */
  async createUser({ accountId, email: given, name, role, password }: NewUser, actor: string): Promise<UserRecord> {
    const email = normaliseEmail(given);
    if (!EMAIL.test(email)) throw new AppError('INVALID_PARAMETER', { message: `${given} is not an e-mail address` });
    requireStrongPassword(password, { email, name });
    const passwordHash = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      await requireAccount(tx, accountId);
      const [user] = await tx.query<UserRecord>(INSERT, [newId('usr'), accountId, email, name, role, passwordHash]);
      if (!user) throw new AppError('INVALID_PARAMETER', { message: `there is a user ${email} already` });
      await recordAudit(tx, { actor, action: 'user.created', accountId, target: user.userId, details: { role } });
      return user;
    });
  }

  /** The oldest first. @throws AppError NOT_FOUND when there is no such account */
  async listUsers(accountId: string): Promise<UserRecord[]> {
    await requireAccount(this.dataSource, accountId);
    return query<UserRecord>(
      this.dataSource,
      `SELECT ${COLUMNS} FROM users WHERE account_id = $1 ORDER BY created_at, id`,
      [accountId],
    );
  }

  /** Lets a user in no more, and ends their sessions. @throws AppError NOT_FOUND */
  disableUser(userId: string, actor: string): Promise<UserRecord> {
    return this.change(userId, {
      set: 'disabled_at = coalesce(disabled_at, now())',
      action: 'user.disabled',
      endsSessions: true,
      actor,
    });
  }

  /** @throws AppError NOT_FOUND */
  enableUser(userId: string, actor: string): Promise<UserRecord> {
    return this.change(userId, { set: 'disabled_at = NULL', action: 'user.enabled', actor });
  }

  /** @throws AppError NOT_FOUND */
  setRole(userId: string, role: Role, actor: string): Promise<UserRecord> {
    return this.change(userId, { set: 'role = $2', value: role, action: 'user.role-set', details: { role }, actor });
  }

  /**
   * Replaces a password, and ends all sessions of its user.
   * @throws AppError NOT_FOUND, INVALID_VALUE for the password
   */
  async resetPassword(userId: string, password: string, actor: string): Promise<UserRecord> {
    const [owner] = await query<PasswordOwner>(this.dataSource, 'SELECT email, name FROM users WHERE id = $1', [
      userId,
    ]);
    if (!owner) throw noSuchUser(userId);
    requireStrongPassword(password, owner);
    const value = await hashPassword(password);
    return this.change(userId, {
      set: 'password_hash = $2',
      value,
      action: 'user.password-set',
      endsSessions: true,
      actor,
    });
  }

  /**
   * Takes the second factor of a user away who lost it with all recovery codes, and ends all their sessions. They sign
   * in with the password alone then.
   * @throws AppError NOT_FOUND for the user, INVALID_PARAMETER when they have none
   */
  async resetSecondFactor(email: string, actor: string): Promise<UserRecord> {
    return this.transactions.run(async (tx) => {
      const [user] = await tx.query<UserRecord>(`SELECT ${COLUMNS} FROM users WHERE email = $1 FOR NO KEY UPDATE`, [
        normaliseEmail(email),
      ]);
      if (!user) throw new AppError('NOT_FOUND', { message: `not found: there is no user ${email}` });
      const removed = await tx.query('DELETE FROM second_factors WHERE user_id = $1 AND account_id = $2 RETURNING 1', [
        user.userId,
        user.accountId,
      ]);
      if (removed.length === 0) throw new AppError('INVALID_PARAMETER', { message: `${email} has no second factor` });
      await endSessions(tx, user);
      await recordAudit(tx, {
        actor,
        action: 'user.second-factor-reset',
        accountId: user.accountId,
        target: user.userId,
      });
      return user;
    });
  }

  private change(userId: string, change: Change): Promise<UserRecord> {
    return this.transactions.run((tx) => changeUser(tx, userId, change));
  }
}

async function endSessions(tx: Transaction, { userId, accountId }: UserRecord): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE account_id = $1 AND user_id = $2', [accountId, userId]);
  await tx.query('DELETE FROM half_sessions WHERE account_id = $1 AND user_id = $2', [accountId, userId]);
}

interface Change {
  /** The assignments, with `$2` for the value. */
  set: string;
  value?: string;
  action: string;
  details?: Record<string, unknown>;
  endsSessions?: boolean;
  actor: string;
}

async function changeUser(
  tx: Transaction,
  userId: string,
  { set, value, action, details, endsSessions, actor }: Change,
): Promise<UserRecord> {
  const [user] = await tx.query<UserRecord>(
    `UPDATE users SET ${set} WHERE id = $1 RETURNING ${COLUMNS}`,
    value === undefined ? [userId] : [userId, value],
  );
  if (!user) throw noSuchUser(userId);
  // After the row is locked: a sign-in that is under way has either made its session by now, or finds the row changed.
  if (endsSessions) await endSessions(tx, user);
  await recordAudit(tx, { actor, action, accountId: user.accountId, target: userId, details });
  return user;
}

function noSuchUser(userId: string): AppError {
  return new AppError('NOT_FOUND', { message: `not found: there is no user ${userId}` });
}

/** Addresses are compared without case. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}
