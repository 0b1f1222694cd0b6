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
  /** Why it was announced as flagged although it can be sent; empty without a reason, null when it was not. */
  flagReason: string | null;
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

/** Events of the upstream platform after which a template is no longer flagged. */
const END_OF_FLAG: ReadonlySet<string> = new Set(['APPROVED', 'REINSTATED', 'UNARCHIVED']);

/** A template that is flagged although it can be sent (spec §10.1.5), or that is no longer flagged. */
export interface FlagNews {
  template: ListedTemplate;
  status: TemplateStatus;
  previousStatus: TemplateStatus;
  reason: string | null;
}

/** What is announced about flags, and the flags after it; null for a template that is not flagged. */
export interface Flags {
  news: FlagNews[];
  flagReasons: Map<string, string | null>;
}

/** Follows the callbacks about templates that can be sent, in their order. A flag ends with any other status, too. */
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

/** The change as it is announced: after the status that was announced last. */
export function sinceFlag<Change extends TemplateChange>(change: Change, known: readonly KnownTemplate[]): Change {
  const isFlagged = known.some(({ id, flagReason }) => id === change.id && flagReason !== null);
  return isFlagged && change.previousStatus === 'APPROVED' ? { ...change, previousStatus: 'FLAGGED' } : change;
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
