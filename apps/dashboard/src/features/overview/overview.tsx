import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { api, must } from '../../api/client';
import { useRead } from '../../hooks/queries';
import { useMe } from '../../api/session';
import { Segments } from '../../components/controls';
import { Failure, PageHead } from '../../components/display';
import { useFilters } from '../../hooks/use-filters';
import { Care } from './needs-attention';
import { OverviewFigures, PERIODS, type PeriodName } from './overview-statistics';
import { OverviewPrices } from './overview-prices';
import { RecentFailures } from './recent-failures';
import { RecentJobs } from './recent-jobs';

const STEPS = [
  {
    done: 'hasApiKey',
    title: 'Create an API key',
    text: 'Your server authenticates with it. It is shown only once.',
    to: '/keys',
    action: 'API keys',
  },
  {
    done: 'hasMessage',
    title: 'Send your first message',
    text: 'Make one API call. In the sandbox, the message appears in the simulator.',
    to: '/api-guide',
    action: 'API guide',
  },
  {
    done: 'hasTemplate',
    title: 'Get a template approved',
    text: 'Templates are required for customers who have not written in the last 24 hours.',
    to: '/templates',
    action: 'Templates',
  },
  {
    done: 'hasWebhookEndpoint',
    title: 'Receive events',
    text: 'Your webhook receives replies and delivery statuses as signed events.',
    to: '/integrations/messaging/webhook-settings',
    action: 'Webhook settings',
  },
] as const;
const PERIOD_NAMES = Object.keys(PERIODS) as PeriodName[];
/** Polling interval: the next setup step may be completed elsewhere. */
const LOOK_EVERY_MS = 5_000;

export function Page() {
  const { me } = useMe();
  const [filters, filter] = useFilters();
  const name = PERIOD_NAMES.find((known) => known === filters.period) ?? '14d';
  return (
    <div className="page narrow">
      <PageHead title="Overview" count={me.account.name}>
        <Segments
          label="Period"
          isSmall
          value={name}
          onChange={(period) => filter({ period })}
          options={PERIOD_NAMES.map((each) => [each, PERIODS[each].text] as const)}
        />
      </PageHead>
      <FirstSteps />
      <div className="section">
        <OverviewFigures period={PERIODS[name]} aside={<Care period={PERIODS[name]} />} />
      </div>
      <RecentJobs />
      <OverviewPrices period={PERIODS[name]} />
      <RecentFailures />
    </div>
  );
}

/** Setup steps, until all are done. */
function FirstSteps() {
  const steps = useRead(['first-steps'], () => must(api.GET('/console/v1/first-steps')), {
    everyMs: (data) => (data && STEPS.every(({ done }) => data[done]) ? undefined : LOOK_EVERY_MS),
  });
  if (!steps.error && (!steps.data || STEPS.every(({ done }) => steps.data[done]))) return null;
  const next = STEPS.find(({ done }) => steps.data && !steps.data[done]);
  return (
    <section className="block" aria-labelledby="first-steps">
      <div className="block-head">
        <h2 id="first-steps">Getting started</h2>
        {steps.data && <span className="count">{STEPS.filter(({ done }) => steps.data[done]).length} of 4 done</span>}
      </div>
      {steps.error && <Failure error={steps.error} onRetry={() => void steps.refetch()} />}
      <div className="steps">
        {STEPS.map((step) => {
          const isDone = steps.data?.[step.done] ?? false;
          const Icon = isDone ? CircleCheck : CircleDashed;
          return (
            <div key={step.to} className={['step', isDone ? 'done' : step === next && 'now'].filter(Boolean).join(' ')}>
              <Icon className="i" aria-hidden />
              <span className="strong">
                {step.title}
                {isDone && <span className="sr"> (done)</span>}
              </span>
              <p>{step.text}</p>
              <Link className={step === next ? 'btn primary sm' : 'btn sm'} to={step.to}>
                {step.action}
              </Link>
            </div>
          );
        })}
      </div>
    </section>
  );
}
