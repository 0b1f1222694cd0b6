import { migrationFields } from '@switchboard/database';
import { type ConfigOf, defineConfig, encryptionKeyField, flagField, integerField, readConfig, serviceFields } from '@switchboard/platform';

/** Everything that can be set for the webhooks service. */
export const settings = defineConfig('webhooks', {
  ...serviceFields,
  ENCRYPTION_KEY: encryptionKeyField,
  WEBHOOK_ALLOW_PRIVATE: flagField(
    false,
    'Lets webhook URLs be plain HTTP and point at private addresses: for a machine of your own only, never where strangers set URLs',
  ),
  WEBHOOK_CONCURRENCY_PER_ENDPOINT: integerField(
    { min: 1, max: 100, fallback: 3 },
    'Most requests in flight to one webhook endpoint at a time, per process',
  ),
  WEBHOOK_CONCURRENCY: integerField({ min: 1, max: 10_000, fallback: 500 }, 'Most requests in flight to all webhook endpoints together, per process'),
});

/** What the migration command needs. */
export const migrationSettings = defineConfig('webhooks', migrationFields);

export type WebhooksConfig = ConfigOf<typeof settings>;

export const readSettings = (): WebhooksConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
