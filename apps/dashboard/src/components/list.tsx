import { ArrowUp, ChevronDown, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './controls';
import { Empty, Failure, Skeleton } from './display';
import { countText } from '../lib/formats';

interface Column<Row> {
  head: string;
  cell(row: Row): ReactNode;
  /** `sm` and `md` columns are hidden on narrow screens. */
  hide?: 'sm' | 'md';
  isNumber?: boolean;
  /** Widens the column for long text. */
  isWide?: boolean;
  /** Label next to a number. */
  isName?: boolean;
}

interface Listed<Row> {
  rows: Row[];
  isPending: boolean;
  error: Error | null;
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  refetch(): unknown;
  fetchNextPage?(): unknown;
  /** Number of new log rows that are shown on demand. */
  news?: number;
  hasMoreNews?: boolean;
  showNews?(): void;
}

/** Returns the row count for the page header: `12`, or `50+` while more pages exist. */
export function countOf({ rows, isPending, hasNextPage }: Listed<unknown>): string | undefined {
  return isPending ? undefined : `${countText(rows.length)}${hasNextPage ? '+' : ''}`;
}

interface ListProps<Row> {
  label: string;
  list: Listed<Row>;
  columns: readonly Column<Row>[];
  keyOf(row: Row): string;
  isSelected?(row: Row): boolean;
  isGone?(row: Row): boolean;
  empty: { icon: LucideIcon; title: string; text: ReactNode; action?: ReactNode };
}

/**
 * List with its states: loading, failed (earlier rows stay), empty, new rows, and more pages. The keys j, k and Enter
 * (`shell/keyboard-shortcuts.ts`) move through the links of its rows.
 */
export function List<Row>({ label, list, columns, keyOf, isSelected, isGone, empty }: ListProps<Row>) {
  const { rows, isPending, error } = list;
  const classOf = ({ hide, isNumber, isWide, isName }: Column<Row>): string =>
    [hide && `hide-${hide}`, isNumber && 'num', isWide && 'wide', isName && 'name'].filter(Boolean).join(' ');
  return (
    <div className="stack">
      {error && <Failure error={error} onRetry={() => void list.refetch()} />}
      {isPending && !error && <Skeleton lines={6} />}
      {!isPending && !error && rows.length === 0 && list.hasNextPage && (
        <p className="hint">No matches among recent rows. Choose “Show more” to search older rows.</p>
      )}
      {!isPending && !error && rows.length === 0 && !list.hasNextPage && (
        <Empty icon={empty.icon} title={empty.title} action={empty.action}>
          {empty.text}
        </Empty>
      )}
      {(list.news ?? 0) > 0 && (
        <div className="news" role="status">
          <Button size="sm" icon={ArrowUp} onClick={() => list.showNews?.()}>
            {countText(list.news ?? 0)}
            {list.hasMoreNews && '+'} new
          </Button>
        </div>
      )}
      {rows.length > 0 && (
        <div className="bleed">
          <table className="table" aria-label={label}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column.head} scope="col" className={classOf(column)}>
                    {column.head || <span className="sr">Actions</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr
                  key={keyOf(row)}
                  aria-selected={isSelected?.(row) || undefined}
                  className={isGone?.(row) ? 'is-gone' : ''}
                >
                  {columns.map((column) => (
                    <td key={column.head} className={classOf(column)}>
                      {column.cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {list.hasNextPage && (
        <div className="pager">
          <Button
            size="sm"
            icon={ChevronDown}
            isBusy={list.isFetchingNextPage ?? false}
            onClick={() => void list.fetchNextPage?.()}
          >
            Show more
          </Button>
        </div>
      )}
    </div>
  );
}
