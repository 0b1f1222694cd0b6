import { blobFields } from '@switchboard/blobs';
import { migrationFields, poolFields } from '@switchboard/database';
import { type ConfigOf, defineConfig, integerField, readConfig, serviceFields } from '@switchboard/platform';
import { sheetFields } from './sheets/sheet-fields';

export const settings = defineConfig('jobs', {
  ...serviceFields,
  ...poolFields({ requests: 2, reads: 2, events: 2, background: 2 }),
  JOBS_MAX_PACE: integerField(
    { min: 0, max: 100_000, fallback: 1_000 },
    'Maximum number of bulk job recipients released per second and business number, even if the upstream platform accepts more; 0 for no limit except its throttling',
  ),
  JOBS_MAX_OUTSTANDING: integerField(
    { min: 10, max: 100_000, fallback: 1_000 },
    'Maximum number of released recipients without a result per business number. Pausing, throttling and single sends take effect after at most this many recipients',
  ),
  JOBS_RESULT_GRACE_SECONDS: integerField(
    { min: 1, max: 3_600, fallback: 30 },
    'Time after which the result of a released recipient is queried, in seconds. Must be longer than a send can take',
  ),
  JOBS_FAILURE_PERCENT: integerField(
    { min: 1, max: 100, fallback: 50 },
    'Failure rate that pauses a job, in percent of its last 200 outcomes. Recipients who opted out do not count; 100 for never',
  ),
  ...sheetFields,
  ...blobFields,
});

export const migrationSettings = defineConfig('jobs', migrationFields);

export type JobsConfig = ConfigOf<typeof settings>;

export const readSettings = (): JobsConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
