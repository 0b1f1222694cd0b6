import { query } from '@switchboard/database';
import type { DataSource } from 'typeorm';

export interface EventRow {
  id: string;
  at: Date;
  callbackField: string | null;
  previousStatus: string | null;
  status: string | null;
  upstreamStatus: string | null;
  previousCategory: string | null;
  category: string | null;
  reason: string | null;
  raw: object;
}

/** $4 the last event of the page before or null */
const LIST_EVENTS = `
  SELECT id::text AS id, at, callback_field AS "callbackField",
    previous_status AS "previousStatus", status, upstream_status AS "upstreamStatus",
    previous_category AS "previousCategory", category, reason, raw
  FROM template_events
  WHERE account_id = $1 AND template_id = $2 AND ($4::bigint IS NULL OR id < $4)
  ORDER BY template_events.id DESC LIMIT $3`;

export interface HistoryPage {
  accountId: string;
  templateId: string;
  limit: number;
  before?: string;
}

/** The newest first. */
export function listEvents(
  dataSource: DataSource,
  { accountId, templateId, limit, before }: HistoryPage,
): Promise<EventRow[]> {
  return query<EventRow>(dataSource, LIST_EVENTS, [accountId, templateId, limit, before ?? null]);
}
