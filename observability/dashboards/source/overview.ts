import { board, HERE, quantiles, rateBy } from './kit';

const SENDS = `${HERE},method="POST",route=~"/v1/messages/send.*"`;
const burn = (window: string): string => `max(namespace:switchboard_sends_failed:ratio${window}{${HERE}}) / 0.001`;
const answers = (statuses: string): string =>
  `sum(rate(switchboard_http_request_duration_seconds_count{${HERE},status=~"${statuses}"}[$__rate_interval]))`;

export const overviewBoard = board(
  'overview',
  'Overview',
  'Whether customers get what they were promised, and what waits where.',
  [
    {
      height: 5,
      panels: [
        {
          title: 'Error budget left',
          description: 'Of the 0.1 % of sends that may fail within 30 days. Below 0 the objective is missed.',
          unit: 'percentunit',
          query: `min(namespace:switchboard_send_error_budget_left:ratio30d{${HERE}})`,
          bad: [{ at: 0 }, { at: 0.25, colour: 'orange' }],
          lowIsBad: true,
          alerts: ['SendErrorBudgetBurnsFast', 'SendErrorBudgetBurnsSlowly'],
        },
        {
          title: 'Sends that fail',
          description:
            'Share of the last hour: 5xx against 2xx and 5xx. What is refused for what the caller asked counts for nothing.',
          unit: 'percentunit',
          query: `max(namespace:switchboard_sends_failed:ratio1h{${HERE}})`,
          bad: [{ at: 0.001, colour: 'orange' }, { at: 0.0144 }],
          alerts: ['SendErrorBudgetBurnsFast'],
        },
        {
          title: 'Messages to the platform',
          description: 'Accepted by the platform, from single sends and from jobs.',
          unit: 'ops',
          query: `sum(namespace:switchboard_messages_accepted:increase30m{${HERE}}) / 1800`,
          alerts: ['CallbackGap'],
        },
        {
          title: 'Alerts that fire',
          description: 'Of Switchboard, critical and warning.',
          unit: 'none',
          query: `count(ALERTS{part_of="switchboard",alertstate="firing",${HERE}}) or vector(0)`,
          bad: [{ at: 1 }],
        },
        {
          title: 'Services that run',
          description: 'Of six. A service without a process does nothing; its tasks and events wait.',
          unit: 'none',
          query: `count(count by (job) (switchboard_build_info{${HERE}})) or vector(0)`,
          bad: [{ at: 6 }],
          lowIsBad: true,
          alerts: ['ServiceMissing'],
        },
      ],
    },
    {
      heading: 'Sends',
      panels: [
        {
          title: 'Burn rate of the error budget',
          description:
            '1 uses it up in exactly 30 days. At 14.4 over an hour somebody is called, at 6 over six hours somebody looks.',
          unit: 'short',
          queries: [
            [burn('5m'), '5 minutes'],
            [burn('1h'), 'an hour'],
            [burn('6h'), 'six hours'],
          ],
          bad: [{ at: 6, colour: 'orange' }, { at: 14.4 }],
          alerts: ['SendErrorBudgetBurnsFast', 'SendErrorBudgetBurnsSlowly'],
        },
        {
          title: 'Single sends by outcome',
          description: 'As messaging ends them. Unknown: the platform was asked and did not answer.',
          unit: 'ops',
          queries: [[rateBy('outcome', 'switchboard_messaging_sends_total', HERE), '{outcome}']],
          isSum: true,
          alerts: ['UnknownOutcomes'],
        },
        {
          title: 'Time of a send',
          description: 'From the head of the request to the end of its answer, with the call of the platform.',
          unit: 's',
          queries: quantiles('switchboard_http_request_duration_seconds', SENDS),
        },
      ],
    },
    {
      heading: 'All requests',
      panels: [
        {
          title: 'Answers',
          description: 'Refused: 4xx, for what the caller asked. Failed: 5xx, by us or by what we need.',
          unit: 'reqps',
          queries: [
            [answers('2..'), 'good'],
            [answers('4..'), 'refused'],
            [answers('5..'), 'failed'],
          ],
          isSum: true,
        },
        {
          title: 'Failed, by status',
          description:
            '503 had no effect and can be repeated. 502 and 504 come from the platform. 500 is a fault of ours.',
          unit: 'reqps',
          queries: [
            [rateBy('status', 'switchboard_http_request_duration_seconds_count', `${HERE},status=~"5.."`), '{status}'],
          ],
          isSum: true,
          alerts: ['SendErrorBudgetBurnsFast', 'DependencyAway'],
        },
        {
          title: 'Refused, by status',
          description: 'Many 401 or 429 of a sudden: a customer changed a program, or somebody tries keys.',
          unit: 'reqps',
          queries: [
            [rateBy('status', 'switchboard_http_request_duration_seconds_count', `${HERE},status=~"4.."`), '{status}'],
          ],
          isSum: true,
        },
      ],
    },
    {
      heading: 'What waits',
      panels: [
        {
          title: 'Oldest in an outbox',
          description: 'Less than a second as a rule. It grows while the broker is away.',
          unit: 's',
          queries: [[`max by (job) (namespace_job:switchboard_outbox_oldest_seconds:max{${HERE}})`, '{job}']],
          bad: [{ at: 60 }],
          alerts: ['OutboxOld'],
        },
        {
          title: 'Messages in queues',
          description:
            'The five longest. A queue that grows for a quarter of an hour has a service that does not keep up.',
          unit: 'short',
          queries: [[`topk(5, max by (queue) (namespace_queue:switchboard_queue_messages:max{${HERE}}))`, '{queue}']],
          bad: [{ at: 1_000 }],
          alerts: ['QueueGrowing'],
        },
        {
          title: 'Webhooks and recipients that wait',
          description: 'Deliveries that are due now, and recipients of open jobs.',
          unit: 'short',
          queries: [
            [`sum(namespace:switchboard_webhook_due:max{${HERE}})`, 'webhooks due'],
            [`max by (state) (switchboard_jobs_recipients{${HERE}})`, 'recipients {state}'],
          ],
          alerts: ['WebhooksLate', 'WebhooksStalled'],
        },
      ],
    },
  ],
);
