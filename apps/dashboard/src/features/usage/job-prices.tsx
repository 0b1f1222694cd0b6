import { Link } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { Figure, Time } from '../../components/display';
import { List } from '../../components/list';
import { useList } from '../../hooks/queries';
import { counted, countText as count, monthText } from '../../lib/formats';
import { amountText, differenceText, rangeText } from '../jobs/shared/bill-texts';
import { titleOf } from '../jobs/shared/job-outcomes';
import { differenceOf, estimateNote, reportedNote } from '../jobs/shared/job-price';

type Sums = Pick<Schemas['JobPrices'], 'currency' | 'estimated' | 'reported'>;

/** Lists the jobs of a month with their prices, newest first. */
export function useJobPrices(month: string) {
  return useList(
    ['usage', 'jobs', month],
    async (cursor) => {
      const { pagination, ...page } = await must(
        api.GET('/console/v1/job-prices', { params: { query: { month, cursor } } }),
      );
      return { ...page, nextCursor: pagination.nextCursor };
    },
    (page) => page.jobs,
  );
}

/** Jobs of a month with their estimates and reported charges. */
export function JobPrices({ month }: { month: string }) {
  const jobs = useJobPrices(month);
  const sums = jobs.data?.pages[0];
  return (
    <section className="section" aria-labelledby="job-prices">
      <div className="section-head">
        <h2 id="job-prices">Estimated and reported price per job</h2>
        <span className="count">{`created in ${monthText(month)}, in UTC`}</span>
      </div>
      {sums && sums.jobs.length > 0 && (
        <Sum
          sums={sums}
          isOver={!jobs.hasNextPage && jobs.rows.every(isReported)}
          hasCancelled={jobs.rows.some(isCancelled)}
        />
      )}
      <List
        label="Estimated and reported price per job"
        list={jobs}
        keyOf={({ jobId }) => jobId}
        empty={{
          icon: ListChecks,
          title: 'No jobs',
          text: 'Jobs that were created in this month appear here with their estimates.',
        }}
        columns={[
          {
            head: 'Job',
            cell: (job) => (
              <>
                <Link className="link strong" to="/jobs/$jobId" params={{ jobId: job.jobId }}>
                  {titleOf(job)}
                </Link>
                <div className="hint">
                  <Time at={job.createdAt} />
                </div>
              </>
            ),
          },
          {
            head: 'Estimated',
            isNumber: true,
            cell: ({ estimate }) =>
              estimate ? (
                <>
                  {rangeText(estimate, estimate.currency)}
                  <div className="hint">{estimateNote(estimate)}</div>
                </>
              ) : (
                <span className="dim">None</span>
              ),
          },
          {
            head: 'Reported',
            isNumber: true,
            cell: ({ reported }) =>
              reported && (
                <>
                  {amountText(reported.amount, reported.currency, reported.unrated)}
                  <div className="hint">{reportedNote(reported)}</div>
                </>
              ),
          },
          {
            head: 'Difference',
            isNumber: true,
            cell: (job) => {
              const difference = differenceOf(job);
              return difference ? (
                <>
                  {difference.text}
                  <div className="hint">{difference.note}</div>
                </>
              ) : (
                <span className="dim">{withoutDifference(job)}</span>
              );
            },
          },
          { head: 'Open', isNumber: true, hide: 'sm', cell: ({ reported }) => reported && count(reported.open) },
        ]}
      />
      <p className="hint">
        A job counts here in the month of its creation, with all its messages. The list above counts each message in the
        month in which it was created.
      </p>
    </section>
  );
}

type PricedJob = Schemas['JobPrices']['jobs'][number];

const isCancelled = ({ cancelled }: PricedJob): boolean => cancelled > 0;

function withoutDifference(job: PricedJob): string {
  if ((job.reported?.open ?? 0) > 0) return 'Still open';
  return isCancelled(job) ? 'Cancelled' : '–';
}

const isReported = ({ reported }: PricedJob): boolean => reported?.open === 0;

interface SumProps {
  sums: Sums;
  /** Whether all jobs of the month are shown, and none has messages without a reported price. */
  isOver: boolean;
  /** Whether a shown job has cancelled rows, which its estimate includes. */
  hasCancelled: boolean;
}

function Sum({ sums: { currency, estimated, reported }, isOver, hasCancelled }: SumProps) {
  const without = estimated?.withoutEstimate ?? 0;
  const isComparable = isOver && !hasCancelled && without === 0 && reported.unrated === 0 && estimated?.unrated === 0;
  const difference = isComparable ? differenceText(estimated, reported.amount, currency) : undefined;
  return (
    <dl className="figures compact block">
      <Figure
        name="Estimated"
        value={estimated ? rangeText(estimated, currency) : 'Unknown'}
        note={
          estimated
            ? `${counted(estimated.jobs, 'job')}, ${counted(estimated.messages, 'message')}${hasCancelled ? ', with cancelled ones' : ''}`
            : 'without a rate card'
        }
      />
      <Figure
        name="Reported"
        value={amountText(reported.amount, currency, reported.unrated)}
        note={`for ${count(reported.messages)} delivered`}
      />
      {difference && <Figure name="Difference" value={difference.text} note={difference.note} />}
      {without > 0 && <Figure name="Without an estimate" value={count(without)} note="included in Reported" />}
    </dl>
  );
}
