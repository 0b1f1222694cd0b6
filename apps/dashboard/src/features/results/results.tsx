import { Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { api, must, type Schemas } from '../../api/client';
import { useExportRefusal } from '../../api/session';
import { Legend, LineChart, type Series } from '../../components/charts';
import { DownloadLink } from '../../components/controls';
import { DateFilter } from '../../components/date-fields';
import { Failure, Figure, Note, PageHead, Skeleton, Time, wordOf } from '../../components/display';
import { List } from '../../components/list';
import { ShareBar } from '../../components/share-bar';
import { useRead } from '../../hooks/queries';
import { useFilters } from '../../hooks/use-filters';
import { counted, countText as count, durationText, percentText, timeOfField } from '../../lib/formats';
import { daysBetween } from './days-between';

type Results = Schemas['Results'];
type Group = Schemas['ResultGroup'];
type Grouping = Results['by'];

interface Tab {
  by: Grouping;
  text: string;
  /** Name of messages without a value. */
  none: string;
  response: string;
}

const TABS: readonly [Tab, ...Tab[]] = [
  { by: 'template', text: 'Template', none: 'No template', response: 'Time to answer' },
  { by: 'job', text: 'Job', none: 'No job', response: 'Time to answer' },
  { by: 'label', text: 'Label', none: 'No label', response: 'Time to answer' },
  { by: 'agent', text: 'Agent', none: 'Not written by a user', response: 'Time to reply' },
];
/** Interval at which the page asks again while days are being computed. */
const PENDING_MS = 5_000;

/** What became of messages by template, job, label and agent. */
export function Page() {
  const exportRefusal = useExportRefusal();
  const [filters, filter] = useFilters();
  const tab = TABS.find(({ by }) => by === filters.by) ?? TABS[0];
  const query = { by: tab.by, since: dayOrNone(filters.since), until: dayOrNone(filters.until) };
  const results = useRead(['results', query], () => must(api.GET('/console/v1/results', { params: { query } })), {
    everyMs: (data) => (data && data.pendingDays.length > 0 ? PENDING_MS : undefined),
  });
  const { data, error } = results;
  const range = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return (
    <div className="page">
      <PageHead title="Results" count={data && `${data.since} to ${data.until}, in UTC`}>
        <DownloadLink href={`/console/v1/results.csv?${range.toString()}`} refusal={exportRefusal}>
          Download CSV
        </DownloadLink>
      </PageHead>
      <div className="filters">
        <DateFilter label="From" value={filters.since} onChange={(since) => filter({ since }, { isTyped: true })} />
        <DateFilter label="To" value={filters.until} onChange={(until) => filter({ until }, { isTyped: true })} />
        {data && <Freshness of={data} />}
      </div>
      {error && <Failure error={error} onRetry={() => void results.refetch()} />}
      {!data && !error && <Skeleton lines={8} />}
      {data && <Totals of={data} />}
      <section className="section" aria-labelledby="results-by">
        <div className="section-head">
          <h2 id="results-by">By {tab.text.toLowerCase()}</h2>
          <nav className="view-tabs" aria-label="Group by">
            {TABS.map(({ by, text }) => (
              <Link
                key={by}
                to="."
                search={{ ...filters, by: by === 'template' ? undefined : by }}
                activeOptions={{ exact: true }}
                aria-current={by === tab.by ? 'page' : undefined}
              >
                {text}
              </Link>
            ))}
          </nav>
        </div>
        <Groups tab={tab} list={{ ...results, error: null, rows: data?.groups ?? [] }} />
        {data && data.moreGroups > 0 && <p className="hint">{count(data.moreGroups)} more with fewer messages</p>}
        <p className="hint">{NOTES[tab.by]}</p>
      </section>
    </div>
  );
}

const COMMON_NOTE =
  'Answered: the contact wrote next, or replied to the message. Pressed: a button or a list entry of the message. Statuses and answers count until 7 days after the day of the message.';
const ANSWER_NOTE = `${COMMON_NOTE} Time to answer: the median from the message to the contact’s answer, at most 5 percent off.`;
const NOTES: Record<Grouping, string> = {
  template: ANSWER_NOTE,
  job: ANSWER_NOTE,
  label: `A message counts once for each label of its contact. ${ANSWER_NOTE}`,
  agent: `${COMMON_NOTE} Time to reply: the median from the first unanswered message of the contact to the reply, at most 5 percent off.`,
};

const dayOrNone = (text: string | undefined): string | undefined =>
  text !== undefined && timeOfField(text) !== undefined ? text.slice(0, 10) : undefined;

function Freshness({ of: { computedAt, pendingDays } }: { of: Results }) {
  return (
    <span className="count" role="status">
      {computedAt !== null && (
        <>
          Counted <Time at={computedAt} />
        </>
      )}
      {pendingDays.length > 0 &&
        `${computedAt === null ? '' : '; '}${counted(pendingDays.length, 'day')} being counted`}
    </span>
  );
}

function Totals({ of: { total, days, since, until, pendingDays } }: { of: Results }) {
  const all = total.sent + total.failed;
  const starts = daysBetween(since, until);
  const byDay = new Map(days.map((day) => [day.day, day]));
  const valuesOf = (figure: 'sent' | 'delivered' | 'read' | 'failed'): number[] =>
    starts.map((day) => byDay.get(day)?.[figure] ?? 0);
  const series: Series[] = [
    { name: 'Sent', look: 'pending', values: valuesOf('sent') },
    { name: 'Delivered', look: 'delivered', values: valuesOf('delivered') },
    { name: 'Read', look: 'read', values: valuesOf('read') },
    { name: 'Failed', look: 'failed', values: valuesOf('failed') },
  ];
  return (
    <>
      {pendingDays.length > 0 && (
        <Note tone="info">
          {counted(pendingDays.length, 'day')} of this range {pendingDays.length === 1 ? 'is' : 'are'} being counted.
          The figures update by themselves.
        </Note>
      )}
      <dl className="figures six block" aria-label="All messages">
        <Figure name="Sent" value={count(total.sent)} note={`of ${counted(all, 'message')}`} />
        <Figure name="Delivered" value={count(total.delivered)} note={shareText(total.delivered, all)} />
        <Figure name="Read" value={count(total.read)} note={shareText(total.read, all)} />
        <Figure name="Answered" value={count(total.answered)} note={shareText(total.answered, all)} />
        <Figure name="Pressed" value={count(total.pressed)} note={shareText(total.pressed, all)} />
        <Figure name="Failed" value={count(total.failed)} note={shareText(total.failed, all)} />
      </dl>
      <section className="section" aria-labelledby="results-days">
        <div className="section-head">
          <h2 id="results-days">Messages per day</h2>
          <Legend series={series} />
        </div>
        <LineChart
          label="Messages per day"
          unit="day"
          starts={starts.map((day) => `${day}T00:00:00.000Z`)}
          series={series}
        />
      </section>
    </>
  );
}

const shareText = (part: number, all: number): string => (all === 0 ? '–' : percentText(part / all));

function Groups({ tab, list }: { tab: Tab; list: Parameters<typeof List<Group>>[0]['list'] }) {
  return (
    <List
      label={`Results by ${tab.text.toLowerCase()}`}
      list={list}
      keyOf={({ key }) => key ?? ''}
      empty={{
        icon: ChartColumn,
        title: 'No messages',
        text: 'Messages that were sent on these days appear here, with what became of them.',
      }}
      columns={[
        { head: tab.text, isWide: true, cell: (group) => <Name of={group} tab={tab} /> },
        { head: 'Sent', isNumber: true, cell: ({ sent }) => count(sent) },
        ...(['delivered', 'read', 'answered', 'pressed'] as const).map((figure) => ({
          head: wordOf(figure),
          isNumber: true,
          ...(figure !== 'delivered' && { hide: 'sm' as const }),
          cell: (group: Group) => (
            <>
              {count(group[figure])}
              <div className="hint">{shareText(group[figure], group.sent + group.failed)}</div>
            </>
          ),
        })),
        {
          head: 'Failed',
          isNumber: true,
          cell: ({ failed, sent }) => (
            <>
              {count(failed)}
              <div className="hint">{shareText(failed, sent + failed)}</div>
            </>
          ),
        },
        {
          head: tab.response,
          isNumber: true,
          hide: 'sm',
          cell: ({ medianResponseSeconds, responses }) =>
            medianResponseSeconds === null ? (
              <span className="dim">–</span>
            ) : (
              <>
                {durationText(medianResponseSeconds)}
                <div className="hint">{counted(responses, 'response')}</div>
              </>
            ),
        },
      ]}
    />
  );
}

/** Name of a group, with a bar of what became of its messages and the reasons of failures. */
function Name({ of, tab }: { of: Group; tab: Tab }) {
  const all = of.sent + of.failed;
  const name = of.key === null ? tab.none : (of.name ?? (tab.by === 'agent' ? 'Removed user' : of.key));
  const share = (messages: number): number => (messages / Math.max(1, all)) * 100;
  return (
    <>
      {tab.by === 'job' && of.key !== null ? (
        <Link className="link strong" to="/jobs/$jobId" params={{ jobId: of.key }}>
          {name}
        </Link>
      ) : (
        <span className={of.key === null ? 'dim' : 'strong'}>{name}</span>
      )}
      <ShareBar
        isSmall
        shares={[
          { look: 'read', percent: share(of.read) },
          { look: 'delivered', percent: share(of.delivered - of.read) },
          { look: 'pending', percent: share(of.sent - of.delivered) },
          { look: 'failed', percent: share(of.failed) },
        ]}
      />
      {of.reasons.length > 0 && (
        <div className="hint">
          {of.reasons
            .map(({ reason, messages }) => `${wordOf(reason).replaceAll('_', ' ')} ${count(messages)}`)
            .join(', ')}
        </div>
      )}
    </>
  );
}
