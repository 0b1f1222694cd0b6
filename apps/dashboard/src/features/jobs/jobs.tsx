import { Link } from '@tanstack/react-router';
import { Layers, Plus } from 'lucide-react';
import { api, must } from '../../api/client';
import { useRefusal } from '../../api/session';
import { Button, Segments } from '../../components/controls';
import { useList } from '../../hooks/queries';
import { PageHead, wordOf } from '../../components/display';
import { SearchBox } from '../../components/search-box';
import { oneOf } from '../../lib/filters';
import { List } from '../../components/list';
import { countText } from '../../lib/formats';
import { useFilters } from '../../hooks/use-filters';
import { CREATED, PROGRESS, STATUS } from './shared/job-columns';
import { hasEnded, isHeld, type Job, titleOf } from './shared/job-outcomes';
import { notSentOf, sentOf } from './shared/job-counts';

const UNSETTLED_MS = 2_000;
const LOOK_MS = 10_000;
const STATUSES = ['queued', 'processing', 'paused', 'completed', 'failed', 'cancelled'] as const;

export function Page() {
  const [filters, filter] = useFilters();
  const status = oneOf(filters.status, STATUSES);
  const search = filters.search;
  const jobs = useList(
    ['jobs', status, search],
    async (cursor) => {
      const { jobs: rows, pagination } = await must(
        api.GET('/console/v1/jobs', { params: { query: { status, search, cursor } } }),
      );
      return { rows, nextCursor: pagination.nextCursor, total: pagination };
    },
    (page) => page.rows,
    { everyMs: (rows) => (rows.some((job) => !hasEnded(job) && !isHeld(job)) ? UNSETTLED_MS : LOOK_MS) },
  );
  const { total, totalIsExact } = jobs.data?.pages[0]?.total ?? { total: undefined, totalIsExact: true };
  return (
    <div className="page narrow">
      <PageHead title="Jobs" count={total && `${countText(total)}${totalIsExact ? '' : ' or more'}`}>
        <NewJob />
      </PageHead>
      <div className="filters">
        <SearchBox
          label="Search by name"
          placeholder="Name or template"
          value={search ?? ''}
          onChange={(text) => filter({ search: text }, { isTyped: true })}
          isWhole={() => true}
        />
        <Segments
          isSmall
          label="Status"
          value={status ?? ''}
          onChange={(chosen) => filter({ status: chosen || undefined })}
          options={[['', 'All'], ...STATUSES.map((known) => [known, wordOf(known)] as const)]}
        />
      </div>
      <List
        label="Jobs"
        list={jobs}
        keyOf={({ jobId }) => jobId}
        empty={
          status === undefined && search === undefined
            ? {
                icon: Layers,
                title: 'No jobs',
                text: 'A job sends a template to many recipients, from a list of phone numbers or a spreadsheet.',
                action: <NewJob />,
              }
            : {
                icon: Layers,
                title: search === undefined ? `No ${status} jobs` : 'No jobs match',
                text:
                  search === undefined
                    ? 'Jobs with other statuses are hidden.'
                    : 'The search finds a part of the name of a job or its template.',
                action: (
                  <Button size="sm" onClick={() => filter({ status: undefined, search: undefined })}>
                    Show all
                  </Button>
                ),
              }
        }
        columns={[
          {
            head: 'Job',
            cell: (job) => (
              <>
                <Link className="cell" to="/jobs/$jobId" params={{ jobId: job.jobId }}>
                  {titleOf(job)}
                </Link>
                {hintOf(job) !== '' && <div className="hint">{hintOf(job)}</div>}
              </>
            ),
          },
          {
            head: 'Source',
            hide: 'md',
            cell: ({ type }) => <span className="dim">{type === 'excel' ? 'Spreadsheet' : 'List or contacts'}</span>,
          },
          PROGRESS,
          {
            head: 'Sent',
            isNumber: true,
            cell: (job) => (
              <span className="tn nowrap">
                {countText(sentOf(job))} <span className="dimmer">of {countText(rowsOf(job))}</span>
              </span>
            ),
          },
          {
            head: 'Not sent',
            hide: 'sm',
            isNumber: true,
            cell: (job) => <span className={notSentOf(job) > 0 ? '' : 'dimmer'}>{countText(notSentOf(job))}</span>,
          },
          CREATED,
          STATUS,
        ]}
      />
    </div>
  );
}

/** What the title does not say: the template of a named job, and whether it is a retry. */
const hintOf = ({ name, template, retryOf }: Job): string =>
  [name && template, retryOf && 'retry of failed rows'].filter(Boolean).join(', ');

const rowsOf = ({ total, duplicates = 0 }: Job): number => total - duplicates;

function NewJob() {
  const refusal = useRefusal('admin');
  return refusal === undefined ? (
    <Link className="btn primary sm" to="/jobs/new">
      <Plus className="i" aria-hidden />
      New job
    </Link>
  ) : (
    <Button look="primary" size="sm" icon={Plus} refusal={refusal}>
      New job
    </Button>
  );
}
