import { brokerOptionsOf, buildMessageService, createBroker } from '@switchboard/broker';
import type { BuiltService, Logger } from '@switchboard/platform';
import type { JobsConfig } from './config';
import { AppModule } from './app.module';

/** The build places the worker's bundle next to this file's bundle. */
const SHEET_WORKER = new URL('./sheet-worker.mjs', import.meta.url);

/** Builds the service. It receives no messages until `listen` is called. */
export function buildService(
  config: JobsConfig,
  logger: Logger,
  { sheetWorkerUrl = SHEET_WORKER } = {},
): Promise<BuiltService> {
  const broker = createBroker({ service: 'jobs', ...brokerOptionsOf(config), logger });
  return buildMessageService({ module: AppModule.forRoot({ config, logger, broker, sheetWorkerUrl }), broker, logger });
}
