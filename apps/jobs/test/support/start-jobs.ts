import { type Broker, createBroker } from '@switchboard/broker';
import { readConfig } from '@switchboard/platform';
import { createTestDatabase, deleteNamespace, silentLogger, testBrokerOptions } from '@switchboard/testing';
import type { DataSource } from 'typeorm';
import { buildService } from '../../src/build-service';
import { settings } from '../../src/config';
import { migrations } from '../../src/migrations';

export interface RunningJobs {
  /** Asks as the gateway does. */
  gateway: Broker;
  dataSource: DataSource;
  stop(): Promise<void>;
}

/** The real service on a database and broker namespace of its own. */
export async function startJobs(): Promise<RunningJobs> {
  const { url, namespace } = testBrokerOptions();
  const database = await createTestDatabase('jobs', migrations);
  const config = readConfig(settings, { DATABASE_URL: database.url, RABBITMQ_URL: url, BROKER_NAMESPACE: namespace });
  const service = await buildService(config, silentLogger);
  await service.listen();
  const gateway = createBroker({ service: 'gateway', url, namespace, logger: silentLogger });
  await gateway.connect();
  return {
    gateway,
    dataSource: database.dataSource,
    stop: async () => {
      await gateway.close();
      await service.app.close();
      await service.afterClose?.();
      await database.drop();
      await deleteNamespace(namespace);
    },
  };
}
