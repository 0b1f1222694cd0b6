import { AppError, newId, requirePlainName } from '@switchboard/contracts';
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
  hasSecondFactor: boolean;
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

const COLUMNS = `id AS "userId", account_id AS "accountId", email, name, role, disabled_at AS "disabledAt",
  EXISTS (SELECT 1 FROM second_factors f WHERE f.user_id = users.id AND f.account_id = users.account_id
    AND f.confirmed_at IS NOT NULL) AS "hasSecondFactor", last_sign_in_at AS "lastSignInAt", created_at AS "createdAt"`;
const INSERT = `
  INSERT INTO users (id, account_id, email, name, role, password_hash) VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`;
/** $1 account, $2 the id that all lie above, $3 most rows; null means any */
const LIST = `
  SELECT ${COLUMNS} FROM users WHERE account_id = $1 AND ($2::text IS NULL OR id COLLATE "C" > $2)
  ORDER BY id COLLATE "C" LIMIT $3`;
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
    const email = requireEmail(given);
    requirePlainName(name);
    requireStrongPassword(password, { email, name });
    const passwordHash = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      await requireAccount(tx, accountId);
      return insertUser(tx, { accountId, email, name, role, passwordHash }, actor);
    });
  }

  /** The oldest first. @throws AppError NOT_FOUND when there is no such account */
  async listUsers(accountId: string, { limit, after }: { limit?: number; after?: string } = {}): Promise<UserRecord[]> {
    await requireAccount(this.dataSource, accountId);
    return query<UserRecord>(this.dataSource, LIST, [accountId, after ?? null, limit ?? null]);
  }

  /** Gives a user another name. @throws AppError NOT_FOUND */
  async renameUser(userId: string, name: string, actor: string): Promise<UserRecord> {
    requirePlainName(name);
    return this.change(userId, { set: 'name = $2', value: name, action: 'user.rename', details: { name }, actor });
  }

  /** Lets a user in no more, and ends their sessions. @throws AppError NOT_FOUND */
  disableUser(userId: string, actor: string): Promise<UserRecord> {
    return this.change(userId, { ...DISABLE, actor });
  }

  /** @throws AppError NOT_FOUND */
  enableUser(userId: string, actor: string): Promise<UserRecord> {
    return this.change(userId, { ...ENABLE, actor });
  }

  /** @throws AppError NOT_FOUND */
  setRole(userId: string, role: Role, actor: string): Promise<UserRecord> {
    return this.change(userId, { ...toRole(role), actor });
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
    return this.change(userId, { ...(await toPassword(password, owner)), actor });
  }

  /**
   * Takes the second factor of a user away who lost it with all recovery codes, and ends all their sessions. They sign
   * in with the password alone then.
   * @throws AppError NOT_FOUND for the user, INVALID_PARAMETER when they have none
   */
  async resetSecondFactor(email: string, actor: string): Promise<UserRecord> {
    return this.transactions.run((tx) => removeSecondFactor(tx, email, actor));
  }

  private change(userId: string, change: UserChange & { actor: string }): Promise<UserRecord> {
    return this.transactions.run((tx) => changeUser(tx, userId, change));
  }
}

/** @throws AppError NOT_FOUND for the user, INVALID_PARAMETER when they have no second factor */
export async function removeSecondFactor(tx: Transaction, email: string, actor: string): Promise<UserRecord> {
  const [user] = await tx.query<UserRecord>(`SELECT ${COLUMNS} FROM users WHERE email = $1 FOR NO KEY UPDATE`, [
    normaliseEmail(email),
  ]);
  if (!user) throw new AppError('NOT_FOUND', { message: `not found: there is no user ${email}` });
  const removed = await tx.query('DELETE FROM second_factors WHERE user_id = $1 AND account_id = $2 RETURNING 1', [
    user.userId,
    user.accountId,
  ]);
  if (removed.length === 0) throw new AppError('INVALID_PARAMETER', { message: `${email} has no second factor` });
  await endAccess(tx, user);
  await recordAudit(tx, { actor, action: 'user.reset-second-factor', accountId: user.accountId, target: user.userId });
  return user;
}

/** Ends what a user has begun: sessions, and the links that the user has made or was given. */
async function endAccess(tx: Transaction, { userId, accountId }: UserRecord): Promise<void> {
  await tx.query('DELETE FROM sessions WHERE account_id = $1 AND user_id = $2', [accountId, userId]);
  await tx.query('DELETE FROM half_sessions WHERE account_id = $1 AND user_id = $2', [accountId, userId]);
  await tx.query('DELETE FROM password_resets WHERE account_id = $1 AND user_id = $2', [accountId, userId]);
  await withdrawLinks(tx, { userId, accountId });
}

async function withdrawLinks(tx: Transaction, { userId, accountId }: Pick<UserRecord, 'userId' | 'accountId'>) {
  await tx.query('DELETE FROM invitations WHERE account_id = $1 AND invited_by = $2', [accountId, userId]);
  await tx.query('DELETE FROM password_resets WHERE account_id = $1 AND created_by = $2', [accountId, userId]);
}

/** A change of a user's row. */
export interface UserChange {
  /** The assignments, with `$2` for the value. */
  set: string;
  value?: string;
  action: string;
  details?: Record<string, unknown>;
  /** `all`: sessions and links. `links`: those that the user has made, as they may be made no more. */
  ends?: 'all' | 'links';
}

export const DISABLE: UserChange = {
  set: 'disabled_at = coalesce(disabled_at, now())',
  action: 'user.disable',
  ends: 'all',
};
export const ENABLE: UserChange = { set: 'disabled_at = NULL', action: 'user.enable' };

export function toRole(role: Role): UserChange {
  return {
    set: 'role = $2',
    value: role,
    action: 'user.set-role',
    details: { role },
    ...(role !== 'owner' && { ends: 'links' as const }),
  };
}

/** The change that gives a user this password. @throws AppError INVALID_VALUE */
export async function toPassword(password: string, owner: PasswordOwner): Promise<UserChange> {
  requireStrongPassword(password, owner);
  return { set: 'password_hash = $2', value: await hashPassword(password), action: 'user.set-password', ends: 'all' };
}

/** @throws AppError NOT_FOUND */
export async function changeUser(
  tx: Transaction,
  userId: string,
  { set, value, action, details, ends, actor }: UserChange & { actor: string },
): Promise<UserRecord> {
  const [user] = await tx.query<UserRecord>(
    `UPDATE users SET ${set} WHERE id = $1 RETURNING ${COLUMNS}`,
    value === undefined ? [userId] : [userId, value],
  );
  if (!user) throw noSuchUser(userId);
  // After the row is locked: a sign-in that is under way has either made its session by now, or finds the row changed.
  if (ends === 'all') await endAccess(tx, user);
  if (ends === 'links') await withdrawLinks(tx, user);
  await recordAudit(tx, { actor, action, accountId: user.accountId, target: userId, details });
  return user;
}

/** @throws AppError INVALID_PARAMETER when the address has a user */
export async function insertUser(
  tx: Transaction,
  { accountId, email, name, role, passwordHash }: Omit<NewUser, 'password'> & { passwordHash: string },
  actor: string,
): Promise<UserRecord> {
  const user = await insertUserIfNew(tx, { accountId, email, name, role, passwordHash }, actor);
  if (!user) throw new AppError('INVALID_PARAMETER', { message: `there is a user ${email} already` });
  return user;
}

/** @returns undefined when a user of any account has the address */
export async function insertUserIfNew(
  tx: Transaction,
  { accountId, email, name, role, passwordHash }: Omit<NewUser, 'password'> & { passwordHash: string },
  actor: string,
): Promise<UserRecord | undefined> {
  const [user] = await tx.query<UserRecord>(INSERT, [newId('usr'), accountId, email, name, role, passwordHash]);
  if (!user) return undefined;
  await recordAudit(tx, { actor, action: 'user.create', accountId, target: user.userId, details: { role } });
  return user;
}

function noSuchUser(userId: string): AppError {
  return new AppError('NOT_FOUND', { message: `not found: there is no user ${userId}` });
}

/** Addresses are compared without case. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** The address as it is kept. @throws AppError INVALID_PARAMETER */
export function requireEmail(given: string): string {
  const email = normaliseEmail(given);
  if (!EMAIL.test(email)) throw new AppError('INVALID_PARAMETER', { message: `${given} is not an e-mail address` });
  return email;
}
