import { WalletCards } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { useExportRefusal } from '../../api/session';
import { useList, useRead } from '../../hooks/queries';
import { Legend, LineChart, type Series } from '../../components/charts';
import { Choice, DownloadLink } from '../../components/controls';
import { DateFilter } from '../../components/date-fields';
import { Failure, Figure, PageHead, Skeleton, Status, Time, wordOf } from '../../components/display';
import { List } from '../../components/list';
import { counted, countText as count, timeOfField } from '../../lib/formats';
import { useFilters } from '../../hooks/use-filters';
import { SpendCap } from './spend-cap';
import { UsageMonth } from './usage-month';

type Account = Schemas['ConsoleAccountAnswer'];
type Entry = Schemas['LedgerEntryRecord'];
const KINDS = ['grant', 'top_up', 'reserve', 'settle', 'refund'] as const;
const KIND_TEXTS: Record<Entry['kind'], string> = {
  grant: 'Monthly credits',
  top_up: 'Top-up',
  reserve: 'Reserved',
  settle: 'Spent',
  refund: 'Refunded',
};
const KIND_CHOICES = KINDS.map((kind) => [kind, KIND_TEXTS[kind]] as const);
const FEATURES: readonly (readonly [feature: string, text: string])[] = [
  ['BULK_MSG_LIMIT', 'Bulk messages'],
  ['BULK_EXCEL', 'Bulk messages from a spreadsheet'],
  ['MEDIA', 'Images, videos and documents'],
  ['THIRD_PARTY_API', 'One-time passwords'],
];
/** Such as `minute` or `90 s`. */
const windowText = (seconds: number): string => (seconds === 60 ? 'minute' : `${seconds} s`);
const CHART_DAYS = 30;
const LOOK_MS = 10_000;

export function Page() {
  const account = useRead(['account'], () => must(api.GET('/console/v1/account')), { everyMs: () => LOOK_MS });
  return (
    <div className="page narrow">
      <PageHead title="Plan and usage" />
      {account.error && <Failure error={account.error} onRetry={() => void account.refetch()} />}
      {account.isPending && !account.error && <Skeleton />}
      {account.data && <Plan account={account.data} />}
      <SpendCap />
      <UsageMonth />
      <RateUse />
      <Credits />
      <Ledger />
    </div>
  );
}

function Plan({ account: { plan, credits } }: { account: Account }) {
  const { limits } = plan;
  return (
    <>
      <dl className="figures block">
        <Figure
          name="Plan"
          value={wordOf(plan.name)}
          note={`${counted(limits.rateLimit, 'request')} per ${windowText(limits.rateWindowSeconds)}`}
        />
        <Figure
          name="Utility credits left"
          value={count(credits.utility)}
          note={limits.monthlyCredits > 0 ? `${count(limits.monthlyCredits)} added each month` : 'No monthly credits'}
        />
        <Figure
          name="Bulk recipients"
          value={limits.bulkRecipients > 0 ? count(limits.bulkRecipients) : 'None'}
          note="maximum per job from a list or contacts"
        />
        <Figure
          name="Spreadsheet rows"
          value={limits.excelRows > 0 ? count(limits.excelRows) : 'None'}
          note="maximum per spreadsheet"
        />
      </dl>
      <section className="section" aria-labelledby="features">
        <div className="section-head">
          <h2 id="features">Features</h2>
          <span className="count">Plans are managed by the operator of this installation.</span>
        </div>
        <ul className="list-plain">
          {FEATURES.map(([feature, text]) => (
            <li key={feature}>
              <span className="strong">{text}</span>
              <span />
              {plan.features.includes(feature) ? (
                <Status tone="success">Included</Status>
              ) : (
                <Status tone="neutral">Not included</Status>
              )}
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

function RateUse() {
  const usage = useRead(['rate-usage'], () => must(api.GET('/console/v1/rate-usage')), { everyMs: () => LOOK_MS });
  return (
    <section className="section" aria-labelledby="rates">
      <div className="section-head">
        <h2 id="rates">Rate limit</h2>
        <span className="count">Each API client has its own limit.</span>
      </div>
      <List
        label="Rate limit use"
        list={{ ...usage, rows: usage.data?.clients ?? [] }}
        keyOf={({ keyId }) => keyId}
        empty={{ icon: WalletCards, title: 'No active API keys', text: 'Clients with an active API key appear here.' }}
        columns={[
          { head: 'API client', cell: ({ name }) => <span className="strong">{name}</span> },
          {
            head: 'Limit',
            isNumber: true,
            hide: 'sm',
            cell: ({ limit, windowSeconds }) => `${count(limit)} per ${windowText(windowSeconds)}`,
          },
          { head: 'Remaining requests', isNumber: true, cell: ({ remaining }) => count(remaining) },
          {
            head: 'Resets',
            hide: 'sm',
            cell: ({ resetAt }) => (
              <span className="dim">{Date.parse(resetAt) <= Date.now() ? 'Now' : <Time at={resetAt} />}</span>
            ),
          },
        ]}
      />
    </section>
  );
}

function Credits() {
  const figures = useRead(['figures', CHART_DAYS], () =>
    must(api.GET('/console/v1/figures', { params: { query: { days: CHART_DAYS } } })),
  );
  const days = figures.data?.days ?? [];
  const given = days.reduce((sum, { credits }) => sum + credits.given, 0);
  const series: Series[] = [
    { name: 'Spent', look: 'delivered', hasArea: true, values: days.map(({ credits }) => credits.spent) },
    { name: 'Refunded', look: 'pending', values: days.map(({ credits }) => credits.returned) },
  ];
  return (
    <section className="section" aria-labelledby="credit-days">
      <div className="section-head">
        <h2 id="credit-days">Credits per day</h2>
        <span className="count">
          {CHART_DAYS} days, in UTC{figures.data && `; ${count(given)} granted`}
        </span>
        {figures.data && <Legend series={series} />}
      </div>
      {figures.error && <Failure error={figures.error} onRetry={() => void figures.refetch()} />}
      {figures.isPending && !figures.error && <Skeleton lines={6} />}
      {figures.data && (
        <LineChart label="Credits per day" unit="day" starts={days.map(({ at }) => at)} series={series} />
      )}
    </section>
  );
}

function Ledger() {
  const exportRefusal = useExportRefusal();
  const [filters, filter] = useFilters();
  const kind = KINDS.find((known) => known === filters.kind);
  const query = { kind, since: timeOfField(filters.since ?? ''), until: timeOfField(filters.until ?? '') };
  const entries = useList(
    ['credits', query],
    (cursor) => must(api.GET('/console/v1/credits', { params: { query: { ...query, cursor } } })),
    (page) => page.entries,
  );
  const given = Object.entries(query).filter((entry): entry is [string, NonNullable<(typeof entry)[1]>] => !!entry[1]);
  return (
    <section className="section" aria-labelledby="ledger">
      <div className="section-head">
        <h2 id="ledger">Ledger</h2>
        <span className="push">
          <DownloadLink
            href={`/console/v1/credits.csv?${new URLSearchParams(given).toString()}`}
            refusal={exportRefusal}
          >
            Download CSV
          </DownloadLink>
        </span>
      </div>
      <div className="filters">
        <Choice label="Type" value={kind} options={KIND_CHOICES} onChange={(value) => filter({ kind: value })} />
        <DateFilter label="From" value={filters.since} onChange={(since) => filter({ since }, { isTyped: true })} />
        <DateFilter label="Before" value={filters.until} onChange={(until) => filter({ until }, { isTyped: true })} />
      </div>
      <List
        label="Ledger"
        list={entries}
        keyOf={({ id }) => id}
        empty={{
          icon: WalletCards,
          title: 'No entries',
          text: 'Granted, reserved, spent and refunded credits appear here.',
        }}
        columns={[
          {
            head: 'Time',
            cell: ({ at }) => (
              <span className="dim">
                <Time at={at} />
              </span>
            ),
          },
          { head: 'Type', cell: ({ kind: of }) => KIND_TEXTS[of] },
          { head: 'Reason', hide: 'sm', cell: ({ reason }) => <span className="dim">{reason}</span> },
          {
            head: 'Reservation',
            hide: 'md',
            cell: ({ reservationId }) => <span className="mono dimmer">{reservationId}</span>,
          },
          {
            head: 'Credits',
            isNumber: true,
            cell: ({ amount }) => <span className="tn">{amount > 0 ? `+${count(amount)}` : count(amount)}</span>,
          },
        ]}
      />
    </section>
  );
}
