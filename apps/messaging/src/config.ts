import { blobFields } from '@switchboard/blobs';
import { migrationFields, poolFields } from '@switchboard/database';
import {
  type ConfigOf,
  defineConfig,
  encryptionKeyFields,
  flagField,
  integerField,
  readConfig,
  serviceFields,
} from '@switchboard/platform';
import { upstreamFields } from '@switchboard/upstream';

const fields = {
  ...serviceFields,
  ...poolFields({ requests: 4, reads: 3, events: 4, background: 2 }),
  ...blobFields,
  ...encryptionKeyFields,
  ...upstreamFields,
  UPSTREAM_TIMEOUT_MS: integerField(
    { min: 100, max: 60_000, fallback: 10_000 },
    'Timeout for a call to the upstream platform, in milliseconds. Must be shorter than RECONCILE_GRACE_SECONDS',
  ),
  UPLOAD_TIMEOUT_MS: integerField(
    { min: 1_000, max: 80_000, fallback: 60_000 },
    'Timeout for the upload of a file to the upstream platform, in milliseconds',
  ),
  UPLOADED_MEDIA_RETENTION_DAYS: integerField(
    { min: 1, max: 3_650, fallback: 30 },
    'Retention of files that were uploaded with `POST /v1/media`, in days since their last use. Files of unfinished jobs are always retained',
  ),
  UPLOADED_MEDIA_QUOTA_MB: integerField(
    { min: 1, max: 1_048_576, fallback: 1_024 },
    'Maximum size of all files of an account that were uploaded with `POST /v1/media`, in MB',
  ),
  SENT_MEDIA_QUOTA_MB: integerField(
    { min: 0, max: 1_048_576, fallback: 1_024 },
    'Maximum size of all files of an account that users sent from the dashboard, in MB. Beyond it, the oldest files are deleted',
  ),
  RECONCILE_GRACE_SECONDS: integerField(
    { min: 1, max: 3_600, fallback: 60 },
    "Time that a message with an unknown send outcome waits for the upstream platform's callback before it is sent again, in seconds. Must be longer than the slowest callback",
  ),
  CALLBACK_WAIT_SECONDS: integerField(
    { min: 1, max: 86_400, fallback: 900 },
    "Time that a message which must not be sent again waits for the upstream platform's callback before it fails, in seconds. Applies if the response had no outcome, such as that of a proxy, and the message was probably sent. Never shorter than RECONCILE_GRACE_SECONDS",
  ),
  NUMBER_POLL_SECONDS: integerField(
    { min: 1, max: 86_400, fallback: 300 },
    'Interval at which the quality, limit and status of each business number are read from the upstream platform, in seconds; longer during throttling',
  ),
  JOB_SENDS_AT_A_TIME: integerField(
    { min: 1, max: 2_000, fallback: 200 },
    'Maximum number of concurrent sends of bulk job messages per process, over separate connections. 200 allow 1,000 messages per second if the upstream platform responds within 200 ms',
  ),
  FREE_SERVICE_MESSAGES: integerField(
    { min: 0, max: 1_000_000_000, fallback: 1_000 },
    'Free non-template messages per business number and month at the upstream platform, as assumed by estimates',
  ),
  GROUP_STATUS_EVENTS: flagField(
    true,
    'Publish statuses that were applied together to the webhooks service as one message. Set `false` while a service of release 0.1.0 runs, which does not support it',
  ),
  PREFETCH: integerField(
    { min: 1, max: 1_000, fallback: 50 },
    'Maximum number of messages of one queue that are processed at the same time',
  ),
};

export const settings = defineConfig('messaging', fields, ({ UPSTREAM_TIMEOUT_MS, RECONCILE_GRACE_SECONDS }) =>
  // With a shorter grace period, a message could be sent again while its call is still running.
  UPSTREAM_TIMEOUT_MS < RECONCILE_GRACE_SECONDS * 1_000
    ? []
    : ['RECONCILE_GRACE_SECONDS: must be longer than UPSTREAM_TIMEOUT_MS'],
);

export const migrationSettings = defineConfig('messaging', migrationFields);

export type MessagingConfig = ConfigOf<typeof settings>;

export const readSettings = (): MessagingConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
