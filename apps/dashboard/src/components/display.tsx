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
import { showTitle } from '../lib/page-title';
import { fullTime, relativeTime } from '../lib/formats';
import { useMinutes } from '../lib/use-minutes';

export type Tone = 'neutral' | 'info' | 'success' | 'warning' | 'bad';
const ICONS: Record<Tone, LucideIcon> = {
  neutral: CircleDashed,
  info: Clock,
  success: CircleCheck,
  warning: TriangleAlert,
  bad: CircleAlert,
};

/** Status as an icon and a word. @param isBoxed for a status next to a title */
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

/** Relative time. Hover, focus or tap shows the full time, also in UTC. */
export function Time({ at, empty = 'Never' }: { at: string | null | undefined; empty?: string }) {
  useMinutes();
  if (!at) return <span className="dimmer">{empty}</span>;
  return (
    <time dateTime={at} data-tip={fullTime(at)} tabIndex={0}>
      {relativeTime(at)}
    </time>
  );
}

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
    showTitle(title);
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

/** Error of a failed read. Data that was read before stays on the page. */
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

/** Form-level error that belongs to none of the listed fields. */
export function Refused({ error, fields }: { error: ApiError | null; fields: readonly string[] }) {
  const faults = error?.more.details ?? [];
  if (!error || (faults.length > 0 && faults.every(({ field }) => fields.includes(field)))) return null;
  return <Note tone="bad">{error.message}</Note>;
}

/** Returns the display form of a status: `PENDING` and `pending` both become Pending. */
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

/** Placeholder lines for slow loads. Do not use it for instant content. */
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

/** One statistic in a row. @param children a small chart next to it */
export function Figure({
  name,
  value,
  note,
  children,
}: {
  name: string;
  /** Undefined when there is no data yet. */
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

export function Facts({
  rows,
}: {
  /** The key distinguishes rows with the same name. */
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
