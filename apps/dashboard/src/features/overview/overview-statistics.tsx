import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import { api, must, type Schemas } from '../../api/client';
import { Legend, LineChart, type Series, Spark } from '../../components/charts';
import { useRead } from '../../hooks/queries';
import { Failure, Figure, Skeleton } from '../../components/display';
import { countText as count, percentText, type PeriodUnit } from '../../lib/formats';
import { type EndpointHealth, useWebhookHealth } from '../webhooks/shared/webhook-health';

/** Periods by their URL value. Statistics of the previous period are also requested where they exist. */
export const PERIODS = {
  '24h': { text: '24 hours', unit: 'hour', count: 24, asked: 48 },
  '14d': { text: '14 days', unit: 'day', count: 14, asked: 28 },
  '90d': { text: '90 days', unit: 'day', count: 90, asked: 90 },
} as const satisfies Record<string, { text: string; unit: PeriodUnit; count: number; asked: number }>;
export type PeriodName = keyof typeof PERIODS;
export type Period = (typeof PERIODS)[PeriodName];

const LOOK_MS = 10_000;

export type Figures = Pick<Schemas['FiguresOfDay'], 'at' | 'messages' | 'deliveries'>;
type Messages = Schemas['MessageFigures'];

export const arrivedOf = ({ delivered, read }: Messages): number => delivered + read;
/** Returns the number of messages submitted to WhatsApp, whatever their outcome. */
export const sentOf = (messages: Messages): number =>
  messages.accepted + messages.sent + arrivedOf(messages) + messages.failed;
export const sumOf = (figures: readonly Figures[], of: (one: Figures) => number): number =>
  figures.reduce((sum, one) => sum + of(one), 0);

/** Reads the statistics of a period, oldest first, and of the period before it. */
export function useFigures({ unit, count: wanted, asked }: Period) {
  const read = useRead(
    ['figures', unit, asked],
    async (): Promise<Figures[]> =>
      unit === 'hour'
        ? (await must(api.GET('/console/v1/figures/hours', { params: { query: { hours: asked } } }))).hours
        : (await must(api.GET('/console/v1/figures', { params: { query: { days: asked } } }))).days,
    { everyMs: () => LOOK_MS },
  );
  return { ...read, figures: read.data?.slice(-wanted), before: read.data?.slice(0, -wanted) };
}

/** Key statistics and chart of a period. @param aside content next to the chart */
export function OverviewFigures({ period, aside }: { period: Period; aside: ReactNode }) {
  const { figures, before, error, refetch } = useFigures(period);
  const endpoints = useWebhookHealth().data;
  return (
    <>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!figures && !error && <Skeleton lines={4} />}
      {figures && <FourFigures figures={figures} period={period} endpoints={endpoints} before={before ?? []} />}
      <div className="cols section">
        {figures ? <MessagesChart figures={figures} period={period} /> : <div>{!error && <Skeleton lines={8} />}</div>}
        {aside}
      </div>
    </>
  );
}

/** Returns the change from the previous period, if there is data to compare. */
function changeText(now: number, before: number, period: Period): string {
  if (period.asked === period.count) return `in ${period.text}`;
  if (before === 0) return now === 0 ? 'No earlier data' : `none in the previous ${period.text}`;
  const change = Math.round(((now - before) / before) * 100);
  if (change === 0) return `same as the previous ${period.text}`;
  return `${change > 0 ? 'up' : 'down'} ${count(Math.abs(change))}% from the previous ${period.text}`;
}

interface FourFiguresProps {
  figures: readonly Figures[];
  before: readonly Figures[];
  period: Period;
  endpoints: readonly EndpointHealth[] | undefined;
}

function FourFigures({ figures, before, period, endpoints }: FourFiguresProps) {
  const sent = sumOf(figures, ({ messages }) => sentOf(messages));
  const arrived = sumOf(figures, ({ messages }) => arrivedOf(messages));
  const wasRead = sumOf(figures, ({ messages }) => messages.read);
  const sentBefore = sumOf(before, ({ messages }) => sentOf(messages));
  const failed = sumOf(figures, ({ messages }) => messages.failed);
  const failedBefore = sumOf(before, ({ messages }) => messages.failed);
  const events = sumOf(figures, ({ deliveries }) => deliveries.delivered + deliveries.dropped);
  const dropped = sumOf(figures, ({ deliveries }) => deliveries.dropped);
  const of = (pick: (one: Figures) => number): number[] => figures.map(pick);
  return (
    <dl className="figures block" aria-label={`Statistics, ${period.text}`}>
      <Figure name="Messages sent" value={count(sent)} note={changeText(sent, sentBefore, period)}>
        <Spark look="delivered" hasArea values={of(({ messages }) => sentOf(messages))} />
      </Figure>
      <Figure
        name="Delivered"
        value={sent === 0 ? undefined : percentText(arrived / sent)}
        note={`${count(arrived)} delivered, ${count(wasRead)} read`}
      >
        <Spark look="delivered" values={of(({ messages }) => arrivedOf(messages))} />
      </Figure>
      <Figure name="Failed" value={count(failed)} note={changeText(failed, failedBefore, period)}>
        <Spark look="failed" values={of(({ messages }) => messages.failed)} />
      </Figure>
      <Figure
        name="Webhook events"
        value={events === 0 ? undefined : count(events)}
        note={eventsNote({ events, dropped, endpoints })}
      >
        <Spark look="read" values={of(({ deliveries }) => deliveries.delivered + deliveries.dropped)} />
      </Figure>
    </dl>
  );
}

interface Events extends Pick<FourFiguresProps, 'endpoints'> {
  events: number;
  dropped: number;
}

function eventsNote({ events, dropped, endpoints }: Events): ReactNode {
  const pending = (endpoints ?? []).reduce((sum, one) => sum + one.pending, 0);
  const troubles = [
    dropped > 0 && (['dropped', dropped] as const),
    pending > 0 && (['pending', pending] as const),
  ].filter((one) => one !== false);
  if (troubles.length > 0)
    return troubles.map(([state, number], index) => (
      <Fragment key={state}>
        {index > 0 && ', '}
        <Link className="link" to="/integrations/webhook-log" search={{ state }}>
          {count(number)} {state}
        </Link>
      </Fragment>
    ));
  if (events === 0)
    return (
      <Link className="link" to="/integrations/messaging/webhook-settings">
        {' '}
        Webhook settings{' '}
      </Link>
    );
  if (endpoints === undefined) return null;
  return endpoints.some(({ isFailing }) => isFailing) ? 'endpoint failing' : 'all delivered';
}

function MessagesChart({ figures, period: { unit } }: { figures: readonly Figures[]; period: Period }) {
  const title = unit === 'day' ? 'Messages per day' : 'Messages per hour';
  const series: Series[] = [
    {
      name: 'Delivered',
      look: 'delivered',
      hasArea: true,
      values: figures.map(({ messages }) => arrivedOf(messages)),
    },
    { name: 'Failed', look: 'failed', values: figures.map(({ messages }) => messages.failed) },
    { name: 'Received', look: 'pending', values: figures.map(({ messages }) => messages.received) },
  ];
  return (
    <section aria-labelledby="chart-title">
      <div className="section-head">
        <h2 id="chart-title">{title}</h2>
        {unit === 'day' && <span className="count">in UTC</span>}
        <Legend series={series} />
      </div>
      <LineChart label={title} unit={unit} starts={figures.map(({ at }) => at)} series={series} />
    </section>
  );
}
