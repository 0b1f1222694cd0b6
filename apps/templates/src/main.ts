import 'reflect-metadata';
import { runService } from '@switchboard/platform';
import { version } from '../package.json';
import { readSettings } from './config';
import { buildService } from './build-service';

const config = readSettings();
await runService({ name: 'templates', version, config, build: ({ logger }) => buildService(config, logger) });
