import { board, HERE, quantiles, rateBy } from './kit';

const outcomes = (counter: string): [string, string] => [rateBy('outcome', counter, HERE), '{outcome}'];
const CALLBACKS = `${HERE},method="POST",route="/callbacks/upstream"`;

export const messagingBoard = board(
  'messaging',
  'Messaging and the platform',
  'Sends, the calls of the platform, and what the platform reports.',
  [
    {
      heading: 'Messages',
      panels: [
        {
          title: 'Single sends by outcome',
          description: 'Refused includes what the platform refused. Unknown: it was asked and did not answer.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_sends_total')],
          isSum: true,
          alerts: ['UnknownOutcomes'],
        },
        {
          title: 'Messages of jobs by outcome',
          description: 'Throttled and held come again by themselves.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_job_messages_total')],
          isSum: true,
          alerts: ['UnknownOutcomes'],
        },
        {
          title: 'Unknown outcomes that were settled',
          description: 'By the reconciler, when no callback came in time.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_reconciled_total')],
          isSum: true,
          alerts: ['UnknownOutcomes'],
        },
      ],
    },
    {
      heading: 'Calls of the platform',
      panels: [
        {
          title: 'Time of a call',
          description: 'With the wait for a connection.',
          unit: 's',
          queries: quantiles('switchboard_upstream_request_duration_seconds', HERE),
        },
        {
          title: 'Slowest hundredth, by operation',
          description: 'The five slowest.',
          unit: 's',
          queries: [
            [
              `topk(5, histogram_quantile(0.99, sum by (le, operation) (rate(switchboard_upstream_request_duration_seconds_bucket{${HERE}}[$__rate_interval]))))`,
              '{operation}',
            ],
          ],
        },
        {
          title: 'Answers of the platform',
          description: 'Unavailable: the call was not sent. Unknown: it was sent, and no answer came.',
          unit: 'reqps',
          queries: [outcomes('switchboard_upstream_request_duration_seconds_count')],
          isSum: true,
          alerts: ['UnknownOutcomes', 'SendErrorBudgetBurnsFast'],
        },
      ],
    },
    {
      heading: 'Callbacks',
      panels: [
        {
          title: 'Callbacks by answer',
          description:
            '401 and 403: the signature does not fit, or it did not come by HTTPS. 503: the database is away.',
          unit: 'reqps',
          queries: [[rateBy('status', 'switchboard_http_request_duration_seconds_count', CALLBACKS), '{status}']],
          isSum: true,
          alerts: ['CallbackGap'],
        },
        {
          title: 'Statuses',
          description: 'Parked: of a message that nobody knows yet. Contradicted: a failure of what had arrived.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_statuses_total')],
          isSum: true,
        },
        {
          title: 'What customers wrote',
          description: 'Repeated: the platform delivered it again, and it was known.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_inbound_total')],
          isSum: true,
        },
        {
          title: 'Callbacks about unknown numbers',
          description: 'They wait a day for a number that is connected at the platform first.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_unowned_callbacks_total')],
          isSum: true,
        },
      ],
    },
    {
      heading: 'Files, receipts, templates, months',
      panels: [
        {
          title: 'Media received',
          description: 'Attempts to fetch it from the platform.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_media_total')],
          isSum: true,
        },
        {
          title: 'Files handed over, receipts',
          description: 'Files for the platform, and read receipts and typing indicators.',
          unit: 'ops',
          queries: [
            [rateBy('outcome', 'switchboard_messaging_uploads_total', HERE), 'file {outcome}'],
            [rateBy('outcome', 'switchboard_messaging_receipts_total', HERE), 'receipt {outcome}'],
          ],
        },
        {
          title: 'Age of the templates',
          description: 'Since the business that waits longest was read; as a rule less than five minutes.',
          unit: 's',
          queries: [
            [`max by (namespace) (namespace:switchboard_template_sync_age_seconds:max{${HERE}})`, '{namespace}'],
          ],
          bad: [{ at: 3_600 }],
          alerts: ['TemplateSyncOld'],
        },
        {
          title: 'Businesses that cannot be read',
          description: 'One: its token or its rights. All: the platform.',
          unit: 'none',
          queries: [[`max by (namespace) (switchboard_template_sync_failing{${HERE}})`, '{namespace}']],
          bad: [{ at: 1 }],
          alerts: ['TemplateSyncOld'],
        },
        {
          title: 'Months ahead end',
          description: 'Until when the messages table has a part for each month.',
          unit: 'dateTimeFromNow',
          query: `min(namespace:switchboard_message_partitions_end_timestamp_seconds:max{${HERE}}) * 1000`,
          alerts: ['PartitionMissing'],
        },
      ],
    },
  ],
);
