import 'reflect-metadata';
import { runService } from '@switchboard/platform';
import { buildService } from '../apps/jobs/src/build-service';
import { readSettings } from '../apps/jobs/src/config';
import { version } from '../apps/jobs/package.json';

// Runs the unmodified jobs service, with the worker thread's program from the benchmark's bundle.
const config = readSettings();
const sheetWorkerUrl = new URL('./xlsx-worker.mjs', import.meta.url);
await runService({
  name: 'jobs',
  version,
  config,
  build: ({ logger }) => buildService(config, logger, { sheetWorkerUrl }),
});
