import { Link } from '@tanstack/react-router';
import { CircleDollarSign } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { Segments, Select } from '../../components/controls';
import { Time, wordOf } from '../../components/display';
import { List } from '../../components/list';
import { useFilters } from '../../hooks/use-filters';
import { useRead } from '../../hooks/queries';
import { countText as count, monthText } from '../../lib/formats';
import { amountText } from '../jobs/shared/bill-texts';
import { titleOf } from '../jobs/shared/job-outcomes';
import { JobPrices, useJobPrices } from './job-prices';

type Group = Schemas['UsageGroup'];
type Grouping = Schemas['Usage']['by'];

const GROUPINGS: readonly (readonly [by: Grouping, text: string, none: string])[] = [
  ['category', 'Category', 'Not reported'],
  ['market', 'Market', 'Other'],
  ['template', 'Template', 'No template'],
  ['job', 'Job', 'No job'],
];
/** Number of months that the service retains, the current one included. */
const MONTHS = 13;

const textOf = (word: string): string => wordOf(word).replaceAll('_', ' ');

function recentMonths(): string[] {
  const now = new Date();
  return Array.from({ length: MONTHS }, (_, ago) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago)).toISOString().slice(0, 7),
  );
}

/** Delivered messages of a month with their pricing, and their price by the rate card. */
export function UsageMonth() {
  const [filters, filter] = useFilters();
  const months = recentMonths();
  const month = months.find((known) => known === filters.month) ?? months[0]!;
  const [by, , none] = GROUPINGS.find(([known]) => known === filters.by) ?? GROUPINGS[0]!;
  const usage = useRead(['usage', month, by], () =>
    must(api.GET('/console/v1/usage', { params: { query: { month, by } } })),
  );
  const currency = usage.data?.currency;
  const jobs = useJobPrices(month).rows;
  const nameOf = (group: Group): string =>
    group.name === null ? none : by === 'category' ? textOf(group.name) : group.name;
  return (
    <>
      <section className="section" aria-labelledby="usage-month">
        <div className="section-head">
          <h2 id="usage-month">Messages of a month</h2>
          {usage.data && <span className="count">{totalOf(usage.data)}</span>}
        </div>
        <div className="filters">
          <Select
            isSmall
            label="Month (UTC)"
            value={month}
            onChange={(value) => filter({ month: value })}
            options={months.map((value) => [value, monthText(value)] as const)}
          />
          <Segments
            label="Group by"
            isSmall
            value={by}
            onChange={(value) => filter({ by: value })}
            options={GROUPINGS.map(([value, text]) => [value, text] as const)}
          />
        </div>
        <List
          label="Messages of a month"
          list={{ ...usage, rows: usage.data?.groups ?? [] }}
          keyOf={({ name }) => name ?? ''}
          empty={{
            icon: CircleDollarSign,
            title: 'No messages',
            text: 'Delivered messages appear here once the platform has reported their pricing.',
          }}
          columns={[
            {
              head: GROUPINGS.find(([known]) => known === by)![1],
              cell: (group) => (
                <>
                  {by === 'job' && group.name !== null ? (
                    <JobName jobId={group.name} job={jobs.find(({ jobId }) => jobId === group.name)} />
                  ) : (
                    <span className="strong">{nameOf(group)}</span>
                  )}
                  <div className="hint">
                    {group.pricing.map((figures) => pricingText(figures, by === 'category')).join(', ')}
                  </div>
                </>
              ),
            },
            { head: 'Delivered', isNumber: true, cell: ({ delivered }) => count(delivered) },
            { head: 'Billable', isNumber: true, cell: ({ billable }) => count(billable) },
            {
              head: 'Amount',
              isNumber: true,
              cell: ({ amount, unrated }) => (
                <>
                  {amount === null ? 'No rate' : amountText(amount, currency ?? '', unrated)}
                  {amount !== null && unrated > 0 && <div className="hint">{count(unrated)} without a rate</div>}
                </>
              ),
            },
          ]}
        />
        {(usage.data?.moreGroups ?? 0) > 0 && (
          <p className="hint">{count(usage.data?.moreGroups ?? 0)} more with fewer billable messages</p>
        )}
        <p className="hint">
          Amounts follow the rate card of this installation, which the page Settings shows. The platform’s invoice
          decides.
        </p>
      </section>
      <JobPrices month={month} />
    </>
  );
}

/** Such as `1,200 delivered, 900 billable, 12.50 USD`. */
function totalOf({ total: { delivered, billable, amount, unrated }, currency }: Schemas['Usage']): string {
  const amountOf = amountText(amount, currency, unrated);
  const price = amount === null ? '' : `, ${amountOf.charAt(0).toLowerCase()}${amountOf.slice(1)}`;
  return `${count(delivered)} delivered, ${count(billable)} billable${price}`;
}

/** Link to a job. @param job the job, if it was created in the shown month and is loaded */
function JobName({ jobId, job }: { jobId: string; job: Schemas['Job'] | undefined }) {
  return (
    <>
      <Link className="link strong wrap-any" to="/jobs/$jobId" params={{ jobId }}>
        {job ? titleOf(job) : jobId}
      </Link>
      {job && (
        <span className="hint">
          {' '}
          <Time at={job.createdAt} />
        </span>
      )}
    </>
  );
}

/**
 * Pricing as the platform reported it, such as `Utility: regular 51`.
 *
 * @param isOfCategory whether the row already names the category
 */
function pricingText({ category, type, messages }: Schemas['PriceFigures'], isOfCategory: boolean): string {
  const kind = type === null ? 'type not reported' : type.replaceAll('_', ' ');
  if (isOfCategory) return `${wordOf(kind)} ${count(messages)}`;
  return `${category === null ? 'Not reported' : textOf(category)}: ${kind} ${count(messages)}`;
}
