import 'reflect-metadata';
import { runService } from '@switchboard/platform';
import { readSettings } from './config';
import { buildService } from './build-service';

const config = readSettings();
await runService({ name: 'otp', config, build: ({ logger }) => buildService(config, logger) });
