import { Inject, Injectable } from '@nestjs/common';
import { AppError, newId } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { CONFIG } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { accountSuspended } from '../access/suspension';
import { recordAudit } from '../accounts/audit-log';
import type { GatewayConfig } from '../config';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { toAppError } from '../http/framework-errors';
import { generatePassword, hashPassword, isPassword } from '../users/passwords';
import type { Role } from '../users/roles';
import { normaliseEmail, UsersService } from '../users/users.service';
import { type ConsoleUser, changeBy } from './console-user';
import { csrfTokenOf, newSessionToken, tokenHash } from './session-cookie';
import { DELETE_SESSION, FIND_PASSWORD, FIND_SESSION, INSERT_SESSION, NOTE_SEEN } from './sessions.queries';
import { SignInAttempts } from './sign-in-attempts';

export interface Credentials {
  email: string;
  password: string;
  /** The client's; undefined when it cannot be told. */
  address: string | undefined;
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
  isSuspended: boolean;
}

interface PasswordRow {
  userId: string;
  passwordHash: string;
  disabledAt: Date | null;
  isSuspended: boolean;
}

/** Who is signed in to the console: by a row that any gateway can end, not by a token that is true until it expires. */
@Injectable()
export class SessionsService {
  private readonly users: UsersService;
  private readonly attempts: SignInAttempts;
  /** Compared with when there is no such user, so that this takes as long. */
  private readonly decoy = hashPassword(generatePassword());

  constructor(
    @Inject(CONFIG) private readonly config: GatewayConfig,
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {
    this.users = new UsersService(dataSource, transactions);
    this.attempts = new SignInAttempts(dataSource, config);
  }

  /** Counts an attempt to sign in from this address. @throws AppError SIGN_IN_LOCKED when there were too many */
  countAddress(address: string | undefined): Promise<void> {
    return withinDatabaseDeadline(this.attempts.countAddress(address));
  }

  /**
   * Begins a session, for somebody whose address was counted (`countAddress`).
   * @returns its token
   * @throws AppError SIGN_IN_FAILED: the same, after the same time, for a wrong password, an unknown and a disabled user; SIGN_IN_LOCKED;
   * ROUTE_NOT_ALLOWED for a user of a suspended account, who has shown the right password
   */
  async signIn({ email: given, password, address }: Credentials): Promise<string> {
    const email = normaliseEmail(given);
    const takeBack = await withinDatabaseDeadline(this.attempts.countUser({ email, address }));
    const [user] = await withinDatabaseDeadline(query<PasswordRow>(this.dataSource, FIND_PASSWORD, [email]));
    const isRight = await isPassword(password, user?.passwordHash ?? (await this.decoy));
    if (!user || !isRight || user.disabledAt) throw new AppError('SIGN_IN_FAILED');
    const token = user.isSuspended ? undefined : await this.beginSession(user);
    await takeBack();
    if (token === undefined) throw accountSuspended();
    return token;
  }

  /** Whose session the token is. @throws AppError UNAUTHORIZED when it is over or never was, ROUTE_NOT_ALLOWED while its account is suspended */
  async requireUser(token: string): Promise<ConsoleUser> {
    const [row] = await withinDatabaseDeadline(query<SessionRow>(this.dataSource, FIND_SESSION, [tokenHash(token), this.config.CONSOLE_IDLE_MINUTES]));
    if (!row) throw notSignedIn();
    const { accountId, accountName, isSeenLong, isSuspended, ...user } = row;
    if (isSuspended) throw accountSuspended();
    if (isSeenLong) await withinDatabaseDeadline(query(this.dataSource, NOTE_SEEN, [user.sessionId, accountId]));
    return { ...user, account: { id: accountId, name: accountName }, csrfToken: csrfTokenOf(token) };
  }

  /** Ends this session. */
  async signOut(user: ConsoleUser): Promise<void> {
    await this.transactions.run(async (tx) => {
      await tx.query(DELETE_SESSION, [user.sessionId, user.account.id]);
      await recordAudit(tx, { ...changeBy(user), action: 'user.signed-out', target: user.userId });
    });
  }

  /**
   * Gives a user the password of their choice. All their sessions end, this one included.
   * @returns the token of a new one
   * @throws AppError SIGN_IN_FAILED when the old password is wrong, SIGN_IN_LOCKED, INVALID_VALUE for the new one
   */
  async changePassword(user: ConsoleUser, { current, next, address }: { current: string; next: string; address: string | undefined }): Promise<string> {
    // Not a way round the lock for whoever finds a browser left open.
    await this.countAddress(address);
    const takeBack = await this.attempts.countUser({ email: user.email, address });
    const [row] = await query<PasswordRow>(this.dataSource, FIND_PASSWORD, [user.email]);
    if (!row || !(await isPassword(current, row.passwordHash))) throw new AppError('SIGN_IN_FAILED', { message: 'the current password is wrong' });
    await takeBack();
    await this.users.resetPassword(user.userId, next, changeBy(user).actor);
    const signedIn = this.countAddress(address).then(() => this.signIn({ email: user.email, password: next, address }));
    return signedIn.catch((error: unknown) => {
      // The password is changed; UNAVAILABLE would deny it.
      throw toAppError(error).code === 'UNAVAILABLE' ? new AppError('OUTCOME_UNKNOWN', { cause: error }) : error;
    });
  }

  private async beginSession({ userId, passwordHash }: PasswordRow): Promise<string> {
    const token = newSessionToken();
    await this.transactions.run(async (tx) => {
      const values = [newId('ses'), tokenHash(token), userId, passwordHash, this.config.CONSOLE_SESSION_HOURS];
      const [session] = await tx.query<{ accountId: string }>(INSERT_SESSION, values);
      if (!session) throw new AppError('SIGN_IN_FAILED');
      await recordAudit(tx, { actor: `user:${userId}`, action: 'user.signed-in', accountId: session.accountId, target: userId });
    });
    return token;
  }
}

export function notSignedIn(): AppError {
  return new AppError('UNAUTHORIZED', { message: 'not signed in, or no longer' });
}
