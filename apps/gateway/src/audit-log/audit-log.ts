import { type ErrorCode, firstIdAt, newId } from '@switchboard/contracts';
import {
  scanQuery,
  type BoundedScan,
  boundedScan,
  query,
  type SeenRow,
  seenOf,
  type Transaction,
} from '@switchboard/database';
import type { DataSource } from 'typeorm';
import { AuditLogEntry } from './audit-log-entry.entity';

/** Outcomes of a change. `unknown` while the change is in progress, and permanently if its outcome was lost. */
export const AUDIT_OUTCOMES = ['done', 'refused', 'unknown'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Attempted change. Details contain no secrets, such as keys, tokens or signing secrets. */
export interface AuditEntry {
  /** User id of a console user, or login of the operator who ran the command. */
  actor: string;
  action: string;
  accountId?: string;
  /** Id or name of the changed object. */
  target: string;
  details?: Record<string, unknown>;
}

const FIND_DONE = `
  SELECT 1 FROM audit_log WHERE account_id = $1 AND id COLLATE "C" >= $2 AND actor = $3 AND action = $4 AND target = $5
    AND outcome = 'done' LIMIT 1`;

/** Longest time between the request of a change, which writes its entry first, and the change. */
const REQUEST_MS = 60_000;
const FIND_REQUEST = `
  SELECT 1 FROM audit_log WHERE account_id = $1 AND id COLLATE "C" >= $2 AND id COLLATE "C" < $3 AND action = $4
    AND target = $5 AND actor <> $6 AND outcome IN ('done', 'unknown') LIMIT 1`;

/** Checks whether another actor, a user or operator, requested the change that was made at a time. */
export async function wasRequestedBefore(
  tx: Transaction,
  { actor, accountId, action, target }: AuditEntry & { accountId: string },
  madeAt: Date,
): Promise<boolean> {
  const [first, end] = [-REQUEST_MS, REQUEST_MS].map((ms) => firstIdAt('aud', madeAt.getTime() + ms));
  return (await tx.query(FIND_REQUEST, [accountId, first, end, action, target, actor])).length > 0;
}

/** Records a completed change within its transaction. */
export async function recordAudit(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.manager.insert(AuditLogEntry, rowOf(entry, 'done'));
}

/** Records a change before it is requested. @returns the entry's id */
export async function recordIntent(dataSource: DataSource, entry: AuditEntry): Promise<string> {
  const row = rowOf(entry, 'unknown');
  await dataSource.manager.insert(AuditLogEntry, row);
  return row.entryId;
}

/** Checks whether the same actor has made the same change to the same target since a time. */
export async function wasDoneSince(dataSource: DataSource, entry: AuditEntry, since: Date): Promise<boolean> {
  const { accountId, actor, action, target } = entry;
  const values = [accountId ?? null, firstIdAt('aud', since.getTime()), actor, action, target];
  return (await query(dataSource, FIND_DONE, values)).length > 0;
}

/** Records the outcome of a change. @param errorCode error code of a rejected change; absent for a completed one */
export async function recordOutcome(dataSource: DataSource, entryId: string, errorCode?: ErrorCode): Promise<void> {
  const outcome: AuditOutcome = errorCode === undefined ? 'done' : 'refused';
  await dataSource.manager.update(AuditLogEntry, { entryId }, { outcome, errorCode: errorCode ?? null });
}

function rowOf({ actor, action, accountId, target, details }: AuditEntry, outcome: AuditOutcome) {
  return { entryId: newId('aud'), actor, action, accountId, target, details, outcome };
}

export type AuditRecord = AuditLogEntry;

/** Filter for audit entries; absent fields match all. */
export interface AuditFilter {
  accountId?: string;
  /** Action such as `key.revoke`, or a group of actions: `template` includes `template-draft`. */
  action?: string;
  /** User id, or one of `AUDIT_ACTORS`. */
  actor?: string;
  target?: string;
  outcome?: AuditOutcome;
  since?: Date;
  until?: Date;
  limit: number;
  /** Id of an entry; only older entries match. */
  before?: string;
}

/** Actors that are not users: operators running commands, and the services. */
export const AUDIT_ACTORS = ['operator', 'service'] as const;

/**
 * Maximum difference in milliseconds between the time in an entry's id and its timestamp, caused by clock skew and long
 * transactions.
 */
const ID_SLACK_MS = 3_600_000;

const COLUMNS = `id AS "entryId", created_at AS at, actor, action, account_id AS "accountId", target, outcome,
  error_code AS "errorCode", details`;

/**
 * Scans an account's entries of a time range by index, then applies the filter. `below`: exclusive upper bound of the
 * id; `least`: inclusive lower bound. Null means no bound.
 */
const ENTRIES: BoundedScan = {
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

/** Returns SQL that selects one page plus one entry, with the parameters of `ENTRIES`. */
export const listAuditSql = (limit: number): string =>
  boundedScan(ENTRIES, { offset: 0, take: limit + 1, columns: COLUMNS });

/** Entries, and the cursor of the next page. A page may be short if few entries match. */
export interface AuditPage {
  entries: AuditRecord[];
  nextCursor: string | null;
}

/** Lists audit entries, newest first. */
export async function listAudit(dataSource: DataSource, filter: AuditFilter): Promise<AuditPage> {
  const { accountId, action, limit, before, actor, target, outcome, since, until } = filter;
  // Bounds the index scan by id.
  const end = until && firstIdAt('aud', until.getTime() + ID_SLACK_MS);
  const below = end !== undefined && (before === undefined || end < before) ? end : before;
  const least = since && firstIdAt('aud', since.getTime() - ID_SLACK_MS);
  const params = { accountId, action, below, least, actor, target, outcome, since, until };
  const found = await scanQuery<AuditRecord & SeenRow>(dataSource, listAuditSql(limit), params);
  const { rows, cutOffAt } = seenOf(found, { page: 1, limit });
  const entries = rows.slice(0, limit).map(({ cutOffAt: _none, ...entry }) => entry);
  return { entries, nextCursor: rows.length > limit ? (entries.at(-1)?.entryId ?? null) : cutOffAt };
}

export function findAudit(dataSource: DataSource, accountId: string, entryId: string): Promise<AuditLogEntry | null> {
  return dataSource.manager.findOneBy(AuditLogEntry, { accountId, entryId });
}

/** Resolves names of an account's users and keys. @returns names by id; omits ids of other kinds */
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
