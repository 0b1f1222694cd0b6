import type { TemplateStatus } from '@switchboard/contracts';
import { statusOf } from './template-state';
import type { ListedTemplate } from './listed-template';

/** State of a template before a sync. */
export interface KnownTemplate {
  id: string;
  name: string;
  language: string;
  category: string;
  status: TemplateStatus;
  /** Status in the upstream platform's terms. */
  upstreamStatus: string;
  /**
   * Reason of the announced flag on a sendable template. Empty if the flag has no reason, null if the template is not
   * flagged.
   */
  flagReason: string | null;
}

/** A template that is new or missing, or that has another upstream status or category. */
export interface TemplateChange {
  id: string;
  name: string;
  language: string;
  category: string;
  /** Null for a new template. */
  previousStatus: TemplateStatus | null;
  status: TemplateStatus;
  /** Null when the template is missing. */
  upstreamStatus: string | null;
  /** Previous category, if it changed. The platform decides which category applies. */
  previousCategory: string | null;
  reason: string | null;
  /** The upstream object. Null when the template is missing. */
  raw: object | null;
}

/** Compares a complete sync with the stored templates. A template missing upstream is DISABLED (spec §10.1.3). */
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

/** A template's status as reported by a callback. */
export interface StatusCallback {
  templateId: string;
  /** Status in the upstream platform's terms, such as `PAUSED`. */
  event: string | null;
  reason: string | null;
}

/** Adds reasons from callbacks to the changes. The upstream list contains only the reasons of rejections. */
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

/** Reason that a callback gave for a template's current status. */
export interface StatusReason {
  id: string;
  status: TemplateStatus;
  reason: string;
}

/**
 * Returns the reasons from callbacks whose status the template still has. A sync may have reported the status before
 * the callback with its reason arrived.
 */
export function reasonsOf(listed: readonly ListedTemplate[], callbacks: readonly StatusCallback[]): StatusReason[] {
  return listed.flatMap(({ id, status }) => {
    const told = callbacks.findLast(({ templateId, event }) => templateId === id && statusOf(event ?? '') === status);
    return told?.reason ? [{ id, status, reason: told.reason }] : [];
  });
}

/** Upstream events that end a flag. */
const END_OF_FLAG: ReadonlySet<string> = new Set(['APPROVED', 'REINSTATED', 'UNARCHIVED']);

/** Start or end of a flag on a sendable template (spec §10.1.5). */
export interface FlagNews {
  template: ListedTemplate;
  status: TemplateStatus;
  previousStatus: TemplateStatus;
  reason: string | null;
}

/** Flags to announce, and the reason of each flag afterwards. Null for a template that is not flagged. */
export interface Flags {
  news: FlagNews[];
  flagReasons: Map<string, string | null>;
}

/** Evaluates callbacks about sendable templates in order. A status other than a flag also ends the flag. */
export function findFlags(
  known: readonly KnownTemplate[],
  listed: readonly ListedTemplate[],
  callbacks: readonly StatusCallback[],
): Flags {
  const before = new Map(known.map(({ id, flagReason }) => [id, flagReason]));
  const flagReasons = new Map<string, string | null>();
  const news = listed.flatMap((template) => {
    const own = template.status === 'APPROVED' ? callbacks.filter(({ templateId }) => templateId === template.id) : [];
    const news: FlagNews[] = [];
    let flag = template.status === 'APPROVED' ? (before.get(template.id) ?? null) : null;
    for (const { event, reason } of own) {
      const isNew = flag === null || (reason !== null && reason !== flag);
      if (event === 'FLAGGED' && isNew) {
        flag = reason ?? '';
        news.push({ template, status: 'FLAGGED', previousStatus: 'APPROVED', reason });
      } else if (flag !== null && END_OF_FLAG.has(event ?? '')) {
        flag = null;
        news.push({ template, status: 'APPROVED', previousStatus: 'FLAGGED', reason });
      }
    }
    if (flag !== (before.get(template.id) ?? null)) flagReasons.set(template.id, flag);
    return news;
  });
  return { news, flagReasons };
}

/** Returns the change with the last announced status as its previous status. */
export function sinceFlag<Change extends TemplateChange>(change: Change, known: readonly KnownTemplate[]): Change {
  const isFlagged = known.some(({ id, flagReason }) => id === change.id && flagReason !== null);
  return isFlagged && change.previousStatus === 'APPROVED' ? { ...change, previousStatus: 'FLAGGED' } : change;
}

/**
 * Returns true if customers are notified of the change. A known template is reported when its status changes, but not
 * when only its category does. A new template was created outside this system. In the account's first sync, it is part
 * of the initial state. Later, it is reported once its review is over, because its status has then changed (spec
 * §11.3). A disabled template that disappears has already been reported.
 */
export function isReported(
  { previousStatus, status }: TemplateChange,
  { isFirstReading }: { isFirstReading: boolean },
): boolean {
  if (previousStatus === null) return !isFirstReading && status !== 'PENDING';
  return previousStatus !== status;
}
