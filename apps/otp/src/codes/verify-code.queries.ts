import { preparedQuery, query } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { FIGURES_SHARD } from '../statistics/statistics.queries';
import type { CodeOwner } from './code-hmac';

/** Maximum failures per (account, phone) within the window. After that, no code is evaluated (spec §9.2.5). */
export const MAX_FAILURES = 5;
export const FAILURE_WINDOW_SECONDS = 600;
/**
 * Period in which the client that verified a code may repeat it without a failure, because the first response may have
 * been lost (spec §9.2.6).
 */
const REPEAT_SECONDS = 60;

export type VerifyOutcome = 'verified' | 'refused' | 'locked';

export interface Verification {
  outcome: VerifyOutcome;
  /** Failures left before the lock. */
  attemptsRemaining: number;
  /** Seconds until the oldest counted failure leaves the window. 0 when there is none. */
  retryAfterSeconds: number;
}

const RETRY_AFTER = (unlockedAt: string): string =>
  `coalesce(ceil(extract(epoch FROM ${unlockedAt} - now()))::int, 0) AS "retryAfterSeconds"`;

/*
 * Decides in one statement under one row lock: ON CONFLICT DO UPDATE reads the newest version of the row, so concurrent
 * attempts are evaluated one after the other. A phone without a code takes the same path and gets the same reply. The
 * statement compares keyed hashes, so its duration reveals nothing about the code. The right code consumes itself and
 * the codes sent before it. It does not clear earlier failures, because spec §9.2.5 counts all failures within the
 * window. If a client soon repeats the code it consumed, the attempt is rejected without counting as a failure. The
 * result is stored under the attempt id, so the whole statement fails for a repeated attempt.
 * $1 account, $2 phone, $3 hashes with each pepper, $4 attempt, $5 client
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

/** $1 attempt, $2 account */
const FIND_ATTEMPT = `
  SELECT outcome, attempts_remaining AS "attemptsRemaining", ${RETRY_AFTER('unlocked_at')} FROM attempts WHERE id = $1
    AND account_id = $2`;

const UNIQUE_VIOLATION = '23505';

/**
 * Evaluates one attempt: consumes a right code and counts a wrong one. A repeated attempt returns its first result.
 * @param attempt.hmacs the hashes of the code, one per pepper that may have been used
 * @param attempt.clientId the calling client, or null if an older version of the caller does not send it
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
