import { Link } from '@tanstack/react-router';
import {
  CircleAlert,
  CircleCheck,
  Clock,
  LayoutTemplate,
  type LucideIcon,
  TriangleAlert,
  WalletCards,
  Webhook,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { api, must } from '../../api/client';
import { useRead } from '../../hooks/queries';
import { Failure, Skeleton, Time, wordOf } from '../../components/display';
import { counted, countText } from '../../lib/formats';
import { urgencyOf } from './failure-share';
import { openNotices } from './open-notices';
import { type Figures, type Period, sentOf, sumOf, useFigures } from './overview-statistics';
import { type EndpointHealth, useWebhookHealth } from '../webhooks/shared/webhook-health';

const DAY_MS = 86_400_000;
const SOON_MS = 7 * DAY_MS;
/** Maximum items per kind; the linked pages list all. */
const MOST_EACH = 3;
const PACE_DAYS = 7;
const FEW_DAYS = 10;
const LOOK_MS = 30_000;

interface Matter {
  key: string;
  tone: 'bad' | 'warning' | 'neutral';
  icon: LucideIcon;
  title: ReactNode;
  note: ReactNode;
  text: ReactNode;
}

async function templateMatters(): Promise<Matter[]> {
  const found = await Promise.all(
    (['FLAGGED', 'REJECTED'] as const).map((status) =>
      must(api.GET('/console/v1/templates', { params: { query: { status, limit: MOST_EACH } } })),
    ),
  );
  return found.flatMap(({ templates }) =>
    templates.map(({ id, name, upstreamStatus, reason, recommendation, updatedAt }) => ({
      key: id,
      tone: 'warning' as const,
      icon: LayoutTemplate,
      title: (
        <Link to="/templates/$templateId" params={{ templateId: id }}>
          {name} is {wordOf(upstreamStatus.replaceAll('_', ' ')).toLowerCase()}
        </Link>
      ),
      note: <Time at={updatedAt} />,
      text: recommendation ?? reason ?? 'No reason reported by the platform.',
    })),
  );
}

async function keyMatters(): Promise<Matter[]> {
  const { keys } = await must(api.GET('/console/v1/keys', { params: { query: { state: 'active', limit: 100 } } }));
  return keys
    .filter(({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) - Date.now() < SOON_MS)
    .slice(0, MOST_EACH)
    .map(({ id, name, expiresAt, lastUsedAt }) => ({
      key: id,
      tone: 'neutral',
      icon: Clock,
      title: (
        <Link to="/keys/$keyId" params={{ keyId: id }}>
          API key “{name}” expires soon
        </Link>
      ),
      note: <Time at={expiresAt} />,
      text: (
        <>
          Last used: <Time at={lastUsedAt} />. Rotate it before it expires.
        </>
      ),
    }));
}

async function numberMatters(): Promise<Matter[]> {
  const { numbers } = await must(api.GET('/console/v1/numbers'));
  return numbers
    .filter(({ status, qualityRating }) => status === 'STOPPED' || qualityRating === 'RED')
    .slice(0, MOST_EACH)
    .map(({ id, phoneNumber, status, stoppedReason }) => ({
      key: id,
      tone: 'bad',
      icon: CircleAlert,
      title: (
        <Link to="/numbers/$numberId" params={{ numberId: id }}>
          +{phoneNumber} {status === 'STOPPED' ? 'is stopped' : 'has a low quality rating'}
        </Link>
      ),
      note: '',
      text:
        stoppedReason ??
        'Recipients block or report messages from this number. The platform may reduce its messaging limit.',
    }));
}

/** Recent notices from WhatsApp, without resolved ones such as an expired restriction. */
async function noticeMatters(): Promise<Matter[]> {
  const { notices } = await must(api.GET('/console/v1/account-notices', { params: { query: { limit: 50 } } }));
  return openNotices(notices, Date.now())
    .slice(0, MOST_EACH)
    .map(({ id, severity, summary, timestamp }) => ({
      key: id,
      tone: severity === 'critical' ? 'bad' : 'warning',
      icon: CircleAlert,
      title: <Link to="/numbers">Platform notice</Link>,
      note: <Time at={timestamp} />,
      text: summary,
    }));
}

function endpointMatters(endpoints: readonly EndpointHealth[]): Matter[] {
  return endpoints
    .filter(({ isFailing }) => isFailing)
    .slice(0, MOST_EACH)
    .map(({ id, url, failingSince, pending }) => ({
      key: id,
      tone: 'warning',
      icon: Webhook,
      title: (
        <Link to="/integrations/webhook-log" search={{ endpointId: id }}>
          Webhook endpoint failing
        </Link>
      ),
      note: <Time at={failingSince} />,
      text: (
        <>
          <span className="wrap-any">{url}</span>
          {pending > 0 && `, ${countText(pending)} pending`}
        </>
      ),
    }));
}

/** Uses the same period as the statistics. */
function failureMatters(figures: readonly Figures[], { text }: Period): Matter[] {
  const [sent, failed] = [
    sumOf(figures, ({ messages }) => sentOf(messages)),
    sumOf(figures, ({ messages }) => messages.failed),
  ];
  const tone = urgencyOf({ sent, failed });
  if (tone === undefined) return [];
  return [
    {
      key: 'failures',
      tone,
      icon: CircleAlert,
      title: (
        <Link to="/messages" search={{ status: 'failed', since: figures[0]?.at }}>
          {countText(failed)} of {counted(sent, 'message')} failed
        </Link>
      ),
      note: `in ${text}`,
      text: 'Open the failed messages to see the reasons.',
    },
  ];
}

async function creditMatters(): Promise<Matter[]> {
  const [{ plan, credits }, { days }] = await Promise.all([
    must(api.GET('/console/v1/account')),
    must(api.GET('/console/v1/figures', { params: { query: { days: PACE_DAYS } } })),
  ]);
  const spent = days.reduce((sum, day) => sum + day.credits.spent - day.credits.returned, 0);
  const daysLeft = spent > 0 ? (credits.utility * PACE_DAYS) / spent : Infinity;
  const { monthlyCredits } = plan.limits;
  if (daysLeft >= FEW_DAYS && (monthlyCredits === 0 || credits.utility >= monthlyCredits / 10)) return [];
  return [
    {
      key: 'credits',
      tone: credits.utility === 0 ? 'bad' : 'warning',
      icon: WalletCards,
      title: <Link to="/usage">{countText(credits.utility)} utility credits left</Link>,
      note: monthlyCredits > 0 ? `of ${countText(monthlyCredits)}` : '',
      text: Number.isFinite(daysLeft)
        ? `About ${Math.floor(daysLeft)} days left at the average use of the last ${PACE_DAYS} days.`
        : 'One-time passwords require credits.',
    },
  ];
}

const useMatters = (source: string, read: () => Promise<Matter[]>) =>
  useRead(['care', source], read, { everyMs: () => LOOK_MS });

/** Items that need attention, most urgent first. */
export function Care({ period }: { period: Period }) {
  // Separate reads: one failing source must not hide the others.
  const figures = useFigures(period);
  const endpoints = useWebhookHealth();
  const reads = [
    useMatters('numbers', numberMatters),
    useMatters('notices', noticeMatters),
    { ...figures, data: figures.figures && failureMatters(figures.figures, period) },
    { ...endpoints, data: endpoints.data && endpointMatters(endpoints.data) },
    useMatters('templates', templateMatters),
    useMatters('credits', creditMatters),
    useMatters('keys', keyMatters),
  ];
  const matters = reads.flatMap(({ data }) => data ?? []);
  const failed = reads.filter(({ error }) => error !== null);
  const isPending = reads.some((read) => read.isPending && !read.error);
  return (
    <section aria-labelledby="care">
      <div className="section-head">
        <h2 id="care">Needs attention</h2>
      </div>
      {failed[0]?.error && (
        <Failure error={failed[0].error} onRetry={() => failed.forEach((read) => void read.refetch())} />
      )}
      {isPending && <Skeleton />}
      {!isPending && failed.length === 0 && matters.length === 0 && (
        <p className="row small dim">
          <CircleCheck className="i" aria-hidden /> All clear
        </p>
      )}
      <ul className="list-plain">
        {matters.map(({ key, tone, icon, title, note, text }) => {
          const Icon = tone === 'neutral' ? icon : tone === 'bad' ? CircleAlert : TriangleAlert;
          return (
            <li key={key} className={tone}>
              <Icon className="i st-i" aria-hidden />
              <span className="strong">{title}</span>
              <span className="dimmer tiny">{note}</span>
              <p>{text}</p>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
