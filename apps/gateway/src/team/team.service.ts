import { Injectable } from '@nestjs/common';
import { AppError, notFound } from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { DataSource, IsNull } from 'typeorm';
import { recordAudit } from '../audit-log/audit-log';
import { changeBy, type ConsoleUser } from '../request-context/console-user';
import type { Role } from '../request-context/roles';
import { withinDatabaseDeadline } from '../http/database-deadline';
import type { PasswordOwner } from '../users/password-strength';
import {
  changeUser,
  DISABLE,
  ENABLE,
  removeSecondFactor,
  toPassword,
  toRole,
  type UserChange,
  type UserRecord,
  UsersService,
} from '../users/users.service';
import { User } from '../users/user.entity';
import { newSessionToken, tokenHash } from '../sessions/session-cookie';

/** Changes to another user. Absent fields stay unchanged. */
export interface MemberChange {
  role?: Role;
  isDisabled?: boolean;
}

/** Token of a link; it cannot be shown again. */
export interface LinkToken {
  token: string;
  expiresAt: Date;
}

const RESET_HOURS = 24;
/** Creates a password reset link, which replaces an earlier one. */
const INSERT_RESET = `
  INSERT INTO password_resets (user_id, account_id, token_sha256, created_by, expires_at)
  VALUES ($1, $2, $3, $4, now() + make_interval(hours => $5))
  ON CONFLICT (user_id) DO UPDATE SET token_sha256 = excluded.token_sha256, created_by = excluded.created_by,
    expires_at = excluded.expires_at
  RETURNING expires_at AS "expiresAt"`;
const FIND_RESET = `
  SELECT u.email, u.name FROM password_resets r JOIN users u ON u.id = r.user_id AND u.account_id = r.account_id
  WHERE r.token_sha256 = $1 AND r.expires_at > now() AND u.disabled_at IS NULL`;
const TAKE_RESET = `
  DELETE FROM password_resets WHERE token_sha256 = $1 AND expires_at > now() RETURNING user_id AS "userId"`;

/** Manages the users of an account, for its owners. */
@Injectable()
export class TeamService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly users: UsersService,
  ) {}

  /** Lists users, oldest first. @param page.after id of a user; only younger ones are listed */
  listMembers({ account }: ConsoleUser, page: { limit: number; after?: string }): Promise<UserRecord[]> {
    return withinDatabaseDeadline(this.users.listUsers(account.id, page));
  }

  async renameSelf({ userId }: ConsoleUser, name: string): Promise<void> {
    await this.users.renameUser(userId, name, `user:${userId}`);
  }

  /**
   * Changes another user, effective on their next request. Disabling a user ends their sessions.
   * @throws AppError NOT_FOUND; INVALID_PARAMETER for oneself; MISSING_FIELD; ROLE_NOT_ALLOWED if the caller is no
   * longer an owner
   */
  changeMember(by: ConsoleUser, userId: string, { role, isDisabled }: MemberChange): Promise<UserRecord> {
    const changes: UserChange[] = [
      ...(role === undefined ? [] : [toRole(role)]),
      ...(isDisabled === undefined ? [] : [isDisabled ? DISABLE : ENABLE]),
    ];
    requireOther(by, userId, 'you cannot change your own role or disable yourself: ask another owner');
    if (changes.length === 0) throw new AppError('MISSING_FIELD', { message: 'give role or isDisabled' });
    return this.transactions.run(async (tx) => {
      await lockOwners(tx, by);
      await requireMember(tx, by, userId);
      let member: UserRecord | undefined;
      for (const change of changes) member = await changeUser(tx, userId, { ...change, actor: changeBy(by).actor });
      if (!member) throw new Error('there was nothing to change');
      return member;
    });
  }

  /**
   * Creates a link with which another user chooses a new password. The old password remains valid until then.
   * @throws AppError NOT_FOUND; INVALID_PARAMETER for oneself
   */
  resetPassword(by: ConsoleUser, userId: string): Promise<LinkToken> {
    requireOther(by, userId, 'change your own password in your profile');
    const token = newSessionToken();
    return this.transactions.run(async (tx) => {
      await lockOwners(tx, by);
      await requireMember(tx, by, userId);
      const values = [userId, by.account.id, tokenHash(token), by.userId, RESET_HOURS];
      const [reset] = await tx.query<{ expiresAt: Date }>(INSERT_RESET, values);
      if (!reset) throw new Error('INSERT … RETURNING gave no row');
      await recordAudit(tx, { ...changeBy(by), action: 'user.offer-password-reset', target: userId });
      return { token, expiresAt: reset.expiresAt };
    });
  }

  /**
   * Sets the password that the user of a link has chosen, and ends all their sessions. A link works once.
   * @throws AppError NOT_FOUND if the link has expired; INVALID_VALUE if the password is rejected
   */
  async completeReset(token: string, password: string): Promise<{ email: string }> {
    const [owner] = await withinDatabaseDeadline(query<PasswordOwner>(this.dataSource, FIND_RESET, [tokenHash(token)]));
    if (!owner) throw linkOver();
    const change = await toPassword(password, owner);
    await this.transactions.run(async (tx) => {
      const [taken] = await tx.query<{ userId: string }>(TAKE_RESET, [tokenHash(token)]);
      if (!taken) throw linkOver();
      await changeUser(tx, taken.userId, { ...change, actor: `user:${taken.userId}` });
    });
    return { email: owner.email };
  }

  /**
   * Removes the second factor of a user who lost it together with all recovery codes, and ends their sessions.
   * @throws AppError NOT_FOUND; INVALID_PARAMETER for oneself or without a second factor; ROLE_NOT_ALLOWED if the
   * caller is no longer an owner
   */
  async resetSecondFactor(by: ConsoleUser, userId: string): Promise<UserRecord> {
    requireOther(by, userId, 'switch your own second factor off in your profile');
    return this.transactions.run(async (tx) => {
      await lockOwners(tx, by);
      await requireMember(tx, by, userId);
      return removeSecondFactor(tx, userId, changeBy(by).actor);
    });
  }
}

/**
 * Locks the owners before a change that requires the role. The caller thus stays an owner until the change is made, so
 * that an account never loses its last owner and no former owner creates links.
 * @throws AppError ROLE_NOT_ALLOWED
 */
export async function lockOwners(tx: Transaction, { userId, account }: ConsoleUser): Promise<void> {
  const owners = await tx.manager.find(User, {
    where: { accountId: account.id, role: 'owner', disabledAt: IsNull() },
    // A fixed order prevents deadlocks between concurrent changes.
    order: { userId: 'ASC' },
    lock: { mode: 'for_no_key_update' },
  });
  if (!owners.some((owner) => owner.userId === userId))
    throw new AppError('ROLE_NOT_ALLOWED', { message: 'your role does not allow this any more' });
}

export function linkOver(): AppError {
  return new AppError('NOT_FOUND', { message: 'this link was used, replaced or has expired: ask for a new one' });
}

function requireOther(by: ConsoleUser, userId: string, message: string): void {
  if (userId === by.userId) throw new AppError('INVALID_PARAMETER', { message });
}

/** @returns the user's e-mail address @throws AppError NOT_FOUND for an unknown user of the account */
async function requireMember(tx: Transaction, by: ConsoleUser, userId: string): Promise<void> {
  const member = await tx.manager.findOneBy(User, { userId, accountId: by.account.id });
  if (!member) throw notFound('member of the team');
}
