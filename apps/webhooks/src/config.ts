import { MAX_EVENT_DAYS } from '@switchboard/contracts';
import { migrationFields, poolFields } from '@switchboard/database';
import {
  type ConfigOf,
  defineConfig,
  encryptionKeyFields,
  flagField,
  integerField,
  readConfig,
  secret,
  serviceFields,
} from '@switchboard/platform';
import { z } from 'zod';

export const settings = defineConfig('webhooks', {
  ...serviceFields,
  ...poolFields({ requests: 2, events: 3, background: 3 }),
  ...encryptionKeyFields,
  PUBLIC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:3000')
    .describe('Public URL of the API for customers and the upstream platform, without /v1'),
  WEBHOOK_ALLOW_PRIVATE: flagField(
    false,
    'Allow webhook URLs with plain HTTP and private addresses. Only for your own machine, never where untrusted users set URLs',
  ),
  WEBHOOK_PROXY_URL: secret(
    z
      .url({ protocol: /^http$/ })
      .optional()
      .describe(
        'URL of an HTTP proxy (CONNECT) for webhook requests, with user and password if needed. Host names are still resolved and checked by the service',
      ),
  ),
  WEBHOOK_CONCURRENCY_PER_ENDPOINT: integerField(
    { min: 1, max: 100, fallback: 10 },
    'Default maximum number of requests in flight to one webhook endpoint, over all processes. With ten, an endpoint that responds in 50 ms gets at most 200 events per second',
  ),
  WEBHOOK_CONCURRENCY: integerField(
    { min: 1, max: 10_000, fallback: 500 },
    'Maximum number of requests in flight to all webhook endpoints together, per process',
  ),
  WEBHOOK_DEGRADED_AFTER_MINUTES: integerField(
    { min: 0, max: 100_000, fallback: 60 },
    'Minutes without a success after which an endpoint gets one request at a time until one succeeds, and its owner is notified; 0 for never',
  ),
  WEBHOOK_LOG_DAYS: integerField(
    { min: 1, max: MAX_EVENT_DAYS, fallback: 30 },
    'Minimum retention of events, deliveries and attempts, in days. They are dropped in weekly partitions. An account can have fewer days',
  ),
  WEBHOOK_REPLAYS_PER_SECOND: integerField(
    { min: 1, max: 10_000, fallback: 100 },
    'Maximum number of dropped deliveries per second that replays of one account requeue',
  ),
});

export const migrationSettings = defineConfig('webhooks', migrationFields);

export type WebhooksConfig = ConfigOf<typeof settings>;

export const readSettings = (): WebhooksConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
