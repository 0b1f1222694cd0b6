import { type ErrorCode, firstIdAt, newId } from '@switchboard/contracts';
import {
  lookQuery,
  type LookThrough,
  lookThrough,
  query,
  type SeenRow,
  seenOf,
  type Transaction,
} from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { AuditLogEntry } from './audit-log-entry.entity';

/** What became of a change; `unknown` while it is under way, and for good when nobody heard how it ended. */
export const AUDIT_OUTCOMES = ['done', 'refused', 'unknown'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** One change that somebody wants. Details hold no secret: no key, token or signing secret. */
export interface AuditEntry {
  /** Who: a user of the console, or the operator's login on the machine the command ran on. */
  actor: string;
  action: string;
  accountId?: string;
  /** The id or name of what is changed. */
  target: string;
  details?: Record<string, unknown>;
}

const FIND_DONE = `
  SELECT 1 FROM audit_log WHERE account_id = $1 AND id COLLATE "C" >= $2 AND actor = $3 AND action = $4 AND target = $5
    AND outcome = 'done' LIMIT 1`;

/** Notes a change in the transaction that makes it: neither stands without the other, so it is done. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.manager.insert(AuditLogEntry, rowOf(entry, 'done'));
}

/** Notes a change that is about to be asked for. @returns the entry's id */
export async function recordIntent(dataSource: DataSource, entry: AuditEntry): Promise<string> {
  const row = rowOf(entry, 'unknown');
  await dataSource.manager.insert(AuditLogEntry, row);
  return row.entryId;
}

/** Whether the same change of the same thing by the same actor was done since then. */
export async function wasDoneSince(dataSource: DataSource, entry: AuditEntry, since: Date): Promise<boolean> {
  const { accountId, actor, action, target } = entry;
  const values = [accountId ?? null, firstIdAt('aud', since.getTime()), actor, action, target];
  return (await query(dataSource, FIND_DONE, values)).length > 0;
}

/** Notes how a change ended. @param errorCode of the refusal; absent when it was done */
export async function recordOutcome(dataSource: DataSource, entryId: string, errorCode?: ErrorCode): Promise<void> {
  const outcome: AuditOutcome = errorCode === undefined ? 'done' : 'refused';
  await dataSource.manager.update(AuditLogEntry, { entryId }, { outcome, errorCode: errorCode ?? null });
}

function rowOf({ actor, action, accountId, target, details }: AuditEntry, outcome: AuditOutcome) {
  return { entryId: newId('aud'), actor, action, accountId, target, details, outcome };
}

/** An entry as it is shown. */
export type AuditRecord = AuditLogEntry;

/** Which entries; what is absent leaves none out. */
export interface AuditFilter {
  accountId?: string;
  /** One action, such as `key.revoke`, or all of a kind: `template` stands for `template-draft`, too. */
  action?: string;
  /** A user's id, or one of `AUDIT_ACTORS`. */
  actor?: string;
  target?: string;
  outcome?: AuditOutcome;
  since?: Date;
  until?: Date;
  limit: number;
  /** Only entries older than this one, by its id. */
  before?: string;
}

/** Who acts besides users: operators by command, and the services by themselves. */
export const AUDIT_ACTORS = ['operator', 'service'] as const;

/** By how much an entry's id can be younger or older than its time: clocks differ, and a transaction takes a while. */
const ID_SLACK_MS = 3_600_000;

const COLUMNS = `id AS "entryId", created_at AS at, actor, action, account_id AS "accountId", target, outcome,
  error_code AS "errorCode", details`;

/**
 * The index gives an account's entries of some time; what else is asked for is looked for among them.
 * `below`: id that all lie below; `least`: least id; null means any.
 */
const ENTRIES: LookThrough = {
  rows: `SELECT id COLLATE "C" AS id, created_at, actor, action, account_id, target, outcome, error_code, details
    FROM audit_log WHERE (:accountId::text IS NULL OR account_id = :accountId)
      AND (:below::text IS NULL OR id COLLATE "C" < :below) AND (:least::text IS NULL OR id COLLATE "C" >= :least)`,
  order: 'id DESC',
  key: 'id',
  matches: `(:action::text IS NULL OR action = :action OR :action IN (split_part(action, '.', 1), split_part(split_part(action, '.', 1), '-', 1)))
    AND (:actor::text IS NULL OR CASE :actor WHEN 'operator' THEN actor LIKE 'cli:%'
      WHEN 'service' THEN actor NOT LIKE 'cli:%' AND actor NOT LIKE 'user:%' ELSE actor = 'user:' || :actor END)
    AND (:target::text IS NULL OR target = :target) AND (:outcome::text IS NULL OR outcome = :outcome)
    AND (:since::timestamptz IS NULL OR created_at >= :since) AND (:until::timestamptz IS NULL OR created_at < :until)`,
};

/** One page and one entry more. The parameters are those of `ENTRIES`. */
export const listAuditSql = (limit: number): string =>
  lookThrough(ENTRIES, { offset: 0, take: limit + 1, columns: COLUMNS });

/** Entries, and the one behind which the list goes on; fewer than asked for where few match. */
export interface AuditPage {
  entries: AuditRecord[];
  nextCursor: string | null;
}

/** The newest entry first. */
export async function listAudit(dataSource: DataSource, filter: AuditFilter): Promise<AuditPage> {
  const { accountId, action, limit, before, actor, target, outcome, since, until } = filter;
  // Entries above and below are not even looked at.
  const end = until && firstIdAt('aud', until.getTime() + ID_SLACK_MS);
  const below = end !== undefined && (before === undefined || end < before) ? end : before;
  const least = since && firstIdAt('aud', since.getTime() - ID_SLACK_MS);
  const params = { accountId, action, below, least, actor, target, outcome, since, until };
  const found = await lookQuery<AuditRecord & SeenRow>(dataSource, listAuditSql(limit), params);
  const { rows, cutOffAt } = seenOf(found, { page: 1, limit });
  const entries = rows.slice(0, limit).map(({ cutOffAt: _none, ...entry }) => entry);
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.entryId ?? null) : cutOffAt };
}

export function findAudit(dataSource: DataSource, accountId: string, entryId: string): Promise<AuditLogEntry | null> {
  return dataSource.manager.findOneBy(AuditLogEntry, { accountId, entryId });
}

/** The names of users and keys of an account. @returns by id; ids that are none of these are absent */
export async function namesOf(
  dataSource: DataSource,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await query<{ id: string; name: string }>(
    dataSource,
    `SELECT id, name FROM users WHERE account_id = $1 AND id = ANY ($2)
     UNION ALL SELECT id, name FROM api_keys WHERE account_id = $1 AND id = ANY ($2)`,
    [accountId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
