import type { WebhookEventKind } from '@switchboard/contracts';
import { batchOf, query, type Transaction } from '@switchboard/database';
import type { DataSource } from 'typeorm';
import type { EndpointRef } from '../deliveries/fair-queue';

export interface ReplayRow {
  id: string;
  account_id: string;
  endpoint_id: string | null;
  kind: WebhookEventKind | null;
  /** Id of the last event that the replay has processed. */
  position: string;
  until: string;
  total: number;
  replayed: number;
  created_at: Date;
  finished_at: Date | null;
}

export interface Replayed {
  id: string;
  endpointId: string;
}

/**
 * Locks an event until its replay is committed, so that the event is not deleted meanwhile. Deletion also locks events
 * before their deliveries.
 */
const HOLD_EVENT = 'FOR KEY SHARE OF e';

/**
 * Endpoints that receive a replay: the requested endpoint, whatever its kinds. If none is requested, the endpoints that
 * first received the event or, if none of those exists, the endpoints that subscribe to it now.
 */
const TARGETS = `
  SELECT ep.id FROM endpoints ep JOIN events e ON e.account_id = ep.account_id AND e.id = $2
  WHERE ep.account_id = $1 AND ep.deleted_at IS NULL AND ($3::text IS NULL OR ep.id = $3)
    AND (EXISTS (SELECT 1 FROM delivery_log d WHERE d.account_id = $1 AND d.endpoint_id = ep.id AND d.event_id = $2)
      OR ($3::text = ep.id OR ep.kinds IS NULL OR e.kind = ANY(ep.kinds)) AND NOT EXISTS (
        SELECT 1 FROM delivery_log d JOIN endpoints other ON other.id = d.endpoint_id
        WHERE other.account_id = $1 AND other.deleted_at IS NULL AND d.account_id = $1 AND d.event_id = $2
          AND $3::text IS NULL
      ))
  ORDER BY ep.id`;

export async function findReplayTargets(
  db: DataSource,
  options: { accountId: string; eventId: string; endpointId?: string },
): Promise<string[]> {
  const rows = await query<{ id: string }>(db, TARGETS, [
    options.accountId,
    options.eventId,
    options.endpointId ?? null,
  ]);
  return rows.map(({ id }) => id);
}

/** Marks the dropped delivery as replayed, so that a replay of all dropped deliveries skips it. */
const REPLAY_ONE = `
  WITH planned AS (
    INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id, claimed_by)
    SELECT delivery.id, e.account_id, delivery.endpoint_id, e.id, e.message_id, $5::int
    FROM events e CROSS JOIN unnest($3::text[], $4::text[]) AS delivery (id, endpoint_id)
    WHERE e.account_id = $1 AND e.id = $2
    ${HOLD_EVENT}
    RETURNING id, endpoint_id
  ), replayed AS (
    UPDATE deliveries d SET replayed_as = planned.id FROM planned
    WHERE d.account_id = $1 AND d.event_id = $2 AND d.endpoint_id = planned.endpoint_id AND d.state = 'dropped'
      AND d.replayed_as IS NULL
  )
  SELECT id, endpoint_id AS "endpointId" FROM planned`;

/**
 * Queues one event again for the given endpoints.
 * @param holder the process that makes the first attempts (`claim-holder.ts`); if it dies before, other processes take
 * over
 */
export function replayEvent(
  db: DataSource,
  event: { accountId: string; eventId: string },
  deliveries: Replayed[],
  holder: number | null,
): Promise<Replayed[]> {
  const ids = [deliveries.map(({ id }) => id), deliveries.map(({ endpointId }) => endpointId)];
  return query<Replayed>(db, REPLAY_ONE, [event.accountId, event.eventId, ...ids, holder]);
}

/** SQL condition: a dropped delivery that was not replayed and whose endpoint still exists. */
const REPLAYABLE = `
  d.account_id = :accountId AND d.state = 'dropped' AND d.replayed_as IS NULL
  AND (:endpointId::text IS NULL OR d.endpoint_id = :endpointId) AND EXISTS (
    SELECT 1 FROM endpoints ep WHERE ep.account_id = :accountId AND ep.id = d.endpoint_id AND ep.deleted_at IS NULL
  )`;

/** SQL condition: a delivery of the requested kind. Costs one index lookup per dropped delivery. */
const OF_KIND = `(:kind::text IS NULL OR EXISTS (
  SELECT 1 FROM events e WHERE e.account_id = :accountId AND e.id = d.event_id AND e.kind = :kind))`;

/** `counted` is the expected number of deliveries; null accepts any number. */
const BEGIN = `
  WITH found AS (
    SELECT count(*) AS total FROM deliveries d
    WHERE ${REPLAYABLE} AND d.event_id >= :from AND d.event_id < :until AND ${OF_KIND}
  )
  INSERT INTO replays (id, account_id, endpoint_id, position, until, kind, total)
  SELECT :id, :accountId, :endpointId, :from, :until, :kind, total FROM found
  WHERE (:counted::int IS NULL OR total = :counted) AND (:endpointId::text IS NULL
    OR EXISTS (SELECT 1 FROM endpoints WHERE account_id = :accountId AND id = :endpointId AND deleted_at IS NULL))
  RETURNING *`;

const COUNT = `
  SELECT (count(*) FILTER (WHERE ${OF_KIND}))::int AS deliveries, count(*) < :most AS "isExact" FROM (
    SELECT d.event_id FROM deliveries d WHERE ${REPLAYABLE} AND d.event_id >= :from AND d.event_id < :until LIMIT :most
  ) AS d`;

/** @returns the number of deliveries that a replay would queue, counted up to `most` */
export async function countDropped(
  db: DataSource,
  { accountId, endpointId, from, until, kind }: ReplaySpan,
  most: number,
): Promise<{ deliveries: number; isExact: boolean }> {
  const params = { accountId, endpointId, from, until, kind, most };
  const [row] = await query<{ deliveries: number; isExact: boolean }>(db, COUNT, params);
  return row!;
}

/** Scope of a replay: dropped deliveries between two events, optionally of one endpoint and kind. */
export interface ReplaySpan {
  accountId: string;
  endpointId?: string;
  kind?: WebhookEventKind;
  from: string;
  until: string;
}

/**
 * Stores a replay of everything dropped between two events.
 * @param options.counted the expected number of deliveries
 * @returns undefined, with nothing stored, if the endpoint does not exist or the number differs
 */
export async function beginReplay(
  db: DataSource,
  { accountId, endpointId, from, until, kind }: ReplaySpan,
  { id, counted }: { id: string; counted?: number },
): Promise<ReplayRow | undefined> {
  const params = { accountId, endpointId, from, until, kind, id, counted };
  const [row] = await query<ReplayRow>(db, BEGIN, params);
  return row;
}

export async function findReplay(db: DataSource, accountId: string, id: string): Promise<ReplayRow | undefined> {
  const [row] = await query<ReplayRow>(db, 'SELECT * FROM replays WHERE account_id = $1 AND id = $2', [accountId, id]);
  return row;
}

const LIST = `
  SELECT * FROM replays WHERE account_id = $1 AND ($2::text IS NULL OR id COLLATE "C" < $2)
  ORDER BY id COLLATE "C" DESC LIMIT $3`;

/**
 * Lists replays, newest first.
 * @param page.before returns only replays older than this id
 */
export function listReplays(
  db: DataSource,
  accountId: string,
  { limit, before }: { limit: number; before?: string },
): Promise<ReplayRow[]> {
  return query<ReplayRow>(db, LIST, [accountId, before ?? null, limit]);
}

/** Selects per account the replay whose last step is the longest ago. Accounts are ordered in the same way. */
const LOCK_NEXT = `
  WITH RECURSIVE account AS (
    (SELECT account_id FROM replays WHERE finished_at IS NULL ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT following.account_id FROM account CROSS JOIN LATERAL (
      SELECT r.account_id FROM replays r WHERE r.finished_at IS NULL AND r.account_id > account.account_id
        ORDER BY r.account_id LIMIT 1
    ) AS following
  ), turn AS (
    SELECT next.id FROM account CROSS JOIN LATERAL (
      SELECT r.id, r.stepped_at FROM replays r
      WHERE r.finished_at IS NULL AND r.account_id = account.account_id ORDER BY r.stepped_at NULLS FIRST, r.id LIMIT 1
    ) AS next
    ORDER BY next.stepped_at NULLS FIRST, next.id LIMIT $1
  )
  SELECT * FROM replays WHERE id = ANY(ARRAY(SELECT id FROM turn)) AND finished_at IS NULL ORDER BY id
    FOR UPDATE SKIP LOCKED`;

/** Locks the next replays that no other process is working on, at most one per account. */
export function lockNextReplays(tx: Transaction, most: number): Promise<ReplayRow[]> {
  return tx.query<ReplayRow>(LOCK_NEXT, [most]);
}

const NEXT = `
  SELECT d.id, d.endpoint_id AS "endpointId", d.event_id AS "eventId" FROM deliveries d JOIN events e
    ON e.id = d.event_id
  WHERE ${REPLAYABLE} AND d.event_id >= :position AND d.event_id < :until AND (:kind::text IS NULL OR e.kind = :kind)
  ORDER BY d.event_id, d.id LIMIT :limit
  ${HOLD_EVENT}`;

export function findNextDropped(
  tx: Transaction,
  replay: ReplayRow,
  limit: number,
): Promise<(Replayed & { eventId: string })[]> {
  const { account_id: accountId, endpoint_id: endpointId, position, until, kind } = replay;
  return tx.query(NEXT, { accountId, endpointId, position, until, kind, limit });
}

/** Dropped deliveries and their replacements. */
const PAIRS = batchOf({ oldId: 'text', newId: 'text' }, { from: 5 });

/** $1 account, $2 replay, $3 event reached, $4 holder, then `PAIRS` */
const REPLAY_STEP = `
  WITH pair AS (SELECT * FROM ${PAIRS.unnest('pair')}),
  done AS (
    UPDATE deliveries d SET replayed_as = pair.new_id FROM pair
    WHERE d.id = pair.old_id AND d.account_id = $1 AND d.replayed_as IS NULL
    RETURNING pair.new_id, d.account_id, d.endpoint_id, d.event_id
  ), planned AS (
    INSERT INTO pending_deliveries (id, account_id, endpoint_id, event_id, message_id, replay_id, claimed_by)
    SELECT done.new_id, done.account_id, done.endpoint_id, done.event_id, e.message_id, $2, $4::int
    FROM done JOIN events e ON e.id = done.event_id
    RETURNING endpoint_id
  ), counted AS (
    UPDATE replays SET replayed = replayed + (SELECT count(*) FROM planned), position = $3, stepped_at = now()
      WHERE id = $2
  )
  SELECT DISTINCT endpoint_id AS id, $1 AS "accountId" FROM planned`;

/**
 * Queues a batch of dropped deliveries again, each as a new delivery.
 * @param options.position last event that the replay has processed
 * @param options.holder the process that makes the first attempts, as for `replayEvent`
 * @returns the endpoints where deliveries are due now
 */
export function replayStep(
  tx: Transaction,
  replay: ReplayRow,
  pairs: { oldId: string; newId: string }[],
  { position, holder }: { position: string; holder: number | null },
): Promise<EndpointRef[]> {
  return tx.query(REPLAY_STEP, [replay.account_id, replay.id, position, holder, ...PAIRS.parameters(pairs)]);
}

export async function finishReplay(tx: Transaction, replay: ReplayRow): Promise<void> {
  await tx.query('UPDATE replays SET finished_at = now() WHERE account_id = $1 AND id = $2', [
    replay.account_id,
    replay.id,
  ]);
}
