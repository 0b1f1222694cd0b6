import { Inject, Injectable } from '@nestjs/common';
import { AppError, newId, notFound, storableText } from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { CONFIG, SecretBox } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { accountSuspended } from '../accounts/suspension';
import { recordAudit } from '../audit-log/audit-log';
import type { GatewayConfig } from '../config';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { toAppError } from '../http/framework-errors';
import { generatePassword, hashPassword, isPassword } from '../users/passwords';
import type { Role } from '../request-context/roles';
import { type Proof, useCode } from '../users/second-factor';
import { Session } from '../users/session.entity';
import { normaliseEmail, UsersService } from '../users/users.service';
import { type ConsoleUser, changeBy } from '../request-context/console-user';
import { csrfTokenOf, newSessionToken, tokenHash } from './session-cookie';
import {
  DELETE_HALF_SESSION,
  FIND_HALF_SESSION,
  FIND_PASSWORD,
  END_SESSIONS,
  FIND_ROLES,
  FIND_SESSION,
  INSERT_HALF_SESSION,
  INSERT_SESSION,
  LIST_SESSIONS,
  LOCK_USER,
  NOTE_SEEN,
} from './sessions.queries';
import { SignInAttempts } from './sign-in-attempts';

export interface Origin {
  /** Address of the client, if known. */
  address: string | undefined;
  /** User agent of the browser, if known. */
  userAgent: string | undefined;
}

export interface Credentials extends Origin {
  email: string;
  password: string;
}

/** Session as shown to its user. */
export interface SessionRecord {
  sessionId: string;
  createdAt: Date;
  seenAt: Date;
  expiresAt: Date;
  /** Null if unknown, and for sessions started by an earlier version. */
  address: string | null;
  userAgent: string | null;
}

interface SessionRow {
  sessionId: string;
  expiresAt: Date;
  isSeenLong: boolean;
  userId: string;
  email: string;
  name: string;
  role: Role;
  accountId: string;
  accountName: string;
  timeZone: string | null;
  isSuspended: boolean;
}

interface PasswordRow {
  userId: string;
  passwordHash: string;
  disabledAt: Date | null;
  isSuspended: boolean;
  hasSecondFactor: boolean;
}

interface HalfSessionRow {
  userId: string;
  accountId: string;
  email: string;
  passwordHash: string;
  isSuspended: boolean;
}

/** Token of a session, or of a half session, which still requires the second factor. */
export type SignIn = { token: string } | { halfToken: string; expiresAt: Date };

/** How the second factor was verified. `session before`: the calling session had already verified it. */
type SessionProof = Proof | 'session before';

interface NewSession {
  token: string;
  user: Pick<PasswordRow, 'userId' | 'passwordHash'>;
  /** Absent for a user without a second factor. */
  proof?: SessionProof;
  origin: Origin;
}

const HALF_SESSION_SECONDS = 300;
const MAX_USER_AGENT_CHARACTERS = 255;
const WRONG_CODE = 'the code is wrong, or was used before';

/** Manages console sessions. A session is a database row that any gateway can end, not a self-contained token. */
@Injectable()
export class SessionsService {
  private readonly attempts: SignInAttempts;
  /** Hash to compare with for unknown users, so that the response time does not reveal whether a user exists. */
  private readonly decoy = hashPassword(generatePassword());

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
    private readonly users: UsersService,
  ) {
    this.attempts = new SignInAttempts(dataSource, config);
  }

  /** Counts a sign-in attempt from this address. @throws AppError SIGN_IN_LOCKED after too many attempts */
  countAddress(address: string | undefined): Promise<void> {
    return withinDatabaseDeadline(this.attempts.countAddress(address));
  }

  /** Undoes the count of a successful attempt from this address that was not a sign-in. */
  takeBackAddress(address: string | undefined): Promise<void> {
    return this.attempts.takeBackAddress(address);
  }

  /**
   * Starts a session; requires `countAddress` first. A user with a second factor gets a half session, which only allows
   * `completeSignIn`.
   * @throws AppError SIGN_IN_FAILED for a wrong password or an unknown or disabled user, with the same response time;
   * SIGN_IN_LOCKED; ACCOUNT_SUSPENDED for a user of a suspended account with the right password
   */
  async signIn(credentials: Credentials): Promise<SignIn> {
    const { user, takeBack } = await this.checkPassword(credentials);
    const begun = user.isSuspended
      ? undefined
      : await (user.hasSecondFactor ? this.beginHalfSession(user) : this.beginSession(user, credentials));
    await takeBack();
    if (begun === undefined) throw accountSuspended();
    return begun;
  }

  /**
   * Completes a half session; requires `countAddress` first.
   * @param attempt.code code from the authenticator app, or a recovery code
   * @returns the token of the session
   * @throws AppError UNAUTHORIZED if the half session has expired; SIGN_IN_FAILED if the code is wrong or has been
   * used; SIGN_IN_LOCKED
   */
  async completeSignIn(halfToken: string, { code, ...origin }: Origin & { code: string }): Promise<string> {
    const [half] = await withinDatabaseDeadline(
      query<HalfSessionRow>(this.dataSource, FIND_HALF_SESSION, [tokenHash(halfToken)]),
    );
    if (!half) throw halfSessionOver();
    if (half.isSuspended) throw accountSuspended();
    const takeBack = await withinDatabaseDeadline(
      this.attempts.countUser({ email: half.email, address: origin.address, withCode: true }),
    );
    const token = newSessionToken();
    await this.transactions.run(async (tx) => {
      await tx.query(LOCK_USER, [half.userId]);
      const deleted = await tx.query(DELETE_HALF_SESSION, [tokenHash(halfToken), half.accountId]);
      if (deleted.length === 0) throw halfSessionOver();
      const proof = await useCode(tx, this.box, half, { code });
      // The error rolls back the transaction, so the half session remains valid.
      if (!proof) throw wrongCode();
      await this.insertSession(tx, { token, user: half, proof, origin });
    });
    await takeBack();
    return token;
  }

  /**
   * Returns the user of a session token. Extends the session, unless the request is a background poll.
   * @throws AppError UNAUTHORIZED for an unknown or expired session
   */
  async requireUser(token: string, { isPoll = false } = {}): Promise<ConsoleUser> {
    const [row] = await withinDatabaseDeadline(
      query<SessionRow>(this.dataSource, FIND_SESSION, [tokenHash(token), this.config.CONSOLE_IDLE_MINUTES]),
    );
    if (!row) throw notSignedIn();
    const { accountId, accountName, timeZone, isSeenLong, ...user } = row;
    if (isSeenLong && !isPoll && !user.isSuspended)
      await withinDatabaseDeadline(query(this.dataSource, NOTE_SEEN, [user.sessionId, accountId]));
    return { ...user, account: { id: accountId, name: accountName, timeZone }, csrfToken: csrfTokenOf(token) };
  }

  /**
   * Returns the current role of each session without extending the sessions. The role is undefined if the session has
   * ended or its account is suspended.
   */
  async rolesOf(tokens: readonly string[]): Promise<(Role | undefined)[]> {
    const hashes = tokens.map(tokenHash);
    const rows = await query<{ tokenHash: Buffer; role: Role }>(this.dataSource, FIND_ROLES, [
      hashes,
      this.config.CONSOLE_IDLE_MINUTES,
    ]);
    const roles = new Map(rows.map((row) => [row.tokenHash.toString('hex'), row.role]));
    return hashes.map((hash) => roles.get(hash.toString('hex')));
  }

  async signOut(user: ConsoleUser): Promise<void> {
    await this.transactions.run(async (tx) => {
      await tx.manager.delete(Session, { id: user.sessionId, accountId: user.account.id });
      await recordAudit(tx, { ...changeBy(user), action: 'user.sign-out', target: user.userId });
    });
  }

  /** Lists a user's active sessions, newest first. @param page.before exclusive upper bound of the session id */
  listSessions(user: ConsoleUser, { limit, before }: { limit: number; before?: string }): Promise<SessionRecord[]> {
    const values = [user.userId, user.account.id, this.config.CONSOLE_IDLE_MINUTES, before ?? null, limit];
    return withinDatabaseDeadline(query<SessionRecord>(this.dataSource, LIST_SESSIONS, values));
  }

  /**
   * Ends another session of the same user, or all others.
   * @returns the number of ended sessions
   * @throws AppError NOT_FOUND if the given session is unknown or is the calling one
   */
  endOthers(user: ConsoleUser, sessionId?: string): Promise<number> {
    return this.transactions.run(async (tx) => {
      const values = [user.userId, user.account.id, user.sessionId, sessionId ?? null];
      const { length: ended } = await tx.query(END_SESSIONS, values);
      if (sessionId !== undefined && ended === 0) throw notFound('session');
      await recordAudit(tx, {
        ...changeBy(user),
        action: 'user.end-sessions',
        target: user.userId,
        details: { sessionId: sessionId ?? null, ended },
      });
      return ended;
    });
  }

  /**
   * Changes the user's password and ends all sessions, including this one.
   * @returns the token of a new session
   * @throws AppError SIGN_IN_FAILED for a wrong old password; SIGN_IN_LOCKED; INVALID_VALUE for the new password
   */
  async changePassword(
    user: ConsoleUser,
    { current, next, ...origin }: Origin & { current: string; next: string },
  ): Promise<string> {
    await this.prove(user, { password: current, address: origin.address });
    await this.users.resetPassword(user.userId, next, changeBy(user).actor);
    // The calling session has already verified the second factor.
    return this.signInAnew({ email: user.email, password: next, ...origin }).catch((error: unknown) => {
      // The password has already been changed, which UNAVAILABLE would deny.
      throw toAppError(error).code === 'UNAVAILABLE' ? new AppError('OUTCOME_UNKNOWN', { cause: error }) : error;
    });
  }

  /**
   * Verifies the credentials of a signed-in user again, to protect an unattended browser. Counts as a sign-in attempt.
   * @param given.use verifies further credentials
   * @throws AppError SIGN_IN_FAILED for a wrong password; SIGN_IN_LOCKED; errors of `use`
   */
  async prove(
    user: ConsoleUser,
    { password, address, use }: { password: string; address: string | undefined; use?: () => Promise<void> },
  ): Promise<void> {
    await this.countAddress(address);
    const takeBack = await this.attempts.countUser({ email: user.email, address, withCode: use !== undefined });
    const [row] = await query<PasswordRow>(this.dataSource, FIND_PASSWORD, [user.email]);
    if (!row || !(await isPassword(password, row.passwordHash)))
      throw new AppError('SIGN_IN_FAILED', { message: 'the current password is wrong' });
    await use?.();
    await takeBack();
  }

  private async signInAnew(credentials: Credentials): Promise<string> {
    await this.countAddress(credentials.address);
    const { user, takeBack } = await this.checkPassword(credentials);
    const { token } = await this.beginSession(user, credentials, user.hasSecondFactor ? 'session before' : undefined);
    await takeBack();
    return token;
  }

  private async checkPassword({
    email: given,
    password,
    address,
  }: Omit<Credentials, 'userAgent'>): Promise<{ user: PasswordRow; takeBack: () => Promise<void> }> {
    const email = normaliseEmail(given);
    const takeBack = await withinDatabaseDeadline(this.attempts.countUser({ email, address }));
    const [user] = await withinDatabaseDeadline(query<PasswordRow>(this.dataSource, FIND_PASSWORD, [email]));
    const isRight = await isPassword(password, user?.passwordHash ?? (await this.decoy));
    if (!user || !isRight || user.disabledAt) throw new AppError('SIGN_IN_FAILED');
    return { user, takeBack };
  }

  private async beginSession(user: PasswordRow, origin: Origin, proof?: SessionProof): Promise<{ token: string }> {
    const token = newSessionToken();
    await this.transactions.run(async (tx) => {
      await tx.query(LOCK_USER, [user.userId]);
      await this.insertSession(tx, { token, user, proof, origin });
    });
    return { token };
  }

  private async insertSession(
    tx: Transaction,
    { token, user: { userId, passwordHash }, proof, origin: { address, userAgent } }: NewSession,
  ): Promise<void> {
    const [session] = await tx.query<{ accountId: string }>(INSERT_SESSION, {
      id: newId('ses'),
      tokenHash: tokenHash(token),
      userId,
      passwordHash,
      hours: this.config.CONSOLE_SESSION_HOURS,
      hasProof: proof !== undefined,
      address,
      userAgent: userAgent === undefined ? null : storableText(userAgent.slice(0, MAX_USER_AGENT_CHARACTERS)),
    });
    if (!session) throw new AppError('SIGN_IN_FAILED');
    const details = proof && { secondFactor: proof };
    await recordAudit(tx, {
      actor: `user:${userId}`,
      action: 'user.sign-in',
      accountId: session.accountId,
      target: userId,
      details,
    });
  }

  private async beginHalfSession({
    userId,
    passwordHash,
  }: PasswordRow): Promise<{ halfToken: string; expiresAt: Date }> {
    const halfToken = newSessionToken();
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_USER, [userId]);
      const [half] = await tx.query<{ expiresAt: Date }>(INSERT_HALF_SESSION, [
        tokenHash(halfToken),
        userId,
        passwordHash,
        HALF_SESSION_SECONDS,
      ]);
      if (!half) throw new AppError('SIGN_IN_FAILED');
      return { halfToken, expiresAt: half.expiresAt };
    });
  }
}

export function wrongCode(): AppError {
  return new AppError('SIGN_IN_FAILED', { message: WRONG_CODE });
}

export function halfSessionOver(): AppError {
  return new AppError('UNAUTHORIZED', { message: 'the time to enter the code is over: sign in again' });
}

export function notSignedIn(): AppError {
  return new AppError('UNAUTHORIZED', { message: 'you are not signed in, or your session has ended' });
}
