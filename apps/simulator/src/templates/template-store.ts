import { refusal } from '../graph-error';
import { WABA_ID } from '../numbers/business-store';
import { seedTemplates, type StoredTemplate } from './seed';

/** Status that results from each event of `message_template_status_update`. Null removes the template. */
export const STATUS_AFTER_EVENT = {
  APPROVED: 'APPROVED',
  REINSTATED: 'APPROVED',
  UNARCHIVED: 'APPROVED',
  // Only a warning upstream, after which the template can still be sent.
  FLAGGED: 'APPROVED',
  PENDING: 'PENDING',
  IN_APPEAL: 'IN_APPEAL',
  REJECTED: 'REJECTED',
  PAUSED: 'PAUSED',
  LOCKED: 'LOCKED',
  DISABLED: 'DISABLED',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
  ARCHIVED: 'ARCHIVED',
  PENDING_DELETION: 'PENDING_DELETION',
  DELETED: null,
} as const;

export type TemplateEvent = keyof typeof STATUS_AFTER_EVENT;

export interface TemplateQuery {
  name?: string;
  /** Text to find in the name or content of the template. */
  name_or_content?: string;
  status?: string;
  category?: string;
  language?: string;
  limit?: string;
  after?: string;
  before?: string;
}

export interface TemplateListPage {
  templates: StoredTemplate[];
  before?: string;
  after?: string;
  hasNext: boolean;
  /** Number of templates on all pages. */
  total: number;
}

const DEFAULT_LIMIT = 25;
const MAX_LIMIT = 1_000;

const cursorOf = (template: StoredTemplate | undefined): string | undefined =>
  template && Buffer.from(`QVF:${template.id}`).toString('base64url');

/** @param wanted a value, or a JSON list of values */
const matches = (wanted: string | undefined, value: string): boolean =>
  !wanted ||
  wanted
    .toUpperCase()
    .replace(/[[\]"\s]/g, '')
    .split(',')
    .includes(value.toUpperCase());

/** Time for which the name of a deleted template is blocked: 30 days. */
const BLOCKED_MS = 30 * 24 * 60 * 60 * 1_000;
const FIRST_ID = 1_689_556_908_129_832;

/**
 * Templates of all business accounts. Lists contain those of one account, while sends match names across all accounts.
 */
export class TemplateStore {
  private templates = seedTemplates();
  /** Time at which the blocked name of a deleted template becomes available again, by name. */
  private readonly blocked = new Map<string, number>();
  /** Owners of templates that do not belong to the first business account. */
  private readonly owners = new Map<string, string>();
  private lastId = FIRST_ID;

  nextId(): string {
    this.lastId += 1;
    return String(this.lastId);
  }

  add(template: StoredTemplate): void {
    this.templates.push(template);
  }

  assign(id: string, wabaId: string): void {
    if (wabaId !== WABA_ID) this.owners.set(id, wabaId);
  }

  ownerOf(id: string): string {
    return this.owners.get(id) ?? WABA_ID;
  }

  /** Adds the sample template of a new business account. */
  addSample(wabaId: string): void {
    const sample = seedTemplates().find(({ name }) => name === 'hello_world')!;
    const id = this.nextId();
    this.add({ ...sample, id });
    this.assign(id, wabaId);
  }

  block(name: string, nowMs: number): void {
    this.blocked.set(name, nowMs + BLOCKED_MS);
  }

  isBlocked(name: string, nowMs: number): boolean {
    return (this.blocked.get(name) ?? 0) > nowMs;
  }

  all(): readonly StoredTemplate[] {
    return this.templates;
  }

  byId(id: string): StoredTemplate | undefined {
    return this.templates.find((template) => template.id === id);
  }

  find(name: string, language?: string): StoredTemplate | undefined {
    return this.templates.find((template) => template.name === name && (!language || template.language === language));
  }

  apply(template: StoredTemplate, event: TemplateEvent, reason: string | null): void {
    const status = STATUS_AFTER_EVENT[event];
    template.status = status ?? 'DELETED';
    if (status === null) this.templates = this.templates.filter((kept) => kept !== template);
    if (event === 'REJECTED') template.rejected_reason = reason ?? 'NONE';
  }

  /**
   * Returns a page in a stable order, after `after` or before `before`.
   * @throws GraphError 131059 for an invalid cursor
   */
  page(query: TemplateQuery, wabaId = WABA_ID): TemplateListPage {
    const found = this.templates.filter(
      (template) =>
        this.ownerOf(template.id) === wabaId &&
        (!query.name || template.name === query.name) &&
        holds(template, query.name_or_content) &&
        matches(query.language, template.language) &&
        matches(query.status, template.status) &&
        matches(query.category, template.category),
    );
    const limit = readLimit(query.limit);
    const end = query.before ? this.position(found, query.before) : found.length;
    const start = query.after ? this.position(found, query.after) + 1 : query.before ? Math.max(0, end - limit) : 0;
    const templates = found.slice(start, Math.min(end, start + limit));
    return {
      templates,
      before: cursorOf(templates[0]),
      after: cursorOf(templates.at(-1)),
      hasNext: start + templates.length < found.length,
      total: found.length,
    };
  }

  reset(): void {
    this.templates = seedTemplates();
    this.blocked.clear();
    this.owners.clear();
  }

  private position(found: StoredTemplate[], cursor: string): number {
    const index = found.findIndex((template) => cursorOf(template) === cursor);
    if (index < 0) throw refusal(131059);
    return index;
  }
}

function holds({ name, components = [] }: StoredTemplate, wanted: string | undefined): boolean {
  if (!wanted) return true;
  return [name, ...components.map(({ text }) => text ?? '')].some((text) =>
    text.toLowerCase().includes(wanted.toLowerCase()),
  );
}

function readLimit(text: string | undefined): number {
  const limit = Number(text ?? DEFAULT_LIMIT);
  return Number.isInteger(limit) && limit > 0 ? Math.min(limit, MAX_LIMIT) : DEFAULT_LIMIT;
}
