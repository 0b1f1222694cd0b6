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
    'How long one call to the upstream platform may take, in milliseconds; must be shorter than RECONCILE_GRACE_SECONDS',
  ),
  UPLOAD_TIMEOUT_MS: integerField(
    { min: 1_000, max: 80_000, fallback: 60_000 },
    'How long handing one file over to the upstream platform may take, in milliseconds',
  ),
  RECONCILE_GRACE_SECONDS: integerField(
    { min: 1, max: 3_600, fallback: 60 },
    "How long a message whose send has no known outcome waits for the upstream platform's callback before it is sent again, in seconds; must be longer than the slowest callback",
  ),
  CALLBACK_WAIT_SECONDS: integerField(
    { min: 1, max: 86_400, fallback: 900 },
    "How long a message that must not be sent again waits for the upstream platform's callback before it fails, in seconds: it was answered without an outcome, as by a proxy, and was probably sent; never shorter than RECONCILE_GRACE_SECONDS",
  ),
  NUMBER_POLL_SECONDS: integerField(
    { min: 1, max: 86_400, fallback: 300 },
    'How often quality, limit and status of each business number are read from the upstream platform, in seconds; longer while it is throttling',
  ),
  JOB_SENDS_AT_A_TIME: integerField(
    { min: 1, max: 2_000, fallback: 200 },
    'How many messages of bulk jobs one process sends upstream side by side, over connections of their own: 200 carry 1,000 messages a second while upstream answers within 200 ms',
  ),
  GROUP_STATUS_EVENTS: flagField(
    true,
    'Whether statuses that were applied together leave for the webhooks service as one message; `false` while a service of release 0.1.0 runs, which does not know it',
  ),
  PREFETCH: integerField(
    { min: 1, max: 1_000, fallback: 50 },
    'How many messages of one queue are worked on at a time',
  ),
};

/** Everything that can be set for the messaging service. */
export const settings = defineConfig('messaging', fields, ({ UPSTREAM_TIMEOUT_MS, RECONCILE_GRACE_SECONDS }) =>
  // A grace that a running call outlasts would send messages twice.
  UPSTREAM_TIMEOUT_MS < RECONCILE_GRACE_SECONDS * 1_000
    ? []
    : ['RECONCILE_GRACE_SECONDS: must be longer than UPSTREAM_TIMEOUT_MS'],
);

/** What the migration command needs. */
export const migrationSettings = defineConfig('messaging', migrationFields);

export type MessagingConfig = ConfigOf<typeof settings>;

export const readSettings = (): MessagingConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
