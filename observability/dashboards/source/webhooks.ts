import { board, HERE, quantiles, rateBy } from './panels';

export const webhooksBoard = board('webhooks', 'Webhooks', 'Webhook deliveries to customers, and their lateness.', [
  {
    heading: 'Attempts',
    panels: [
      {
        title: 'Attempts by outcome',
        description:
          "Failures mostly come from the customers' servers. Each attempt is recorded and retried by its schedule.",
        unit: 'reqps',
        queries: [[rateBy('outcome', 'switchboard_webhook_attempts_total', HERE), '{outcome}']],
        isSum: true,
        alerts: ['WebhooksStalled'],
      },
      {
        title: 'Attempt lateness',
        description: 'Time from due to start. An endpoint that receives more events than it can handle is always late.',
        unit: 's',
        queries: quantiles('switchboard_webhook_attempt_lateness_seconds', HERE),
        bad: [{ at: 10 }],
        alerts: ['WebhooksLate'],
      },
      {
        title: 'Attempt duration',
        description: "Mostly the response time of the customers' servers.",
        unit: 's',
        queries: quantiles('switchboard_webhook_attempt_duration_seconds', HERE),
      },
    ],
  },
  {
    heading: 'Backlog',
    panels: [
      {
        title: 'Due deliveries',
        description:
          'Counts at most 1,000 per endpoint. Excludes paused endpoints, which hold their deliveries on purpose.',
        unit: 'short',
        queries: [[`max by (namespace) (namespace:switchboard_webhook_due:max{${HERE}})`, '{namespace}']],
        alerts: ['WebhooksLate', 'WebhooksStalled'],
      },
      {
        title: 'Oldest due delivery',
        description: 'Time since it became due.',
        unit: 's',
        queries: [[`max by (namespace) (switchboard_webhook_oldest_due_seconds{${HERE}})`, '{namespace}']],
        alerts: ['WebhooksLate', 'WebhooksStalled'],
      },
      {
        title: 'Requests in flight',
        description: 'Per process, at most WEBHOOK_CONCURRENCY.',
        unit: 'short',
        queries: [[`sum by (instance) (switchboard_webhook_requests_in_flight{${HERE}})`, '{instance}']],
        isSum: true,
      },
      {
        title: 'Endpoints by state',
        description: 'Degraded: no attempt has succeeded for an hour, so the endpoint gets one request at a time.',
        unit: 'short',
        queries: [[`max by (state) (switchboard_webhook_endpoints{${HERE}})`, '{state}']],
        isSum: true,
      },
    ],
  },
]);
