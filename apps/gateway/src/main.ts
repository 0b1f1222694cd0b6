import { setTimeout as delay } from 'node:timers/promises';
import { brokerOptionsOf, createBroker } from '@switchboard/broker';
import { query } from '@switchboard/database';
import { runService } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { version } from '../package.json';
import { readSettings } from './config';
import { createHttpApp } from './server';

/** A process that starts has so long to find the broker before it takes requests. */
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
        // A broker that refuses us for good rejects this promise: that ends the process as any error nobody handles.
        void connected.then();
        // Requests come as soon as it listens, and those before the broker would be refused. Not waited for any longer:
        // while it is away callers get their 503, and /health says why.
        await Promise.race([connected, delay(FIND_BROKER_MS, undefined, { ref: false })]);
        return app.listen({ port: config.GATEWAY_PORT, host: config.LISTEN_ADDRESS });
      },
      // Callers get their own 503 while the broker or the database is away, and callbacks need the database alone: not
      // ready would mean a proxy's error page instead.
      servesAlone: true,
      checks: {
        broker: () => broker.checkReady(),
        database: async () => void (await query(app.get(DataSource), 'SELECT 1')),
      },
      afterClose: () => broker.close(),
    };
  },
});
