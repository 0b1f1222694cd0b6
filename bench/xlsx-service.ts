import 'reflect-metadata';
import { runService } from '@switchboard/platform';
import { buildService } from '../apps/jobs/src/build-service';
import { readSettings } from '../apps/jobs/src/config';

// The jobs service as it is, with the thread's program where the benchmark has bundled it.
const config = readSettings();
const sheetWorkerUrl = new URL('./xlsx-worker.mjs', import.meta.url);
await runService({ name: 'jobs', config, build: ({ logger }) => buildService(config, logger, { sheetWorkerUrl }) });
