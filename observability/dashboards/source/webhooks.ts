import { board, HERE, quantiles, rateBy } from './kit';

export const webhooksBoard = board('webhooks', 'Webhooks', 'What customers are told, and how late.', [
  {
    heading: 'Attempts',
    panels: [
      {
        title: 'Attempts by outcome',
        description: "Failures are the customers' servers: each attempt is on record and comes again by its schedule.",
        unit: 'reqps',
        queries: [[rateBy('outcome', 'switchboard_webhook_attempts_total', HERE), '{outcome}']],
        isSum: true,
        alerts: ['WebhooksStalled'],
      },
      {
        title: 'How late an attempt begins',
        description: 'After it was due. An endpoint with more events than it can take is late by itself.',
        unit: 's',
        queries: quantiles('switchboard_webhook_attempt_lateness_seconds', HERE),
        bad: [{ at: 10 }],
        alerts: ['WebhooksLate'],
      },
      {
        title: 'How long an attempt takes',
        description: 'The customers’ servers, mostly.',
        unit: 's',
        queries: quantiles('switchboard_webhook_attempt_duration_seconds', HERE),
      },
    ],
  },
  {
    heading: 'What waits',
    panels: [
      {
        title: 'Deliveries that are due',
        description:
          'Of one endpoint a thousand count at most. Paused endpoints hold theirs on purpose and do not count.',
        unit: 'short',
        queries: [[`max by (namespace) (namespace:switchboard_webhook_due:max{${HERE}})`, '{namespace}']],
        alerts: ['WebhooksLate', 'WebhooksStalled'],
      },
      {
        title: 'Oldest that is due',
        description: 'How long it has waited.',
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
        description: 'Degraded: nothing succeeded for an hour, so one request at a time is tried.',
        unit: 'short',
        queries: [[`max by (state) (switchboard_webhook_endpoints{${HERE}})`, '{state}']],
        isSum: true,
      },
    ],
  },
]);
