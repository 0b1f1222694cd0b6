import { blobFields } from '@switchboard/blobs';
import { migrationFields, poolFields } from '@switchboard/database';
import { type ConfigOf, defineConfig, integerField, readConfig, serviceFields } from '@switchboard/platform';
import { sheetFields } from './sheets/sheet-fields';

/** Everything that can be set for the jobs service. */
export const settings = defineConfig('jobs', {
  ...serviceFields,
  ...poolFields({ requests: 2, reads: 2, events: 2, background: 2 }),
  JOBS_MAX_PACE: integerField(
    { min: 0, max: 100_000, fallback: 1_000 },
    'Most recipients of bulk jobs released per second and business number, even where the upstream platform takes more; 0 for no pace but its throttling',
  ),
  JOBS_MAX_OUTSTANDING: integerField(
    { min: 10, max: 100_000, fallback: 1_000 },
    'Most recipients per business number that are handed over and without a result: pausing, throttling and single sends act past as many',
  ),
  JOBS_RESULT_GRACE_SECONDS: integerField(
    { min: 1, max: 3_600, fallback: 30 },
    'After how long without a result it is asked what became of a recipient, in seconds; longer than a send may take',
  ),
  JOBS_FAILURE_PERCENT: integerField(
    { min: 1, max: 100, fallback: 50 },
    'A job pauses when more than this share of its last 200 outcomes are failures, in percent; recipients who opted out do not count; 100 for never',
  ),
  ...sheetFields,
  ...blobFields,
});

/** What the migration command needs. */
export const migrationSettings = defineConfig('jobs', migrationFields);

export type JobsConfig = ConfigOf<typeof settings>;

export const readSettings = (): JobsConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
