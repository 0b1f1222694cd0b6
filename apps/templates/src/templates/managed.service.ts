import { Injectable } from '@nestjs/common';
import {
  AppError,
  type ListTemplateEventsCommand,
  type ListTemplateEventsReply,
  type ManagedTemplateRecord,
  normaliseLanguage,
  notFound,
  type SearchTemplatesCommand,
  type SearchTemplatesReply,
} from '@switchboard/contracts';
import { DataSource } from 'typeorm';
import { query } from '@switchboard/database';
import { findManaged, type ManagedRow, searchManaged } from './managed.queries';

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

/** $4 last event of the previous page, or null */
const LIST_EVENTS = `
  SELECT id::text AS id, at, callback_field AS "callbackField",
    previous_status AS "previousStatus", status, upstream_status AS "upstreamStatus",
    previous_category AS "previousCategory", category, reason, raw
  FROM template_events
  WHERE account_id = $1 AND template_id = $2 AND ($4::bigint IS NULL OR id < $4)
  ORDER BY template_events.id DESC LIMIT $3`;

interface HistoryPage {
  accountId: string;
  templateId: string;
  limit: number;
  before?: string;
}

function listEvents(
  dataSource: DataSource,
  { accountId, templateId, limit, before }: HistoryPage,
): Promise<EventRow[]> {
  return query<EventRow>(dataSource, LIST_EVENTS, [accountId, templateId, limit, before ?? null]);
}

type Position = Pick<ManagedRow, 'name' | 'language' | 'id'>;

@Injectable()
export class ManagedTemplates {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Searches templates, ordered by name and language.
   * @throws AppError INVALID_PARAMETER for an invalid cursor
   */
  async search({
    accountId,
    limit,
    cursor,
    status,
    name,
    partOfName,
    language,
    category,
  }: SearchTemplatesCommand): Promise<SearchTemplatesReply> {
    const rows = await searchManaged(this.dataSource, {
      accountId,
      limit: limit + 1,
      status,
      name,
      partOfName,
      language: language === undefined ? undefined : normaliseLanguage(language),
      category: category?.toUpperCase(),
      after: cursor === undefined ? undefined : positionOf(cursor),
    });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return { templates: shown.map(toRecord), nextCursor: rows.length > limit && last ? cursorOf(last) : null };
  }

  /** @throws AppError NOT_FOUND */
  async show(accountId: string, templateId: string): Promise<ManagedTemplateRecord> {
    const template = await findManaged(this.dataSource, accountId, templateId);
    if (!template) throw notFound('template');
    return toRecord(template);
  }

  /**
   * Returns the history of a template, newest first, even if the template no longer exists.
   * @throws AppError NOT_FOUND when there is no history
   */
  async history({ accountId, templateId, limit, cursor }: ListTemplateEventsCommand): Promise<ListTemplateEventsReply> {
    const rows = await listEvents(this.dataSource, { accountId, templateId, limit: limit + 1, before: cursor });
    if (rows.length === 0 && cursor === undefined) throw notFound('template');
    const events = rows.slice(0, limit).map(({ at, ...event }) => ({ ...event, at: at.toISOString() }));
    return { events, nextCursor: rows.length > limit ? (events.at(-1)?.id ?? null) : null };
  }
}

function toRecord({ updatedAt, ...row }: ManagedRow): ManagedTemplateRecord {
  return { ...row, updatedAt: updatedAt.toISOString() };
}

function cursorOf({ name, language, id }: Position): string {
  return Buffer.from(JSON.stringify([name, language, id])).toString('base64url');
}

function positionOf(cursor: string): Position {
  const [name, language, id]: unknown[] = partsOf(cursor);
  if (
    typeof name === 'string' &&
    typeof language === 'string' &&
    typeof id === 'string' &&
    !cursor.includes('\0') &&
    !/\0/.test(name + language + id)
  )
    return { name, language, id };
  throw new AppError('INVALID_PARAMETER', { message: 'cursor is not a nextCursor of this list' });
}

function partsOf(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return []; // Not a cursor of this list.
  }
}
