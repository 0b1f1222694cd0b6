import { Injectable } from '@nestjs/common';
import { AppError } from '@switchboard/contracts';
import { query, type Transaction, Transactions } from '@switchboard/database';
import { SecretBox } from '@switchboard/platform';
import { DataSource, Not } from 'typeorm';
import { recordAudit } from '../audit-log/audit-log';
import { type FactorOwner, replaceRecoveryCodes, secretPlace, useCode } from '../users/second-factor';
import { SecondFactor } from '../users/second-factor.entity';
import { Session } from '../users/session.entity';
import { newTotpSecret, qrCodeOf, totpUri } from '../users/totp';
import { changeBy, type ConsoleUser } from '../request-context/console-user';
import { SessionsService, wrongCode } from './sessions.service';
import { LOCK_USER } from './sessions.queries';

/** Credentials that a signed-in user must enter again. */
export interface Shown {
  password: string;
  address: string | undefined;
}

/** Secret to add to an authenticator app. */
export interface Enrolment {
  /** Base32 secret, for manual entry. */
  secret: string;
  uri: string;
  /** QR code of `uri` as a `data:` URL. */
  qrCode: string;
}

export interface FactorState {
  confirmedAt: Date | null;
  recoveryCodesLeft: number;
}

const FIND_STATE = `
  SELECT f.confirmed_at AS "confirmedAt",
         (SELECT count(*)::int FROM recovery_codes c WHERE c.user_id = f.user_id AND c.account_id = f.account_id
           AND c.used_at IS NULL) AS "recoveryCodesLeft"
  FROM second_factors f WHERE f.user_id = $1 AND f.account_id = $2`;
/** Stores a secret. Replaces an unconfirmed secret, but not an active one. */
const BEGIN = `
  INSERT INTO second_factors AS f (user_id, account_id, sealed_secret) VALUES ($1, $2, $3)
  ON CONFLICT (user_id) DO UPDATE SET sealed_secret = excluded.sealed_secret, last_step = 0, created_at = now()
  WHERE f.confirmed_at IS NULL AND f.account_id = excluded.account_id RETURNING 1`;

/**
 * Manages the second factor of signed-in users: authenticator app codes (TOTP), and recovery codes for a lost phone.
 */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
    private readonly sessions: SessionsService,
  ) {}

  async stateOf(user: ConsoleUser): Promise<FactorState> {
    const [state] = await query<FactorState>(this.dataSource, FIND_STATE, [user.userId, user.account.id]);
    return state ?? { confirmedAt: null, recoveryCodesLeft: 0 };
  }

  /**
   * Creates a secret. The second factor stays inactive until `confirm` has received a valid code.
   * @throws AppError SIGN_IN_FAILED for a wrong password; SIGN_IN_LOCKED; INVALID_PARAMETER if there is already a
   * second factor
   */
  async begin(user: ConsoleUser, shown: Shown): Promise<Enrolment> {
    await this.sessions.prove(user, shown);
    const secret = newTotpSecret();
    const values = [user.userId, user.account.id, this.box.seal(secret, secretPlace(user.userId))];
    const begun = await query(this.dataSource, BEGIN, values);
    if (begun.length === 0)
      throw new AppError('INVALID_PARAMETER', { message: 'you have a second factor already: switch it off first' });
    const uri = totpUri(secret, user.email);
    return { secret, uri, qrCode: qrCodeOf(uri) };
  }

  /**
   * Activates the second factor and ends all other sessions of the user, which started without it.
   * @param code code from the app
   * @returns the recovery codes, which cannot be shown again
   * @throws AppError SIGN_IN_FAILED for a wrong code or without a pending secret
   */
  confirm(user: ConsoleUser, code: string): Promise<string[]> {
    return this.change(user, 'user.enable-second-factor', async (tx, owner) => {
      if (!(await useCode(tx, this.box, owner, { code, unconfirmed: true }))) throw wrongCode();
      await tx.manager.update(SecondFactor, owner, { confirmedAt: () => 'now()' });
      await tx.manager.delete(Session, { ...owner, id: Not(user.sessionId) });
      return replaceRecoveryCodes(tx, this.box, owner);
    });
  }

  /**
   * Replaces all recovery codes.
   * @throws AppError SIGN_IN_FAILED for a wrong password or code, SIGN_IN_LOCKED
   */
  async renewRecoveryCodes(user: ConsoleUser, shown: Shown & { code: string }): Promise<string[]> {
    let codes: string[] = [];
    await this.proven(
      user,
      shown,
      'user.renew-recovery-codes',
      async (tx, owner) => void (codes = await replaceRecoveryCodes(tx, this.box, owner)),
    );
    return codes;
  }

  /** Deactivates the second factor. @throws AppError SIGN_IN_FAILED for a wrong password or code, SIGN_IN_LOCKED */
  disable(user: ConsoleUser, shown: Shown & { code: string }): Promise<void> {
    return this.proven(
      user,
      shown,
      'user.disable-second-factor',
      async (tx, owner) => void (await tx.manager.delete(SecondFactor, owner)),
    );
  }

  /** Makes a change that requires both factors. The code is consumed in the transaction of the change. */
  private proven(
    user: ConsoleUser,
    { password, address, code }: Shown & { code: string },
    action: string,
    work: (tx: Transaction, owner: FactorOwner) => Promise<void>,
  ): Promise<void> {
    const use = (): Promise<void> =>
      this.change(user, action, async (tx, owner) => {
        if (!(await useCode(tx, this.box, owner, { code }))) throw wrongCode();
        await work(tx, owner);
      });
    return this.sessions.prove(user, { password, address, use });
  }

  private change<T>(
    user: ConsoleUser,
    action: string,
    work: (tx: Transaction, owner: FactorOwner) => Promise<T>,
  ): Promise<T> {
    const owner = { userId: user.userId, accountId: user.account.id };
    return this.transactions.run(async (tx) => {
      await tx.query(LOCK_USER, [owner.userId]);
      const result = await work(tx, owner);
      await recordAudit(tx, { ...changeBy(user), action, target: owner.userId });
      return result;
    });
  }
}
