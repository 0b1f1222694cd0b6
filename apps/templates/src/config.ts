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

export const settings = defineConfig('templates', {
  ...serviceFields,
  ...poolFields({ requests: 2, background: 2 }),
  ...encryptionKeyFields,
  ...blobFields,
  ...upstreamFields,
  UPSTREAM_TIMEOUT_MS: integerField(
    { min: 100, max: 60_000, fallback: 10_000 },
    'Timeout for a call to the upstream platform, in milliseconds',
  ),
  SAMPLE_UPLOAD_TIMEOUT_MS: integerField(
    { min: 1_000, max: 600_000, fallback: 120_000 },
    'Timeout for the upload of a header sample to the upstream platform, including resumed uploads, in milliseconds',
  ),
  HEADER_SAMPLE_DAYS: integerField(
    { min: 1, max: 365, fallback: 7 },
    'Retention of a header sample that no open draft and no template needs, in days',
  ),
  TEMPLATE_SAMPLES_QUOTA_MB: integerField(
    { min: 1, max: 1_048_576, fallback: 1_024 },
    'Maximum size of the header samples that an account retains with its templates, in MB. Beyond it, the samples of the oldest templates are deleted',
  ),
  SYNC_INTERVAL_SECONDS: integerField(
    { min: 5, max: 86_400, fallback: 300 },
    'Interval at which the templates of an account are synchronized, in seconds. Changes that the upstream platform reports are read immediately',
  ),
});

export const migrationSettings = defineConfig('templates', migrationFields);

export type TemplatesConfig = ConfigOf<typeof settings>;

export const readSettings = (): TemplatesConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
