import { board, HERE, quantiles, rateBy } from './panels';

const SENDS = `${HERE},method="POST",route=~"/v1/messages/send.*"`;
const burn = (window: string): string => `max(namespace:switchboard_sends_failed:ratio${window}{${HERE}}) / 0.001`;
const answers = (statuses: string): string =>
  `sum(rate(switchboard_http_request_duration_seconds_count{${HERE},status=~"${statuses}"}[$__rate_interval]))`;

export const overviewBoard = board('overview', 'Overview', 'Service level objectives and backlogs.', [
  {
    height: 5,
    panels: [
      {
        title: 'Error budget left',
        description: 'Share of the 30-day budget: 0.1% of sends may fail. Below 0 the objective is missed.',
        unit: 'percentunit',
        query: `min(namespace:switchboard_send_error_budget_left:ratio30d{${HERE}})`,
        bad: [{ at: 0 }, { at: 0.25, colour: 'orange' }],
        lowIsBad: true,
        alerts: ['SendErrorBudgetBurnsFast', 'SendErrorBudgetBurnsSlowly'],
      },
      {
        title: 'Failed sends',
        description: 'Share of 5xx among 2xx and 5xx responses in the last hour. 4xx responses do not count.',
        unit: 'percentunit',
        query: `max(namespace:switchboard_sends_failed:ratio1h{${HERE}})`,
        bad: [{ at: 0.001, colour: 'orange' }, { at: 0.0144 }],
        alerts: ['SendErrorBudgetBurnsFast'],
      },
      {
        title: 'Messages to the platform',
        description: 'Accepted by the platform, from single sends and jobs.',
        unit: 'ops',
        query: `sum(namespace:switchboard_messages_accepted:increase30m{${HERE}}) / 1800`,
        alerts: ['CallbackGap'],
      },
      {
        title: 'Firing alerts',
        description: 'Switchboard alerts, critical and warning.',
        unit: 'none',
        query: `count(ALERTS{part_of="switchboard",alertstate="firing",${HERE}}) or vector(0)`,
        bad: [{ at: 1 }],
      },
      {
        title: 'Running services',
        description: 'Out of six. Tasks and events of a service without a process wait in its queues.',
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
        title: 'Error budget burn rate',
        description:
          'At 1 the budget lasts exactly 30 days. Critical alert at 14.4 over one hour; warning at 6 over six hours.',
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
        description: 'Unknown: the request was sent to the platform, but no response arrived.',
        unit: 'ops',
        queries: [[rateBy('outcome', 'switchboard_messaging_sends_total', HERE), '{outcome}']],
        isSum: true,
        alerts: ['UnknownOutcomes'],
      },
      {
        title: 'Send duration',
        description: 'From the request headers to the end of the response, including the call to the platform.',
        unit: 's',
        queries: quantiles('switchboard_http_request_duration_seconds', SENDS),
      },
    ],
  },
  {
    heading: 'All requests',
    panels: [
      {
        title: 'Responses',
        description: 'Refused: 4xx, an invalid request. Failed: 5xx, an error of Switchboard or of a dependency.',
        unit: 'reqps',
        queries: [
          [answers('2..'), 'good'],
          [answers('4..'), 'refused'],
          [answers('5..'), 'failed'],
        ],
        isSum: true,
      },
      {
        title: '5xx responses by status',
        description:
          '503 had no effect and is safe to retry. 502 and 504 come from the platform. 500 is an internal error.',
        unit: 'reqps',
        queries: [
          [rateBy('status', 'switchboard_http_request_duration_seconds_count', `${HERE},status=~"5.."`), '{status}'],
        ],
        isSum: true,
        alerts: ['SendErrorBudgetBurnsFast', 'DependencyAway'],
      },
      {
        title: '4xx responses by status',
        description: 'A sudden rise of 401 or 429: a customer changed a program, or someone is guessing API keys.',
        unit: 'reqps',
        queries: [
          [rateBy('status', 'switchboard_http_request_duration_seconds_count', `${HERE},status=~"4.."`), '{status}'],
        ],
        isSum: true,
      },
    ],
  },
  {
    heading: 'Backlogs',
    panels: [
      {
        title: 'Oldest outbox message',
        description: 'Usually less than a second. Grows while the broker is unavailable.',
        unit: 's',
        queries: [[`max by (job) (namespace_job:switchboard_outbox_oldest_seconds:max{${HERE}})`, '{job}']],
        bad: [{ at: 60 }],
        alerts: ['OutboxOld'],
      },
      {
        title: 'Queue length',
        description: 'The five longest queues. A queue that grows for 15 minutes has a consumer that cannot keep up.',
        unit: 'short',
        queries: [[`topk(5, max by (queue) (namespace_queue:switchboard_queue_messages:max{${HERE}}))`, '{queue}']],
        bad: [{ at: 1_000 }],
        alerts: ['QueueGrowing'],
      },
      {
        title: 'Pending webhooks and recipients',
        description: 'Webhook deliveries due now, and recipients of open jobs.',
        unit: 'short',
        queries: [
          [`sum(namespace:switchboard_webhook_due:max{${HERE}})`, 'webhooks due'],
          [`max by (state) (switchboard_jobs_recipients{${HERE}})`, 'recipients {state}'],
        ],
        alerts: ['WebhooksLate', 'WebhooksStalled'],
      },
    ],
  },
]);
