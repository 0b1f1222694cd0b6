import { createBroker } from '@switchboard/broker';
import { query } from '@switchboard/database';
import { runService } from '@switchboard/platform';
import { DataSource } from 'typeorm';
import { readSettings } from './config';
import { createHttpApp } from './server';

const config = readSettings();

await runService({
  name: 'gateway',
  config,
  build: async ({ logger }) => {
    const broker = createBroker({
      service: 'gateway',
      url: config.RABBITMQ_URL,
      namespace: config.BROKER_NAMESPACE,
      logger,
    });
    const app = await createHttpApp({ config, broker, logger });
    return {
      app,
      listen: () => {
        // Not waited for: while the broker is away callers get their 503, and /health says why. A broker that refuses us
        // for good rejects this promise, and that ends the process as any error nobody handles.
        void app.startAllMicroservices();
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
