import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { agentLeftV1, AppError, newId, requirePlainName } from '@switchboard/contracts';
import { type Transaction, Transactions } from '@switchboard/database';
import { type EntityManager, In, IsNull, type Repository } from 'typeorm';
import { requireAccount } from '../accounts/accounts.service';
import { recordAudit } from '../audit-log/audit-log';
import { type PasswordOwner, requireStrongPassword } from './password-strength';
import { hashPassword } from './passwords';
import { isAllowed, type Role, ROLES } from '../request-context/roles';
import { HalfSession } from './half-session.entity';
import { Invitation } from './invitation.entity';
import { PasswordReset } from './password-reset.entity';
import { SecondFactor } from './second-factor.entity';
import { Session } from './session.entity';
import { User } from './user.entity';

/** User without the password hash. */
export type UserRecord = Omit<User, 'passwordHash'>;

export interface NewUser {
  accountId: string;
  email: string;
  name: string;
  role: Role;
  password: string;
}

/** Lowest role that answers conversations. */
const ANSWERS: Role = 'agent';
const ASSIGNABLE = { role: In(ROLES.filter((role) => isAllowed(role, ANSWERS))), disabledAt: IsNull() };
const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,190}$/;

/** Manages the users of all accounts for operators. */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Creates a user.
   * @throws AppError NOT_FOUND if the account does not exist; INVALID_PARAMETER if the e-mail address is invalid or
   * taken; INVALID_VALUE if the password is rejected
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

  /** Lists users, oldest first. @throws AppError NOT_FOUND for an unknown account */
  async listUsers(accountId: string, { limit, after }: { limit?: number; after?: string } = {}): Promise<UserRecord[]> {
    await requireAccount(this.users, accountId);
    const list = this.users.createQueryBuilder('user').where({ accountId }).orderBy('user.userId COLLATE "C"');
    if (after !== undefined) list.andWhere('user.userId COLLATE "C" > :after', { after });
    return list.limit(limit).getMany();
  }

  /** Lists the users who can answer conversations, by name. */
  listAssignable(accountId: string): Promise<UserRecord[]> {
    return this.users.find({ where: { accountId, ...ASSIGNABLE }, order: { name: 'ASC', userId: 'ASC' } });
  }

  isAssignable(accountId: string, userId: string): Promise<boolean> {
    return this.users.existsBy({ accountId, userId, ...ASSIGNABLE });
  }

  /** Finds a user by address, which is unique across all accounts. @throws AppError NOT_FOUND */
  async findByEmail(email: string): Promise<UserRecord> {
    const user = await this.users.findOneBy({ email: normaliseEmail(email) });
    if (!user) throw noUser(email);
    return user;
  }

  async renameUser(userId: string, name: string, actor: string): Promise<UserRecord> {
    requirePlainName(name);
    return this.change(userId, { set: { name }, action: 'user.rename', details: { name }, actor });
  }

  /** Disables a user and ends their sessions. @throws AppError NOT_FOUND */
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
   * Replaces a user's password and ends all their sessions.
   * @throws AppError NOT_FOUND; INVALID_VALUE if the password is rejected
   */
  async resetPassword(userId: string, password: string, actor: string): Promise<UserRecord> {
    const owner = await requireUser(this.users.manager, userId);
    return this.change(userId, { ...(await toPassword(password, owner)), actor });
  }

  /**
   * Removes the second factor of a user who lost it together with all recovery codes, and ends their sessions. The user
   * then signs in with the password alone.
   * @throws AppError NOT_FOUND for the user; INVALID_PARAMETER without a second factor
   */
  async resetSecondFactor(userId: string, actor: string): Promise<UserRecord> {
    return this.transactions.run((tx) => removeSecondFactor(tx, userId, actor));
  }

  private change(userId: string, change: UserChange & { actor: string }): Promise<UserRecord> {
    return this.transactions.run((tx) => changeUser(tx, userId, change));
  }
}

/** @throws AppError NOT_FOUND for the user, INVALID_PARAMETER without a second factor */
export async function removeSecondFactor(tx: Transaction, userId: string, actor: string): Promise<UserRecord> {
  const user = await tx.manager.findOne(User, { where: { userId }, lock: { mode: 'for_no_key_update' } });
  if (!user) throw noUser(userId);
  const { email, accountId } = user;
  const { affected } = await tx.manager.delete(SecondFactor, { userId, accountId });
  if (affected === 0) throw new AppError('INVALID_PARAMETER', { message: `${email} has no second factor` });
  await endAccess(tx, user);
  await recordAudit(tx, { actor, action: 'user.reset-second-factor', accountId, target: userId });
  return user;
}

/** Ends a user's sessions and the links that the user created or received. */
async function endAccess(tx: Transaction, { userId, accountId }: UserRecord): Promise<void> {
  await tx.manager.delete(Session, { accountId, userId });
  await tx.manager.delete(HalfSession, { accountId, userId });
  await tx.manager.delete(PasswordReset, { accountId, userId });
  await withdrawLinks(tx, { userId, accountId });
}

async function withdrawLinks(tx: Transaction, { userId, accountId }: Pick<UserRecord, 'userId' | 'accountId'>) {
  await tx.manager.delete(Invitation, { accountId, invitedBy: userId });
  await tx.manager.delete(PasswordReset, { accountId, createdBy: userId });
}

export interface UserChange {
  set: Parameters<Repository<User>['update']>[1];
  action: string;
  details?: Record<string, unknown>;
  /**
   * `all`: ends sessions and links. `links`: ends only the links that the user created, for a user who may no longer
   * create links.
   */
  ends?: 'all' | 'links';
  /** True if the user can no longer answer conversations, which are then unassigned. */
  leaves?: boolean;
}

export const DISABLE: UserChange = {
  set: { disabledAt: () => 'coalesce(disabled_at, now())' },
  action: 'user.disable',
  ends: 'all',
  leaves: true,
};
export const ENABLE: UserChange = { set: { disabledAt: null }, action: 'user.enable' };

export function toRole(role: Role): UserChange {
  return {
    set: { role },
    action: 'user.set-role',
    details: { role },
    leaves: !isAllowed(role, ANSWERS),
    ...(role !== 'owner' && { ends: 'links' as const }),
  };
}

/** Builds the change that sets a user's password. @throws AppError INVALID_VALUE */
export async function toPassword(password: string, owner: PasswordOwner): Promise<UserChange> {
  requireStrongPassword(password, owner);
  return { set: { passwordHash: await hashPassword(password) }, action: 'user.set-password', ends: 'all' };
}

/** @throws AppError NOT_FOUND */
export async function changeUser(
  tx: Transaction,
  userId: string,
  { set, action, details, ends, leaves, actor }: UserChange & { actor: string },
): Promise<UserRecord> {
  await tx.manager.update(User, { userId }, set);
  const user = await requireUser(tx.manager, userId);
  // Runs after the lock: a concurrent sign-in has either created its session by now or sees the changed row.
  if (ends === 'all') await endAccess(tx, user);
  if (ends === 'links') await withdrawLinks(tx, user);
  if (leaves) tx.publish(agentLeftV1, { accountId: user.accountId, userId });
  await recordAudit(tx, { actor, action, accountId: user.accountId, target: userId, details });
  return user;
}

/** @throws AppError INVALID_PARAMETER if the address is taken */
export async function insertUser(
  tx: Transaction,
  { accountId, email, name, role, passwordHash }: Omit<NewUser, 'password'> & { passwordHash: string },
  actor: string,
): Promise<UserRecord> {
  const user = await insertUserIfNew(tx, { accountId, email, name, role, passwordHash }, actor);
  if (!user) throw new AppError('INVALID_PARAMETER', { message: `there is a user ${email} already` });
  return user;
}

/** @returns undefined if a user of any account has the address */
export async function insertUserIfNew(
  tx: Transaction,
  { accountId, email, name, role, passwordHash }: Omit<NewUser, 'password'> & { passwordHash: string },
  actor: string,
): Promise<UserRecord | undefined> {
  const userId = newId('usr');
  const user = { userId, accountId, email, name, role, passwordHash };
  await tx.manager.createQueryBuilder().insert().into(User).values(user).orIgnore().execute();
  const made = await tx.manager.findOneBy(User, { userId });
  if (!made) return undefined;
  await recordAudit(tx, { actor, action: 'user.create', accountId, target: userId, details: { role } });
  return made;
}

/** @throws AppError NOT_FOUND */
async function requireUser(manager: EntityManager, userId: string): Promise<UserRecord> {
  const user = await manager.findOneBy(User, { userId });
  if (!user) throw noUser(userId);
  return user;
}

function noUser(idOrEmail: string): AppError {
  return new AppError('NOT_FOUND', { message: `not found: there is no user ${idOrEmail}` });
}

/** Returns the normalized form of an address, for case-insensitive comparison. */
export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** Validates an address and returns its normalized form. @throws AppError INVALID_PARAMETER */
export function requireEmail(given: string): string {
  const email = normaliseEmail(given);
  if (!EMAIL.test(email)) throw new AppError('INVALID_PARAMETER', { message: `${given} is not an e-mail address` });
  return email;
}
