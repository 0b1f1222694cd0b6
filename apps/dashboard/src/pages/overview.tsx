import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { api, must } from '../api/client';
import { useRead } from '../kit/data';
import { useMe } from '../api/session';
import { Failure, PageHead, Skeleton, Status, wordOf } from '../kit/display';

const STEPS = [
  {
    done: 'hasApiKey',
    title: 'Create an API key',
    text: 'Your server sends it with each request. It is shown once.',
    to: '/keys',
    action: 'API keys',
  },
  {
    done: 'hasMessage',
    title: 'Send the first message',
    text: 'One request to the API. In the sandbox the simulator shows the message.',
    to: '/api-guide',
    action: 'API guide',
  },
  {
    done: 'hasTemplate',
    title: 'Have a template approved',
    text: 'Only a template reaches people who did not write to you within 24 hours.',
    to: '/templates',
    action: 'Templates',
  },
  {
    done: 'hasWebhookEndpoint',
    title: 'Receive events',
    text: 'Your webhook receives answers and delivery states, signed.',
    to: '/integrations/messaging/webhook-settings',
    action: 'Webhook settings',
  },
] as const;
/** Something else may have done the next step. */
const LOOK_EVERY_MS = 5_000;

/** The first steps, and what the account has. */
export function Page() {
  const { me } = useMe();
  const steps = useRead(['first-steps'], () => must(api.GET('/console/v1/first-steps')), {
    everyMs: (data) => (data && STEPS.every(({ done }) => data[done]) ? undefined : LOOK_EVERY_MS),
  });
  const account = useRead(['account'], () => must(api.GET('/console/v1/account')));
  const next = STEPS.find(({ done }) => steps.data && !steps.data[done]);
  return (
    <div className="page narrow">
      <PageHead title="Overview" count={me.account.name} />
      <section className="block" aria-labelledby="first-steps">
        <div className="block-head">
          <h2 id="first-steps">First steps</h2>
          {steps.data && <span className="count">{STEPS.filter(({ done }) => steps.data[done]).length} of 4 done</span>}
        </div>
        {steps.error && <Failure error={steps.error} onRetry={() => void steps.refetch()} />}
        <div className="steps">
          {STEPS.map((step) => {
            const isDone = steps.data?.[step.done] ?? false;
            const Icon = isDone ? CircleCheck : CircleDashed;
            return (
              <div
                key={step.to}
                className={['step', isDone ? 'done' : step === next && 'now'].filter(Boolean).join(' ')}
              >
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
      <section className="section">
        <div className="section-head">
          <h2>Account</h2>
        </div>
        {account.error && <Failure error={account.error} onRetry={() => void account.refetch()} />}
        {account.isPending && !account.error && <Skeleton />}
        {account.data && (
          <dl className="figures block">
            <div className="figure">
              <dt>Plan</dt>
              <dd className="value">{account.data.plan.name}</dd>
              <dd className="note">
                {account.data.plan.limits.rateLimit} requests per {account.data.plan.limits.rateWindowSeconds} s
              </dd>
            </div>
            <div className="figure">
              <dt>Utility credits</dt>
              <dd className="value">{account.data.credits.utility.toLocaleString()}</dd>
              <dd className="note">{account.data.plan.limits.monthlyCredits.toLocaleString()} more each month</dd>
            </div>
            <div className="figure">
              <dt>Bulk recipients</dt>
              <dd className="value">{account.data.plan.limits.bulkRecipients.toLocaleString()}</dd>
              <dd className="note">in one job at most</dd>
            </div>
            <div className="figure">
              <dt>Spreadsheet rows</dt>
              <dd className="value">{account.data.plan.limits.excelRows.toLocaleString()}</dd>
              <dd className="note">in one sheet at most</dd>
            </div>
          </dl>
        )}
      </section>
      {account.data && (
        <section className="section">
          <div className="section-head">
            <h2>Numbers</h2>
          </div>
          <ul className="list-plain">
            {account.data.numbers.map(({ id, phoneNumber, status, messagingLimit, stoppedReason }) => (
              <li key={id}>
                <span className="tn nowrap">+{phoneNumber}</span>
                <span />
                <Status tone={status === 'CONNECTED' ? 'success' : 'warning'}>{wordOf(status)}</Status>
                <p>{stoppedReason ?? messagingLimit ?? 'The platform has not sent a limit yet.'}</p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
