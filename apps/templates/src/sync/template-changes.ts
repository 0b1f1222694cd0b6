import type { TemplateStatus } from '@switchboard/contracts';
import { statusOf } from './template-state';
import type { ListedTemplate } from './listed-template';

/** What we knew of a template before a reading. */
export interface KnownTemplate {
  id: string;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  /** The upstream's own word. */
  upstreamStatus: string;
}

/** A template that is new or gone, or that the upstream platform gave another status or category. */
export interface TemplateChange {
  id: string;
  name: string;
  language: string;
  category: string;
  /** Null for a template that was not known before. */
  previousStatus: TemplateStatus | null;
  status: TemplateStatus;
  /** Null when the template is gone. */
  upstreamStatus: string | null;
  /** What the category was, if it is another now; the platform decides which one applies. */
  previousCategory: string | null;
  reason: string | null;
  /** The upstream's own object; null when the template is gone. */
  raw: object | null;
}

/** Compares a whole reading with what was known. A template that has gone upstream is DISABLED (spec §10.1.3). */
export function findChanges(known: readonly KnownTemplate[], listed: readonly ListedTemplate[]): TemplateChange[] {
  const knownById = new Map(known.map((template) => [template.id, template]));
  const listedIds = new Set(listed.map(({ id }) => id));
  const appearedOrMoved = listed.flatMap((template) => {
    const before = knownById.get(template.id);
    const isSame =
      before &&
      before.status === template.status &&
      before.category === template.category &&
      before.upstreamStatus === template.upstreamStatus;
    if (isSame) return [];
    const previousCategory = before && before.category !== template.category ? before.category : null;
    return [{ ...template, previousStatus: before?.status ?? null, previousCategory }];
  });
  const gone = known
    .filter(({ id }) => !listedIds.has(id))
    .map((template) => ({
      ...template,
      previousStatus: template.status,
      status: 'DISABLED' as const,
      upstreamStatus: null,
      previousCategory: null,
      reason: null,
      raw: null,
    }));
  return [...appearedOrMoved, ...gone];
}

/** What a callback said of a template's status. */
export interface StatusCallback {
  templateId: string;
  /** The upstream's word, for example `PAUSED`. */
  event: string | null;
  reason: string | null;
}

/**
 * The changes with the reasons that only callbacks have; lists of the upstream platform tell why a template was
 * rejected, and nothing else.
 */
export function withReasons(
  changes: readonly TemplateChange[],
  callbacks: readonly StatusCallback[],
): TemplateChange[] {
  return changes.map((change) => {
    const told = callbacks.findLast(
      ({ templateId, event }) => templateId === change.id && statusOf(event ?? '') === change.status,
    );
    return { ...change, reason: change.reason ?? told?.reason ?? null };
  });
}

/** A reason that a callback gave, of a status that a template has in the reading at hand. */
export interface StatusReason {
  id: string;
  status: TemplateStatus;
  reason: string;
}

/**
 * The reasons of callbacks for the statuses that their templates still have. A reading may have found such a status
 * before its callback came, and then reported it without a reason.
 */
export function reasonsOf(listed: readonly ListedTemplate[], callbacks: readonly StatusCallback[]): StatusReason[] {
  return listed.flatMap(({ id, status }) => {
    const told = callbacks.findLast(({ templateId, event }) => templateId === id && statusOf(event ?? '') === status);
    return told?.reason ? [{ id, status, reason: told.reason }] : [];
  });
}

/**
 * Templates that the upstream platform has flagged and that can be sent all the same, with the reason (spec §10.1.5).
 */
export function findWarnings(
  listed: readonly ListedTemplate[],
  callbacks: readonly StatusCallback[],
): ListedTemplate[] {
  return listed
    .filter(({ status }) => status === 'APPROVED')
    .flatMap((template) => {
      const flagged = callbacks.findLast(({ templateId, event }) => templateId === template.id && event === 'FLAGGED');
      return flagged ? [{ ...template, reason: flagged.reason }] : [];
    });
}

/**
 * Whether customers are told. A known template that moved: yes; another category alone is no status. One that was not
 * known before was created elsewhere: in the account's first reading it is the state we start from, later on it counts
 * once its review is over: then it has changed its state (spec §11.3). A disabled template that goes away was reported
 * before.
 */
export function isReported(
  { previousStatus, status }: TemplateChange,
  { isFirstReading }: { isFirstReading: boolean },
): boolean {
  if (previousStatus === null) return !isFirstReading && status !== 'PENDING';
  return previousStatus !== status;
}
