import { Injectable } from '@nestjs/common';
import { AppError, newId, notFound } from '@switchboard/contracts';
import { query, Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { recordAudit } from '../audit-log/audit-log';
import { changeBy, type ConsoleUser } from '../request-context/console-user';
import type { Role } from '../request-context/roles';
import { withinDatabaseDeadline } from '../http/database-deadline';
import { toAppError } from '../http/framework-errors';
import { hashPassword } from '../users/passwords';
import { requireStrongPassword } from '../users/password-strength';
import { insertUserIfNew, requireEmail } from '../users/users.service';
import { newSessionToken, tokenHash } from '../sessions/session-cookie';
import { type Origin, SessionsService } from '../sessions/sessions.service';
import { accountSuspended } from '../accounts/suspension';
import { linkOver, lockOwners } from './team.service';

/** Pending invitation. */
export interface InvitationRecord {
  invitationId: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
}

/** Invitation as shown to the invited user. */
export interface OpenedInvitation {
  accountId: string;
  accountName: string;
  isSuspended: boolean;
  email: string;
  role: Role;
  invitedBy: string;
  expiresAt: Date;
}

const VALID_HOURS = 7 * 24;
const MAX_OPEN = 100;
const COLUMNS = `id AS "invitationId", email, role, invited_by AS "invitedBy", created_at AS "createdAt",
  expires_at AS "expiresAt"`;
/** Creates an invitation. Replaces an earlier one for the same address, whose link stops working. */
const INSERT = `
  INSERT INTO invitations (id, token_sha256, account_id, email, role, invited_by, expires_at)
  VALUES (:id, :tokenHash, :accountId, :email, :role, :invitedBy, now() + make_interval(hours => ${VALID_HOURS}))
  ON CONFLICT (account_id, email) DO UPDATE SET id = excluded.id, token_sha256 = excluded.token_sha256,
    role = excluded.role, invited_by = excluded.invited_by, created_at = now(), expires_at = excluded.expires_at
  RETURNING ${COLUMNS}`;
/** Lists pending invitations. $1 account, $2 exclusive upper bound of the ids or null, $3 maximum rows */
const LIST = `
  SELECT ${COLUMNS} FROM invitations
  WHERE account_id = $1 AND expires_at > now() AND ($2::text IS NULL OR id COLLATE "C" < $2)
  ORDER BY id COLLATE "C" DESC LIMIT $3`;
const OPEN = `
  SELECT i.account_id AS "accountId", a.name AS "accountName", a.suspended_at IS NOT NULL AS "isSuspended", i.email,
    i.role, i.invited_by AS "invitedBy", i.expires_at AS "expiresAt"
  FROM invitations i JOIN accounts a ON a.id = i.account_id WHERE i.token_sha256 = $1 AND i.expires_at > now()`;
const TAKE = 'DELETE FROM invitations WHERE token_sha256 = $1 AND account_id = $2 AND expires_at > now() RETURNING 1';
const DELETE = 'DELETE FROM invitations WHERE id = $1 AND account_id = $2 RETURNING email';

/**
 * Manages invitations to an account. An owner creates a link and sends it to the new user, who chooses a name and a
 * password. The service itself sends no e-mail.
 */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Creates an invitation.
   * @returns the invitation, and the token of its link, which cannot be shown again
   * @throws AppError INVALID_PARAMETER for an invalid address, a user of this account, or too many open invitations
   */
  invite(
    by: ConsoleUser,
    { email: given, role }: { email: string; role: Role },
  ): Promise<{ token: string; invitation: InvitationRecord }> {
    const email = requireEmail(given);
    const token = newSessionToken();
    const { accountId } = changeBy(by);
    return this.transactions.run(async (tx) => {
      await lockOwners(tx, by);
      const [found] = await tx.query<{ isMember: boolean; open: number }>(
        `SELECT EXISTS (SELECT 1 FROM users WHERE email = $2 AND account_id = $1) AS "isMember",
           (SELECT count(*)::int FROM invitations WHERE account_id = $1 AND expires_at > now()) AS open`,
        [accountId, email],
      );
      if (found?.isMember) throw new AppError('INVALID_PARAMETER', { message: `${email} is a user of this account` });
      if ((found?.open ?? 0) >= MAX_OPEN)
        throw new AppError('INVALID_PARAMETER', { message: `${MAX_OPEN} invitations are open: withdraw some first` });
      const [invitation] = await tx.query<InvitationRecord>(INSERT, {
        id: newId('inv'),
        tokenHash: tokenHash(token),
        accountId,
        email,
        role,
        invitedBy: by.userId,
      });
      if (!invitation) throw new Error('INSERT … RETURNING gave no row');
      await recordAudit(tx, {
        ...changeBy(by),
        action: 'user.invite',
        target: invitation.invitationId,
        details: { email, role },
      });
      return { token, invitation };
    });
  }

  /** Lists invitations, newest first. @param page.before id of an invitation; only older ones are listed */
  list({ account }: ConsoleUser, { limit, before }: { limit: number; before?: string }): Promise<InvitationRecord[]> {
    return withinDatabaseDeadline(query<InvitationRecord>(this.dataSource, LIST, [account.id, before ?? null, limit]));
  }

  /** Withdraws an invitation, whose link stops working. @throws AppError NOT_FOUND, ROLE_NOT_ALLOWED */
  withdraw(by: ConsoleUser, invitationId: string): Promise<void> {
    return this.transactions.run(async (tx) => {
      await lockOwners(tx, by);
      const [gone] = await tx.query<{ email: string }>(DELETE, [invitationId, by.account.id]);
      if (!gone) throw notFound('invitation');
      const details = { email: gone.email };
      await recordAudit(tx, { ...changeBy(by), action: 'user.withdraw-invitation', target: invitationId, details });
    });
  }

  /** Returns the invitation of a link. @throws AppError NOT_FOUND if it has expired; ACCOUNT_SUSPENDED */
  async open(token: string): Promise<OpenedInvitation> {
    const [opened] = await withinDatabaseDeadline(query<OpenedInvitation>(this.dataSource, OPEN, [tokenHash(token)]));
    if (!opened) throw linkOver();
    if (opened.isSuspended) throw accountSuspended();
    return opened;
  }

  /**
   * Creates the invited user and signs them in. A link works once.
   * @returns the token of the session
   * @throws AppError NOT_FOUND if the link has expired or its address already has a user. In the latter case the link
   * ends as well, since its creator must not learn about users of other accounts. INVALID_VALUE if the password
   * is rejected; ACCOUNT_SUSPENDED; OUTCOME_UNKNOWN
   */
  async accept(
    token: string,
    { name, password, ...origin }: Origin & { name: string; password: string },
  ): Promise<string> {
    const { accountId, email, role, invitedBy } = await this.open(token);
    requireStrongPassword(password, { email, name });
    const passwordHash = await hashPassword(password);
    const isMade = await this.transactions.run(async (tx) => {
      const taken = await tx.query(TAKE, [tokenHash(token), accountId]);
      if (taken.length === 0) return false;
      const user = { accountId, email, name, role, passwordHash };
      return (await insertUserIfNew(tx, user, `user:${invitedBy}`)) !== undefined;
    });
    if (!isMade) throw linkOver();
    const signedIn = await this.sessions.signIn({ email, password, ...origin }).catch((error: unknown) => {
      // The user already exists, which UNAVAILABLE would deny.
      throw toAppError(error).code === 'UNAVAILABLE' ? new AppError('OUTCOME_UNKNOWN', { cause: error }) : error;
    });
    if (!('token' in signedIn)) throw new Error('a new user has no second factor');
    return signedIn.token;
  }
}
