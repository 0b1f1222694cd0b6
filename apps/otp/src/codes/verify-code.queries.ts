import { preparedQuery, query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { FIGURES_SHARD } from '../statistics/statistics.queries';
import type { CodeOwner } from './code-hmac';

/** So many failures per (account, phone) within the window, then no code is looked at (spec §9.2.5). */
export const MAX_FAILURES = 5;
export const FAILURE_WINDOW_SECONDS = 600;
/**
 * So long the code that was just verified is no failure when the same client sends it again: its first answer may be
 * lost (spec §9.2.6).
 */
const REPEAT_SECONDS = 60;

export type VerifyOutcome = 'verified' | 'refused' | 'locked';

export interface Verification {
  outcome: VerifyOutcome;
  /** Failures that are still allowed before the lock. */
  attemptsRemaining: number;
  /** Until the oldest counted failure leaves the window; 0 when there is none. */
  retryAfterSeconds: number;
}

const RETRY_AFTER = (unlockedAt: string): string =>
  `coalesce(ceil(extract(epoch FROM ${unlockedAt} - now()))::int, 0) AS "retryAfterSeconds"`;

/*
 * The whole decision in one statement under one row lock: ON CONFLICT DO UPDATE reads the newest version of the row, so
 * parallel tries are judged one after the other. A phone without a code takes the same path and gets the same answer.
 * Hashes are compared, keyed with a secret: how long that takes says nothing about the code. A right code spends itself
 * and those sent before it. It leaves earlier failures standing, as spec §9.2.5 counts them within the window without
 * exception. When its client sends the spent code again soon, that is refused and counts as no failure. The answer is
 * stored under the try's id: the same try again fails here, as a whole. $1 account, $2 phone, $3 hashes with each
 * pepper, $4 the try, $5 the client
 */
const VERIFY_CODE = `
  WITH judged AS (
    INSERT INTO codes AS code (account_id, phone, failed_at, last_outcome)
    VALUES ($1, $2, ARRAY[now()], 'refused')
    ON CONFLICT (account_id, phone) DO UPDATE SET (issued, failed_at, last_outcome, touched_at, verified_hmac,
      verified_by, verified_at) = (
      SELECT
        CASE outcome WHEN 'verified' THEN ARRAY(
          SELECT ROW(send_id, hmac, expires_at)::issued_code
          FROM unnest(code.issued) WITH ORDINALITY AS later (send_id, hmac, expires_at, position)
          WHERE position > matched ORDER BY position
        ) ELSE code.issued END,
        CASE WHEN outcome = 'refused' AND NOT is_repeat THEN recent || now() ELSE recent END,
        outcome,
        now(),
        CASE outcome WHEN 'verified' THEN (code.issued[matched::int]).hmac ELSE code.verified_hmac END,
        CASE outcome WHEN 'verified' THEN $5 ELSE code.verified_by END,
        CASE outcome WHEN 'verified' THEN now() ELSE code.verified_at END
      FROM (
        SELECT ARRAY(
          SELECT failed FROM unnest(code.failed_at) AS failed WHERE failed > now() - make_interval(secs => ${FAILURE_WINDOW_SECONDS})
            ORDER BY failed
        ) AS recent, (
          SELECT max(position) FROM unnest(code.issued) WITH ORDINALITY AS valid (send_id, hmac, expires_at, position)
          WHERE hmac = ANY ($3::bytea[]) AND expires_at > now()
        ) AS matched, coalesce(
          code.verified_hmac = ANY ($3::bytea[]) AND code.verified_by = $5
            AND code.verified_at > now() - make_interval(secs => ${REPEAT_SECONDS}), false
        ) AS is_repeat
      ) AS facts,
      LATERAL (
        SELECT CASE WHEN cardinality(recent) >= ${MAX_FAILURES} THEN 'locked' WHEN matched IS NOT NULL THEN 'verified'
          ELSE 'refused' END AS outcome
      ) AS decision
    )
    RETURNING last_outcome AS outcome,
      ${MAX_FAILURES} - cardinality(failed_at) AS remaining, failed_at[1] + make_interval(secs => ${FAILURE_WINDOW_SECONDS}) AS unlocked_at
  ), noted AS (
    INSERT INTO attempts (id, account_id, outcome, attempts_remaining, unlocked_at)
      SELECT $4, $1, outcome, remaining, unlocked_at FROM judged
  ), counted AS (
    INSERT INTO figures AS f (account_id, day, shard, verified, refused)
    SELECT $1, (now() AT TIME ZONE 'UTC')::date, ${FIGURES_SHARD('$2')}, (outcome = 'verified')::int,
      (outcome <> 'verified')::int FROM judged
    ON CONFLICT (account_id, day, shard) DO UPDATE SET verified = f.verified + excluded.verified,
      refused = f.refused + excluded.refused
  )
  SELECT outcome, remaining AS "attemptsRemaining", ${RETRY_AFTER('unlocked_at')} FROM judged`;

/** $1 the try, $2 account */
const FIND_ATTEMPT = `
  SELECT outcome, attempts_remaining AS "attemptsRemaining", ${RETRY_AFTER('unlocked_at')} FROM attempts WHERE id = $1
    AND account_id = $2`;

const UNIQUE_VIOLATION = '23505';

/**
 * Judges one try; a right code is spent by it, a wrong one counted. A try that was judged before gets its answer again.
 * @param attempt.hmacs of the code with each pepper that may have been used
 * @param attempt.clientId whose try it is; null when a caller of an older version does not tell
 */
export async function verifyCode(
  dataSource: DataSource,
  owner: CodeOwner,
  attempt: { id: string; clientId: string | null; hmacs: Buffer[] },
): Promise<Verification> {
  const { accountId, phone } = owner;
  try {
    const params = [accountId, phone, attempt.hmacs, attempt.id, attempt.clientId];
    const [verification] = await preparedQuery<Verification>(dataSource, VERIFY_CODE, params);
    if (verification) return verification;
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    const [earlier] = await query<Verification>(dataSource, FIND_ATTEMPT, [attempt.id, accountId]);
    if (earlier) return earlier;
    throw error;
  }
  throw new Error('the verification returned no row');
}
