import type { TemplateDraftKind } from '@switchboard/contracts';
import type { Transaction } from '@switchboard/database';
import type { DraftContent } from '@switchboard/template-rules';

/** Exclusive claim of this process to submit one draft, valid until the lease ends. */
export interface SubmissionClaim extends DraftContent {
  accountId: string;
  id: string;
  wabaId: string;
  kind: TemplateDraftKind;
  templateId: string | null;
  sealedAccessToken: string;
  /** Number of this attempt, starting at 1. */
  attempts: number;
  /** True if an earlier attempt has an unknown outcome. */
  mayHaveLanded: boolean;
  leaseUntil: string;
}

/**
 * Claims a draft and marks it as possibly submitted, in case this process dies. Quotes in user texts are escaped, so
 * the expression counts only real header samples.
 * $1 seconds, $2 additional seconds per header sample
 */
const CLAIM = `
  WITH due AS MATERIALIZED (
    SELECT d.account_id, d.id, d.may_have_landed, a.sealed_access_token
    FROM template_drafts d JOIN upstream_accounts a ON a.account_id = d.account_id AND a.waba_id = d.waba_id
    WHERE d.state = 'submitting' AND d.due_at <= now() AND a.left_at IS NULL AND (a.rest_until IS NULL OR a.rest_until <= now())
    ORDER BY d.due_at LIMIT 1 FOR UPDATE OF d SKIP LOCKED
  )
  UPDATE template_drafts d
  SET due_at = clock_timestamp() + make_interval(
      secs => $1::int + $2::int * (cardinality(string_to_array(d.components::text, '"header_handle":')) - 1)),
    attempts = d.attempts + 1, may_have_landed = true
  FROM due WHERE d.account_id = due.account_id AND d.id = due.id
  RETURNING d.account_id AS "accountId", d.id, d.waba_id AS "wabaId", d.kind,
    d.template_id AS "templateId", d.name, d.language, d.category,
    d.components, d.ttl_seconds AS "ttlSeconds", due.sealed_access_token AS "sealedAccessToken", d.attempts,
    due.may_have_landed AS "mayHaveLanded", d.due_at::text AS "leaseUntil"`;

/** When the next draft is due. */
export const NEXT_DUE_DRAFT = `
  SELECT min(greatest(due_at, rest_until)) FROM template_drafts d
    JOIN upstream_accounts a ON a.account_id = d.account_id AND a.waba_id = d.waba_id
  WHERE d.state = 'submitting' AND left_at IS NULL`;

/** Requires the current lease, so that a process whose lease has expired settles nothing. */
const HELD = "account_id = :accountId AND id = :id AND state = 'submitting' AND due_at = :leaseUntil::timestamptz";

const SETTLE_LANDED = `
  UPDATE template_drafts SET state = 'submitted', template_id = :templateId, problem = NULL, submitted_at = now(),
    updated_at = now() WHERE ${HELD} RETURNING id`;

const SETTLE_REFUSED = `
  UPDATE template_drafts SET state = 'refused', problem = :problem, may_have_landed = false, updated_at = now()
    WHERE ${HELD}`;

const PUT_OFF = `
  UPDATE template_drafts SET due_at = now() + make_interval(secs => :seconds::int), problem = :problem,
    may_have_landed = :mayHaveLanded, updated_at = now() WHERE ${HELD}`;

export async function claimSubmission(
  tx: Transaction,
  leaseSeconds: { calls: number; sample: number },
): Promise<SubmissionClaim | undefined> {
  const [claim] = await tx.query<SubmissionClaim>(CLAIM, [leaseSeconds.calls, leaseSeconds.sample]);
  return claim;
}

/**
 * Records that the upstream platform accepted the template under this id.
 * @returns false when the lease has expired
 */
export async function settleLanded(
  tx: Transaction,
  { accountId, id, leaseUntil }: SubmissionClaim,
  templateId: string,
): Promise<boolean> {
  const settled = await tx.query(SETTLE_LANDED, { accountId, id, leaseUntil, templateId });
  return settled.length > 0;
}

/** Records why the upstream platform rejected the template. */
export async function settleRefused(
  tx: Transaction,
  { accountId, id, leaseUntil }: SubmissionClaim,
  problem: string,
): Promise<void> {
  await tx.query(SETTLE_REFUSED, { accountId, id, leaseUntil, problem });
}

/** Schedules another attempt after the given seconds. */
export async function putOff(
  tx: Transaction,
  { accountId, id, leaseUntil }: SubmissionClaim,
  later: { seconds: number; problem: string; mayHaveLanded: boolean },
): Promise<void> {
  await tx.query(PUT_OFF, { accountId, id, leaseUntil, ...later });
}
