import { CircleDollarSign } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { Segments, Select } from '../../components/controls';
import { wordOf } from '../../components/display';
import { List } from '../../components/list';
import { useFilters } from '../../hooks/use-filters';
import { useRead } from '../../hooks/queries';
import { countText as count, monthText } from '../../lib/formats';
import { JobPrices } from './job-prices';

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
                  <span className="strong">{nameOf(group)}</span>
                  <div className="hint">{group.pricing.map(pricingText).join(', ')}</div>
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
                  {amount === null ? 'No rate' : `${amount} ${currency ?? ''}`}
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
function totalOf({ total: { delivered, billable, amount }, currency }: Schemas['Usage']): string {
  const price = amount === null ? '' : `, ${amount} ${currency ?? ''}`;
  return `${count(delivered)} delivered, ${count(billable)} billable${price}`;
}

/** Pricing as the platform reported it, such as `Utility: regular 51`. */
function pricingText({ category, type, messages }: Schemas['PriceFigures']): string {
  const kind = type === null ? 'type not reported' : type.replaceAll('_', ' ');
  return `${category === null ? 'Not reported' : textOf(category)}: ${kind} ${count(messages)}`;
}
