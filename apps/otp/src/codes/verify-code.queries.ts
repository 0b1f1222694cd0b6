import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { CodeOwner } from './code-hmac';

/** So many failures per (account, phone) within the window, then no code is looked at (decisions 8). */
export const MAX_FAILURES = 5;
export const FAILURE_WINDOW_SECONDS = 600;

export type VerifyOutcome = 'verified' | 'refused' | 'locked';

export interface Verification {
  outcome: VerifyOutcome;
  /** Failures that are still allowed before the lock. */
  attemptsRemaining: number;
  /** Until the oldest counted failure leaves the window; 0 when there is none. */
  retryAfterSeconds: number;
}

/*
 * The whole decision in one statement under one row lock: ON CONFLICT DO UPDATE reads the newest version of the row,
 * so parallel tries are judged one after the other. A phone without a code takes the same path and gets the same answer.
 * Hashes are compared, keyed with a secret: how long that takes says nothing about the code.
 * A right code leaves earlier failures standing, as decisions 8 counts them within the window without exception.
 */
const VERIFY_CODE = `
  INSERT INTO codes AS code (account_id, phone, failed_at, last_outcome)
  VALUES ($1, $2, ARRAY[now()], 'refused')
  ON CONFLICT (account_id, phone) DO UPDATE SET (spent_at, failed_at, last_outcome) = (
    SELECT
      CASE outcome WHEN 'verified' THEN now() ELSE code.spent_at END,
      CASE outcome WHEN 'refused' THEN recent || now() ELSE recent END,
      outcome
    FROM (
      SELECT ARRAY(
        SELECT failed FROM unnest(code.failed_at) AS failed WHERE failed > now() - make_interval(secs => $4::int) ORDER BY failed
      ) AS recent
    ) AS failures,
    LATERAL (
      SELECT CASE
        WHEN cardinality(recent) >= $5::int THEN 'locked'
        WHEN code.code_hmac = $3 AND code.spent_at IS NULL AND code.expires_at > now() THEN 'verified'
        ELSE 'refused'
      END AS outcome
    ) AS decision
  )
  RETURNING
    last_outcome AS outcome,
    $5::int - cardinality(failed_at) AS "attemptsRemaining",
    coalesce(ceil(extract(epoch FROM failed_at[1] + make_interval(secs => $4::int) - now()))::int, 0) AS "retryAfterSeconds"`;

/** Judges one try; a right code is spent by it, a wrong one counted. */
export async function verifyCode(dataSource: DataSource, owner: CodeOwner, codeHmac: Buffer): Promise<Verification> {
  const [verification] = await query<Verification>(dataSource, VERIFY_CODE, [
    owner.accountId,
    owner.phone,
    codeHmac,
    FAILURE_WINDOW_SECONDS,
    MAX_FAILURES,
  ]);
  if (!verification) throw new Error('the verification returned no row');
  return verification;
}
