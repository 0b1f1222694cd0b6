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

/** Everything that can be set for the webhooks service. */
export const settings = defineConfig('webhooks', {
  ...serviceFields,
  ...poolFields({ requests: 2, events: 3, background: 3 }),
  ...encryptionKeyFields,
  PUBLIC_BASE_URL: z
    .url({ protocol: /^https?$/ })
    .default('http://localhost:3000')
    .describe('Address under which customers and the upstream platform reach the API, without /v1'),
  WEBHOOK_ALLOW_PRIVATE: flagField(
    false,
    'Lets webhook URLs be plain HTTP and point at private addresses: for a machine of your own only, never where strangers set URLs',
  ),
  WEBHOOK_PROXY_URL: secret(
    z
      .url({ protocol: /^http$/ })
      .optional()
      .describe(
        'HTTP proxy (CONNECT) through which webhooks leave, with user and password if it wants them; names are still looked up and judged here',
      ),
  ),
  WEBHOOK_CONCURRENCY_PER_ENDPOINT: integerField(
    { min: 1, max: 100, fallback: 10 },
    'Most requests in flight to one webhook endpoint at a time, over all processes, unless the endpoint says otherwise: with ten, an endpoint that takes 50 ms to answer gets at most 200 events a second',
  ),
  WEBHOOK_CONCURRENCY: integerField(
    { min: 1, max: 10_000, fallback: 500 },
    'Most requests in flight to all webhook endpoints together, per process',
  ),
  WEBHOOK_DEGRADED_AFTER_MINUTES: integerField(
    { min: 0, max: 100_000, fallback: 60 },
    'An endpoint at which nothing has succeeded for so many minutes gets one request at a time until one succeeds, and its owner is told; 0 for never',
  ),
  WEBHOOK_LOG_DAYS: integerField(
    { min: 1, max: MAX_EVENT_DAYS, fallback: 30 },
    'Days for which events, deliveries and attempts are kept, at least; dropped by the week; an account can be given fewer',
  ),
  WEBHOOK_REPLAYS_PER_SECOND: integerField(
    { min: 1, max: 10_000, fallback: 100 },
    'Most dropped deliveries that replays of one account put into line again per second',
  ),
});

/** What the migration command needs. */
export const migrationSettings = defineConfig('webhooks', migrationFields);

export type WebhooksConfig = ConfigOf<typeof settings>;

export const readSettings = (): WebhooksConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
