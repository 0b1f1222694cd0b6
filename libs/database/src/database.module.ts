import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { isDatabaseAway } from './database-errors';
import { CONNECT_TIMEOUT_MS, connectionOptions, type PoolSizes } from './pools';
import { ServiceDataSource } from './service-data-source';
import { Transactions } from './transactions';

export type EntityClass = new () => object;

export interface DatabaseOptions {
  /** The service's own schema. */
  schema: string;
  url: string;
  /** One for each table that repositories use. */
  entities?: readonly EntityClass[];
  /** Most connections at a time. */
  poolSize?: number;
  /**
   * How long one statement may take, in milliseconds; Infinity for as long as it likes. That of a request when absent.
   */
  statementMs?: number;
}

const DEFAULT_POOL_SIZE = 10;
/** How long a service that starts waits for a database that is away before it asks again, in milliseconds. */
const RETRY_AFTER_MS = 1_000;

/** TypeORM options for a service's own schema. */
export function dataSourceOptions({
  schema,
  url,
  entities = [],
  poolSize = DEFAULT_POOL_SIZE,
  statementMs,
}: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    schema,
    entities: [...entities],
    synchronize: false,
    logging: false,
    poolSize,
    applicationName: `switchboard-${schema}`,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: connectionOptions({ schema, statementMs }),
  };
}

export interface DatabaseModuleOptions {
  /** The service's own schema. */
  schema: string;
  url: string;
  /** One for each table that repositories use. */
  entities: readonly EntityClass[];
  sizes: PoolSizes;
}

@Module({})
export class DatabaseModule {
  /** A global module with the service's DataSource and Transactions; `TypeOrmModule.forFeature` adds repositories. */
  static forRoot({ schema, url, entities, sizes }: DatabaseModuleOptions): DynamicModule {
    const options = dataSourceOptions({ schema, url, entities, poolSize: sizes.requests });
    const retries = {
      // The start waits until the database is back: an outage during a rollout is no crash loop.
      retryAttempts: Infinity,
      retryDelay: RETRY_AFTER_MS,
      verboseRetryLog: true,
      toRetry: isDatabaseAway,
    };
    const connection = { schema, url, sizes };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...options, ...retries }),
          dataSourceFactory: () => Promise.resolve(new ServiceDataSource(options, connection).showPools()),
        }),
      ],
      providers: [Transactions],
      exports: [Transactions, TypeOrmModule],
    };
  }
}
