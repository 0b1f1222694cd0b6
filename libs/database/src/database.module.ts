import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type DataSourceOptions, type MixedList } from 'typeorm';
import { Transactions } from './transactions';

const DEFAULT_POOL_SIZE = 10;
/** A query waits at most this long for a connection, then fails: callers get 503 instead of a queue without end. */
const CONNECT_TIMEOUT_MS = 2_000;
/**
 * A connection that nobody needs is kept for so long. A new one costs more than a hundred queries: a process of the server, a login, and all
 * that the server knows of tables and plans anew. With the driver's 10 s each burst paid for that.
 */
const IDLE_TIMEOUT_MS = 600_000;

export interface DatabaseOptions {
  /** The service's own schema. */
  schema: string;
  url: string;
  entities?: MixedList<new () => object>;
  /** Most connections at a time. */
  poolSize?: number;
}

/** TypeORM options for a service's own schema; extensions in `public` stay reachable. */
export function dataSourceOptions({ schema, url, entities = [], poolSize = DEFAULT_POOL_SIZE }: DatabaseOptions): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    schema,
    entities: entities as DataSourceOptions['entities'],
    synchronize: false,
    logging: false,
    poolSize,
    applicationName: `switchboard-${schema}`,
    connectTimeoutMS: CONNECT_TIMEOUT_MS,
    extra: { options: `-c search_path=${schema},public`, keepAlive: true, idleTimeoutMillis: IDLE_TIMEOUT_MS, pipeline: true },
  };
}

@Module({})
class DatabaseModule {}

/** A global module with the service's DataSource and Transactions. */
export function databaseModule(options: DatabaseOptions): DynamicModule {
  return {
    module: DatabaseModule,
    global: true,
    imports: [TypeOrmModule.forRoot({ ...dataSourceOptions(options), retryAttempts: 30, retryDelay: 1_000 })],
    providers: [{ provide: Transactions, useFactory: (dataSource: DataSource) => new Transactions(dataSource), inject: [DataSource] }],
    exports: [Transactions, TypeOrmModule],
  };
}
