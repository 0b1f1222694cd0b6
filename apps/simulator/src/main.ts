import 'reflect-metadata'; // The contracts of the upstream types are decorated classes.
import { createLogger } from '@switchboard/platform';
import { readSettings, toSettings } from './config';
import { createSimulator } from './simulator';

const config = readSettings();
const logger = createLogger('simulator', config.LOG_LEVEL);
const simulator = createSimulator(toSettings(config), logger);

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    logger.info({ signal }, 'simulator.stopping');
    void simulator.close().then(() => process.exit(0));
  });
}

try {
  await simulator.listen({ port: config.SIMULATOR_PORT, host: config.LISTEN_ADDRESS });
  logger.info({ port: config.SIMULATOR_PORT }, 'simulator.started');
} catch (error) {
  logger.fatal({ err: error }, 'simulator.failed');
  process.exit(1);
}
