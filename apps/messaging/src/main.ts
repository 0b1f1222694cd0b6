import 'reflect-metadata';
import { runService } from '@switchboard/platform';
import { buildService } from './build-service';
import { readSettings } from './config';

const config = readSettings();
await runService({ name: 'messaging', config, build: ({ logger }) => buildService(config, logger) });
