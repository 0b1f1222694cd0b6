import { board, HERE, quantiles, rateBy } from './panels';

const outcomes = (counter: string): [string, string] => [rateBy('outcome', counter, HERE), '{outcome}'];
const CALLBACKS = `${HERE},method="POST",route="/callbacks/upstream"`;

export const messagingBoard = board(
  'messaging',
  'Messaging and the platform',
  'Sends, calls to the platform, and its callbacks.',
  [
    {
      heading: 'Messages',
      panels: [
        {
          title: 'Single sends by outcome',
          description:
            'Refused includes errors from the platform. Unknown: the request was sent, but no response arrived.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_sends_total')],
          isSum: true,
          alerts: ['UnknownOutcomes'],
        },
        {
          title: 'Job messages by outcome',
          description: 'Throttled and held messages are retried automatically.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_job_messages_total')],
          isSum: true,
          alerts: ['UnknownOutcomes'],
        },
        {
          title: 'Unknown outcomes resolved',
          description: 'Resolved by the reconciler when no callback arrived in time.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_reconciled_total')],
          isSum: true,
          alerts: ['UnknownOutcomes'],
        },
      ],
    },
    {
      heading: 'Calls to the platform',
      panels: [
        {
          title: 'Call duration',
          description: 'Includes the wait for a connection.',
          unit: 's',
          queries: quantiles('switchboard_upstream_request_duration_seconds', HERE),
        },
        {
          title: 'Call duration p99, by operation',
          description: 'The five slowest operations.',
          unit: 's',
          queries: [
            [
              `topk(5, histogram_quantile(0.99, sum by (le, operation) (rate(switchboard_upstream_request_duration_seconds_bucket{${HERE}}[$__rate_interval]))))`,
              '{operation}',
            ],
          ],
        },
        {
          title: 'Calls by outcome',
          description: 'Unavailable: the request was not sent. Unknown: it was sent, but no response arrived.',
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
          title: 'Callbacks by response status',
          description: '401 and 403: invalid signature, or not received over HTTPS. 503: the database is unavailable.',
          unit: 'reqps',
          queries: [[rateBy('status', 'switchboard_http_request_duration_seconds_count', CALLBACKS), '{status}']],
          isSum: true,
          alerts: ['CallbackGap'],
        },
        {
          title: 'Statuses',
          description: 'Parked: the message is not known yet. Contradicted: a failure for a message already delivered.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_statuses_total')],
          isSum: true,
        },
        {
          title: 'Inbound messages',
          description: 'Repeated: delivered again by the platform, already stored.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_inbound_total')],
          isSum: true,
        },
        {
          title: 'Callbacks for unknown numbers',
          description: 'Retained for a day, for numbers that are connected at the platform first.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_unowned_callbacks_total')],
          isSum: true,
        },
      ],
    },
    {
      heading: 'Files, receipts, templates, partitions',
      panels: [
        {
          title: 'Media received',
          description: 'Attempts to download media from the platform.',
          unit: 'ops',
          queries: [outcomes('switchboard_messaging_media_total')],
          isSum: true,
        },
        {
          title: 'Uploads and receipts',
          description: 'Files uploaded to the platform, read receipts and typing indicators.',
          unit: 'ops',
          queries: [
            [rateBy('outcome', 'switchboard_messaging_uploads_total', HERE), 'file {outcome}'],
            [rateBy('outcome', 'switchboard_messaging_receipts_total', HERE), 'receipt {outcome}'],
          ],
        },
        {
          title: 'Template age',
          description:
            'Time since the last sync of the most outdated business account. Usually less than five minutes.',
          unit: 's',
          queries: [
            [`max by (namespace) (namespace:switchboard_template_sync_age_seconds:max{${HERE}})`, '{namespace}'],
          ],
          bad: [{ at: 3_600 }],
          alerts: ['TemplateSyncOld'],
        },
        {
          title: 'Business accounts failing to sync',
          description: 'One: its token or permissions. All: the platform.',
          unit: 'none',
          queries: [[`max by (namespace) (switchboard_template_sync_failing{${HERE}})`, '{namespace}']],
          bad: [{ at: 1 }],
          alerts: ['TemplateSyncOld'],
        },
        {
          title: 'Partitions end',
          description: 'End of the last monthly partition of the messages table.',
          unit: 'dateTimeFromNow',
          query: `min(namespace:switchboard_message_partitions_end_timestamp_seconds:max{${HERE}}) * 1000`,
          alerts: ['PartitionMissing'],
        },
      ],
    },
  ],
);
