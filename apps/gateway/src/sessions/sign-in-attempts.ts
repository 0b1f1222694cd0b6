import { createHmac } from 'node:crypto';
import { AppError } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { deriveKey, type EncryptionKeys } from '@switchboard/platform';
import type { DataSource } from 'typeorm';
import { networkOf } from '../http/addresses';

/** Window of the counts in minutes, starting with the first attempt. */
const WINDOW_MINUTES = 15;
/**
 * Limit for one user from one address. It is the lowest, so that attempts from one address do not lock the user out
 * elsewhere.
 */
const MAX_PER_USER_AND_ADDRESS = 5;
/** Limit for all users from one address. */
const MAX_PER_ADDRESS = 30;
/** Limit for one user from all addresses. */
const MAX_PER_USER = 50;
/**
 * Limit for second-factor codes of one user from all addresses, because there are only a million codes. Locking a user
 * out this way requires the password.
 */
const MAX_CODES_PER_USER = 10;

/** Counts an attempt. Runs before the password is verified, so that concurrent guesses are counted. */
const COUNT_ATTEMPT = `
  INSERT INTO sign_in_attempts AS a (subject, attempts, ends_at) VALUES ($1, 1, now() + make_interval(mins => $2))
  ON CONFLICT (subject) DO UPDATE SET
    attempts = CASE WHEN a.ends_at <= now() THEN 1 ELSE a.attempts + 1 END,
    ends_at = CASE WHEN a.ends_at <= now() THEN excluded.ends_at ELSE a.ends_at END
  RETURNING attempts, ceil(extract(epoch FROM ends_at - now()))::int AS "secondsLeft"`;
/** Undoes the count of an attempt. Locks rows in a fixed order, so that concurrent sign-ins cannot deadlock. */
const TAKE_BACK = `
  UPDATE sign_in_attempts a SET attempts = a.attempts - 1
  FROM (SELECT subject FROM sign_in_attempts WHERE subject = ANY($1) ORDER BY subject FOR UPDATE) s
    WHERE a.subject = s.subject`;

interface Limit {
  subject: Buffer;
  most: number;
}

/**
 * Counts sign-in attempts by user and address. Rows are keyed by an HMAC, since users may type a password into the
 * e-mail field. Changing the HMAC key resets the counts, which expire within minutes anyway.
 */
export class SignInAttempts {
  private readonly key: Buffer;

  constructor(
    private readonly db: DataSource,
    { ENCRYPTION_KEY }: Pick<EncryptionKeys, 'ENCRYPTION_KEY'>,
  ) {
    this.key = deriveKey(ENCRYPTION_KEY, 'sign-in attempts');
  }

  /**
   * Counts a sign-in attempt from an address, before the user is known.
   * @throws AppError SIGN_IN_LOCKED after too many attempts
   */
  countAddress(address: string | undefined): Promise<void> {
    return this.count(this.addressLimit(networkOf(address)));
  }

  /** Undoes the count of `countAddress` after a success. */
  async takeBackAddress(address: string | undefined): Promise<void> {
    await query(this.db, TAKE_BACK, [[this.addressLimit(networkOf(address)).subject]]);
  }

  /**
   * Counts a sign-in attempt for a user, known or unknown; requires `countAddress` first.
   * @param who.withCode true if the attempt is a second-factor code
   * @returns a function that undoes both counts after a success
   * @throws AppError SIGN_IN_LOCKED after too many attempts
   */
  async countUser({
    email,
    address,
    withCode = false,
  }: {
    email: string;
    address: string | undefined;
    withCode?: boolean;
  }): Promise<() => Promise<void>> {
    const network = networkOf(address);
    const limits = [
      ...this.userLimits(email, network),
      ...(withCode ? [{ subject: this.subjectOf('code', email), most: MAX_CODES_PER_USER }] : []),
    ];
    // Sequential, because an attempt stopped by one limit must not count towards the next: otherwise anyone could lock
    // a user out.
    for (const limit of limits) await this.count(limit);
    const subjects = [this.addressLimit(network), ...limits].map(({ subject }) => subject);
    return async () => void (await query(this.db, TAKE_BACK, [subjects]));
  }

  private async count({ subject, most }: Limit): Promise<void> {
    const [counted] = await query<{ attempts: number; secondsLeft: number }>(this.db, COUNT_ATTEMPT, [
      subject,
      WINDOW_MINUTES,
    ]);
    if (!counted || counted.attempts > most)
      throw new AppError('SIGN_IN_LOCKED', { retryAfterSeconds: Math.max(1, counted?.secondsLeft ?? 1) });
  }

  private addressLimit(network: string): Limit {
    return { subject: this.subjectOf('address', network), most: MAX_PER_ADDRESS };
  }

  private userLimits(email: string, network: string): Limit[] {
    return [
      { subject: this.subjectOf('user and address', email, network), most: MAX_PER_USER_AND_ADDRESS },
      { subject: this.subjectOf('user', email), most: MAX_PER_USER },
    ];
  }

  private subjectOf(...parts: string[]): Buffer {
    return createHmac('sha256', this.key).update(JSON.stringify(parts)).digest();
  }
}
