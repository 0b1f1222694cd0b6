import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { isDatabaseAway } from './database-errors';
import { PEER_CONNECTION, PeerActivity, type PeerConnection } from './peer-activity';
import { CONNECT_TIMEOUT_MS, connectionOptions, type PoolSizes } from './pools';
import { ServiceDataSource } from './service-data-source';
import { Transactions } from './transactions';

export type EntityClass = new () => object;

export interface DatabaseOptions {
  schema: string;
  url: string;
  entities?: readonly EntityClass[];
  poolSize?: number;
  /** Limit for one statement, in milliseconds; Infinity for no limit. Defaults to the limit for requests. */
  statementMs?: number;
}

const DEFAULT_POOL_SIZE = 10;
/** Interval at which a starting service retries to connect to the database, in milliseconds. */
const RETRY_AFTER_MS = 1_000;

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
  schema: string;
  url: string;
  entities: readonly EntityClass[];
  sizes: PoolSizes;
}

@Module({})
export class DatabaseModule {
  /**
   * Returns a global module with the service's DataSource and Transactions. `TypeOrmModule.forFeature` adds
   * repositories.
   */
  static forRoot({ schema, url, entities, sizes }: DatabaseModuleOptions): DynamicModule {
    const options = dataSourceOptions({ schema, url, entities, poolSize: sizes.requests });
    const retries = {
      // Wait at startup until the database is available, so that an outage during a rollout causes no crash loop.
      retryAttempts: Infinity,
      retryDelay: RETRY_AFTER_MS,
      verboseRetryLog: true,
      toRetry: isDatabaseAway,
    };
    const connection = { schema, url, sizes };
    const peers: PeerConnection = { schema, url };
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        TypeOrmModule.forRootAsync({
          useFactory: () => ({ ...options, ...retries }),
          dataSourceFactory: () => Promise.resolve(new ServiceDataSource(options, connection).showPools()),
        }),
      ],
      providers: [Transactions, PeerActivity, { provide: PEER_CONNECTION, useValue: peers }],
      exports: [Transactions, TypeOrmModule],
    };
  }
}
