import { setTimeout as delay } from 'node:timers/promises';
import { brokerOptionsOf, createBroker } from '@switchboard/broker';
import { query } from '@switchboard/database';
import { asRoutine, runService } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { version } from '../package.json';
import { readSettings } from './config';
import { createHttpApp } from './server';

/** Maximum wait for the broker at startup in milliseconds, before the process accepts requests. */
const FIND_BROKER_MS = 3_000;

const config = readSettings();

await runService({
  name: 'gateway',
  version,
  config,
  build: async ({ logger }) => {
    const broker = createBroker({ service: 'gateway', ...brokerOptionsOf(config), logger });
    const app = await createHttpApp({ config, broker, logger });
    return {
      app,
      listen: async () => {
        const connected = app.startAllMicroservices();
        // If the broker rejects the connection permanently, this promise rejects and ends the process as an unhandled
        // rejection.
        void connected.then();
        // Wait for the broker, since earlier requests would fail, but not indefinitely: while the broker is down,
        // callers receive 503 and /health reports the reason.
        await Promise.race([connected, delay(FIND_BROKER_MS, undefined, { ref: false })]);
        return app.listen({ port: config.GATEWAY_PORT, host: config.LISTEN_ADDRESS });
      },
      // Stay ready while the broker or the database is down, so that callers receive a 503 from the gateway rather than
      // a proxy's error page. Callbacks need only the database.
      servesAlone: true,
      checks: {
        broker: () => broker.checkReady(),
        database: () => asRoutine(async () => void (await query(app.get(DataSource), 'SELECT 1'))),
      },
      afterClose: () => broker.close(),
    };
  },
});
