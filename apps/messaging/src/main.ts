import 'reflect-metadata';
import { runService } from '@switchboard/platform';
import { version } from '../package.json';
import { buildService } from './build-service';
import { readSettings } from './config';

const config = readSettings();
await runService({ name: 'messaging', version, config, build: ({ logger }) => buildService(config, logger) });
