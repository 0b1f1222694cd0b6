import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  Clock,
  type LucideIcon,
  RotateCcw,
  TriangleAlert,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ApiError } from '../api/client';
import { Button } from './controls';
import { CopyButton } from './copy-button';
import { WithReasons } from './disabled-reasons';
import { fullTime, relativeTime, useMinutes } from '../lib/times';

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'bad';
const ICONS: Record<Tone, LucideIcon> = {
  neutral: CircleDashed,
  info: Clock,
  success: CircleCheck,
  warning: TriangleAlert,
  bad: CircleAlert,
};

/** A state: always an icon and a word. @param isBoxed beside a title */
export function Status({ tone, children, isBoxed }: { tone: Tone; children: ReactNode; isBoxed?: boolean }) {
  const Icon = children === 'Revoked' || children === 'Disabled' ? Ban : ICONS[tone];
  const isQuiet = !isBoxed && tone !== 'bad' && tone !== 'warning';
  return (
    <span className={['st', tone, isBoxed && 'boxed', isQuiet && 'quiet'].filter(Boolean).join(' ')}>
      <Icon className="i i-14" aria-hidden />
      {children}
    </span>
  );
}

/** A time, relative; the whole of it, in local time and UTC, when it is pointed at, focused or tapped. */
export function Time({ at, empty = 'Never' }: { at: string | null | undefined; empty?: string }) {
  useMinutes();
  if (!at) return <span className="dimmer">{empty}</span>;
  return (
    <time dateTime={at} data-tip={fullTime(at)} tabIndex={0}>
      {relativeTime(at)}
    </time>
  );
}

/** The head of a page. */
export function PageHead({
  title,
  count,
  status,
  children,
}: {
  title: string;
  count?: ReactNode;
  status?: ReactNode;
  children?: ReactNode;
}) {
  useEffect(() => {
    document.title = `${title} · Switchboard`;
  }, [title]);
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {status}
      {count !== undefined && <span className="count">{count}</span>}
      {children && <WithReasons className="actions">{children}</WithReasons>}
    </div>
  );
}

export function Note({ tone, children, actions }: { tone: Tone; children: ReactNode; actions?: ReactNode }) {
  const Icon = ICONS[tone];
  return (
    <div className={`note-bar ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon className="i" aria-hidden />
      <div>{children}</div>
      {actions && <div className="actions">{actions}</div>}
    </div>
  );
}

/** A read that failed. What was read before stays on the page. */
export function Failure({ error, onRetry }: { error: Error; onRetry?: () => void }) {
  const [code, requestId] = error instanceof ApiError ? [error.code, error.more.requestId] : ['', undefined];
  return (
    <Note
      tone="bad"
      actions={
        onRetry && (
          <Button size="sm" icon={RotateCcw} onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {error.message}
      <p className="mono">{[code, requestId].filter(Boolean).join(' · ')}</p>
    </Note>
  );
}

/** Above a form: a refusal that belongs to none of the fields that show theirs. */
export function Refused({ error, fields }: { error: ApiError | null; fields: readonly string[] }) {
  const faults = error?.more.details ?? [];
  if (!error || (faults.length > 0 && faults.every(({ field }) => fields.includes(field)))) return null;
  return <Note tone="bad">{error.message}</Note>;
}

/** The word of a state as it is shown: `PENDING` and `pending` are both Pending. */
export const wordOf = (state: string): string => state.charAt(0).toUpperCase() + state.slice(1).toLowerCase();

export function Empty({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      <Icon className="i" aria-hidden />
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

const SKELETON_AFTER_MS = 150;

/** Grey lines where something is on its way; not for what comes at once. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="stack" role="status" aria-busy="true" aria-label="Loading">
      {isShown && Array.from({ length: lines }, (_, line) => <span key={line} className={`sk sk-${(line % 4) + 1}`} />)}
    </div>
  );
}

/** Something to copy, on one line. */
export function CopyLine({ label, text }: { label: string; text: string }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <div className="field">
      <span className="label">{label}</span>
      <div className="copyline">
        <code className="mono" tabIndex={0} ref={shown}>
          {text}
        </code>
        <CopyButton text={text} shown={shown} label={label} />
      </div>
    </div>
  );
}

export function Code({ title, text }: { title: ReactNode; text: string }) {
  const shown = useRef<HTMLElement>(null);
  return (
    <figure className="code">
      <figcaption className="code-head">
        {title}
        <CopyButton text={text} shown={shown} look="ghost" />
      </figcaption>
      <pre tabIndex={0}>
        <code ref={shown}>{text}</code>
      </pre>
    </figure>
  );
}

/** One of a row of figures. @param children a small chart beside it */
export function Figure({
  name,
  value,
  note,
  children,
}: {
  name: string;
  /** Undefined where there is nothing to count yet. */
  value: string | undefined;
  note: ReactNode;
  children?: ReactNode;
}) {
  return (
    <div className="figure">
      <dt>{name}</dt>
      {value === undefined ? <dd className="value dimmer">None yet</dd> : <dd className="value">{value}</dd>}
      <dd className="note">{note}</dd>
      {children}
    </div>
  );
}

/** Names and values. */
export function Facts({
  rows,
}: {
  /** A key tells rows of the same name apart. */
  rows: readonly (readonly [name: string, value: ReactNode, key?: string] | false | undefined)[];
}) {
  return (
    <dl className="facts">
      {rows.map(
        (row) =>
          row && (
            <div key={row[2] ?? row[0]} className="contents">
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
