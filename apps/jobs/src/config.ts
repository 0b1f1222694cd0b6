import { migrationFields } from '@switchboard/database';
import { type ConfigOf, defineConfig, readConfig, serviceFields } from '@switchboard/platform';

/** Everything that can be set for the jobs service. */
export const settings = defineConfig('jobs', { ...serviceFields });

/** What the migration command needs. */
export const migrationSettings = defineConfig('jobs', migrationFields);

export type JobsConfig = ConfigOf<typeof settings>;

export const readSettings = (): JobsConfig => readConfig(settings, process.env);

export const readMigrationSettings = () => readConfig(migrationSettings, process.env);
