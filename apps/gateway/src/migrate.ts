import { migrateAndExit } from '@switchboard/database';
import { readMigrationSettings } from './config';
import { migrations } from './migrations';

await migrateAndExit({ schema: 'gateway', migrations, config: readMigrationSettings() });
