import { blobFields } from '@switchboard/blobs';
import { migrationFields, poolFields } from '@switchboard/database';
import {
  type ConfigOf,
  defineConfig,
  encryptionKeyFields,
  integerField,
  readConfig,
  serviceFields,
} from '@switchboard/platform';
import { upstreamFields } from '@switchboard/upstream';

/** Everything that can be set for the templates service. */
export const settings = defineConfig('templates', {
  ...serviceFields,
  ...poolFields({ requests: 2, background: 2 }),
  ...encryptionKeyFields,
  ...blobFields,
  ...upstreamFields,
  UPSTREAM_TIMEOUT_MS: integerField(
    { min: 100, max: 60_000, fallback: 10_000 },
    'How long one call to the upstream platform may take, in milliseconds',
  ),
  SAMPLE_UPLOAD_TIMEOUT_MS: integerField(
    { min: 1_000, max: 600_000, fallback: 120_000 },
    "How long the upload of a header's sample to the upstream platform may take, continued or not, in milliseconds",
  ),
  HEADER_SAMPLE_DAYS: integerField(
    { min: 1, max: 365, fallback: 7 },
    'After how many days the sample of a header is removed when no open draft needs it',
  ),
  SYNC_INTERVAL_SECONDS: integerField(
    { min: 5, max: 86_400, fallback: 300 },
    "Time between two readings of an account's templates, in seconds; changes that the upstream platform reports are read at once",
  ),
});

/** What the migration command needs. */
export const migrationSettings = defineConfig('templates', migrationFields);

export type TemplatesConfig = ConfigOf<typeof settings>;

export const readSettings = (): TemplatesConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
