import { createHmac } from 'node:crypto';
import { AppError } from '@switchboard/contracts';
import { query } from '@switchboard/database';
import { deriveKey, type EncryptionKeys } from '@switchboard/platform';
import type { DataSource } from 'typeorm';
import { networkOf } from '../http/addresses';

/** How long attempts count from the first one on. */
const WINDOW_MINUTES = 15;
/**
 * The first wall somebody meets who guesses: with it an address can try a user five times, and that locks nobody else's
 * way in.
 */
const MAX_PER_USER_AND_ADDRESS = 5;
/** Many users from one address. */
const MAX_PER_ADDRESS = 30;
/** One user from many addresses. */
const MAX_PER_USER = 50;
/**
 * Codes of one user's second factor, from all addresses: with the password a million codes are few. Only who knows the
 * password can lock the user out.
 */
const MAX_CODES_PER_USER = 10;

/** Counted before the password is looked at, so that guesses at the same moment count, too. */
const COUNT_ATTEMPT = `
  INSERT INTO sign_in_attempts AS a (subject, attempts, ends_at) VALUES ($1, 1, now() + make_interval(mins => $2))
  ON CONFLICT (subject) DO UPDATE SET
    attempts = CASE WHEN a.ends_at <= now() THEN 1 ELSE a.attempts + 1 END,
    ends_at = CASE WHEN a.ends_at <= now() THEN excluded.ends_at ELSE a.ends_at END
  RETURNING attempts, ceil(extract(epoch FROM ends_at - now()))::int AS "secondsLeft"`;
/** In one order, so that two sign-ins never wait for each other. */
const TAKE_BACK = `
  UPDATE sign_in_attempts a SET attempts = a.attempts - 1
  FROM (SELECT subject FROM sign_in_attempts WHERE subject = ANY($1) ORDER BY subject FOR UPDATE) s
    WHERE a.subject = s.subject`;

interface Limit {
  subject: Buffer;
  most: number;
}

/**
 * Attempts to sign in, counted for each user and address. Who is counted is not to be read from the table: somebody who
 * mistypes may write a password where an address belongs. So what a row is found by is an HMAC. With another key the
 * counts begin anew, as they do after some minutes anyway.
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
   * Counts one attempt of an address to sign in, before anything is read of whom it wants to be.
   * @throws AppError SIGN_IN_LOCKED when there were too many
   */
  countAddress(address: string | undefined): Promise<void> {
    return this.count(this.addressLimit(networkOf(address)));
  }

  /** Takes back what `countAddress` counted, for an attempt that succeeded. */
  async takeBackAddress(address: string | undefined): Promise<void> {
    await query(this.db, TAKE_BACK, [[this.addressLimit(networkOf(address)).subject]]);
  }

  /**
   * Counts one attempt to sign in as this user, after `countAddress`. Whether there is such a user makes no difference.
   * @param who.withCode the attempt is of a code of the second factor
   * @returns takes the attempt back, also from its address, for one that succeeded
   * @throws AppError SIGN_IN_LOCKED when there were too many
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
    // One after the other: what a wall has stopped does not count towards the next one, or anybody could lock a user
    // out.
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
