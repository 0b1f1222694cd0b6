import { RotateCcw, Rows3, Search } from 'lucide-react';
import { type InfiniteData, type Query, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { Button, Form } from '../../components/controls';
import { useList } from '../../hooks/queries';
import { Status, Time, type Tone } from '../../components/display';
import { List } from '../../components/list';
import { countText } from '../../lib/formats';
import { useTyping } from '../../components/use-typing';
import { useFilters } from '../../hooks/use-filters';
import { isRecipient, isUserId } from '../../lib/recipients';
import { countOf, type Job, type Outcome, OUTCOMES } from './shared/job-outcomes';
import { paceOf } from './job-pace';
import { ResultsMenu } from './results-menu';

type Recipient = Schemas['JobRecipient'];

const TONES: Record<Outcome, Tone> = {
  pending: 'neutral',
  accepted: 'info',
  sent: 'info',
  delivered: 'success',
  read: 'success',
  failed: 'bad',
  rejected: 'bad',
  cancelled: 'neutral',
};
const HEADS: Partial<Record<Outcome, string>> = { rejected: 'Rejected rows' };

/** Returns the row number that users see: 1-based for lists, the spreadsheet's row number for files. */
const numberOf = ({ type }: Job, { index }: Recipient): string => countText(type === 'excel' ? index : index + 1);

type RowPages = InfiniteData<{ recipients: Recipient[] }>;

/**
 * Refetches the visible rows of a job. A search may have read many pages to find its rows, or found none; it is
 * repeated only with the last read of the job.
 */
export function useRowsAgain(jobId: string): (job: Job) => Promise<void> {
  const queries = useQueryClient();
  const isCostly = ({ queryKey, state }: Query): boolean => {
    const pages = (state.data as RowPages | undefined)?.pages ?? [];
    const isSearch = queryKey[4] !== undefined || pages.every(({ recipients }) => recipients.length === 0);
    return pages.length > 1 && isSearch;
  };
  return async (job) => {
    const isLastRead = paceOf(job) === undefined;
    const rows = {
      queryKey: ['jobs', jobId, 'recipients'],
      type: 'active' as const,
      predicate: (query: Query) => isLastRead || !isCostly(query),
    };
    // A running read may be "Show more" and started before the job's read. Wait for it, then refetch.
    await queries.refetchQueries({ ...rows, fetchStatus: 'fetching' }, { cancelRefetch: false });
    await queries.refetchQueries(rows, { cancelRefetch: false });
  };
}

interface RowsProps {
  job: Job;
  status: Outcome | undefined;
  refusal: string | undefined;
  onRetry(): void;
}

export function JobRows({ job, status, refusal, onRetry }: RowsProps) {
  const [filters, filter] = useFilters();
  const phone = filters.phone;
  const { jobId } = job;
  const rows = useList(
    ['jobs', jobId, 'recipients', status, phone],
    async (cursor) => {
      const { recipients, pagination } = await must(
        api.GET('/console/v1/jobs/{jobId}/recipients', {
          params: { path: { jobId }, query: { status, phone, cursor, limit: 50 } },
        }),
      );
      return { recipients, nextCursor: pagination.nextCursor };
    },
    (page) => page.recipients,
  );
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = rows;
  const isSearchingOn = rows.rows.length === 0 && hasNextPage && !rows.error;
  // Each page scans a bounded part of the job and may be empty although more pages follow.
  useEffect(() => {
    if (isSearchingOn && !isFetchingNextPage) void fetchNextPage();
  }, [isSearchingOn, isFetchingNextPage, fetchNextPage]);
  const word = OUTCOMES.find(([outcome]) => outcome === status)?.[1];
  const count = status === undefined ? job.total - (job.duplicates ?? 0) : countOf(job, status);
  return (
    <section className="section job-rows" aria-labelledby="rows">
      <div className="section-head">
        <h2 id="rows">{status === undefined ? 'Rows' : (HEADS[status] ?? `${word} rows`)}</h2>
        <span className="count">{countText(count)}</span>
        <span className="push row wrap">
          <PhoneSearch value={phone ?? ''} onChange={(text) => filter({ phone: text })} />
          {status !== undefined && count > 0 && (
            <ResultsMenu jobId={jobId} status={status} label={`Download ${(word ?? '').toLowerCase()}`} />
          )}
          {status === 'failed' && count > 0 && (
            <Button size="sm" icon={RotateCcw} refusal={refusal} onClick={onRetry}>
              {`Retry ${countText(count)}`}
            </Button>
          )}
        </span>
      </div>
      <List
        label="Rows"
        list={isSearchingOn ? { ...rows, isPending: true } : rows}
        keyOf={({ index }) => String(index)}
        empty={{
          icon: Rows3,
          title: phone === undefined ? 'No matching rows' : `No row with ${phone}`,
          text: status === undefined ? 'No rows match the current filters.' : 'Rows with other outcomes are hidden.',
          action: (
            <Button size="sm" onClick={() => filter({ status: 'all', phone: undefined })}>
              Show all rows
            </Button>
          ),
        }}
        columns={[
          { head: 'Row', isNumber: true, cell: (row) => <span className="dimmer tn">{numberOf(job, row)}</span> },
          {
            head: 'Phone number',
            cell: ({ phone: given }) => (
              <span className="tn">
                {given?.trim() || <span className="dimmer">{given === null ? 'erased' : 'empty'}</span>}
              </span>
            ),
          },
          ...(status === undefined
            ? [
                {
                  head: 'Outcome',
                  cell: (row: Recipient) => (
                    <Status tone={TONES[row.status]}>
                      {OUTCOMES.find(([outcome]) => outcome === row.status)?.[1] ?? row.status}
                    </Status>
                  ),
                },
              ]
            : []),
          ...(status === undefined || status === 'failed' || status === 'rejected'
            ? [{ head: status === 'rejected' ? 'Error' : 'Reason', cell: reasonOf }]
            : []),
          ...(status === 'failed' ? FAILED_COLUMNS : []),
          ...(status === 'rejected'
            ? []
            : [
                {
                  head: 'Changed',
                  hide: 'sm' as const,
                  cell: (row: Recipient) => (
                    <span className="dim">
                      <Time at={changedAt(row)} empty="–" />
                    </span>
                  ),
                },
              ]),
        ]}
      />
    </section>
  );
}

const FAILED_COLUMNS = [
  {
    head: 'Code',
    hide: 'sm' as const,
    cell: ({ error }: Recipient) => <span className="dim tn">{error?.code ?? error?.reason ?? '–'}</span>,
  },
  {
    head: 'Retriable',
    hide: 'md' as const,
    cell: ({ error }: Recipient) => <span className="dim">{error?.retriable ? 'Yes' : 'No'}</span>,
  },
];

function reasonOf({ error, status }: Recipient) {
  if (!error) return <span className="dimmer">–</span>;
  return (
    <span className="wrap-any" title={error.title}>
      {status === 'rejected' ? error.message : error.title || error.message}
    </span>
  );
}

const changedAt = ({ readAt, failedAt, deliveredAt, sentAt, acceptedAt }: Recipient): string | null =>
  readAt ?? failedAt ?? deliveredAt ?? sentAt ?? acceptedAt;

/** Phone number without the separators that users may enter, or a user id. */
const recipientOf = (typed: string): string =>
  isUserId(typed.trim()) ? typed.trim() : typed.replace(/[+\s().-]/g, '');
const isWhole = (typed: string): boolean => typed === '' || isRecipient(recipientOf(typed));

/** Searches all rows for one complete phone number or user id. */
function PhoneSearch({ value, onChange }: { value: string; onChange(phone: string | undefined): void }) {
  const { typed, type, ask } = useTyping({ value, onChange, isWhole, filterOf: recipientOf });
  return (
    <Form role="search" isGuarded={false} onSubmit={() => isWhole(typed) && ask()}>
      <span className="affix filter-search">
        <Search className="i i-14" aria-hidden />
        <input
          className="input"
          placeholder="Complete number or user ID"
          aria-label="Search rows by phone"
          title={
            isWhole(typed) ? undefined : 'Enter the complete number with its country code, or the complete user ID'
          }
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
      </span>
    </Form>
  );
}
