import { type DynamicModule, Module } from '@nestjs/common';
import { Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { Broker } from './broker';
import { InboxPurge } from './inbox-purge';
import { OutboxRelay } from './outbox-relay';

@Module({})
class BrokerModule {}

@Module({})
class OutboxRelayModule {}

/** A global module that provides the process's Broker. */
export function brokerModule(broker: Broker): DynamicModule {
  return { module: BrokerModule, global: true, providers: [{ provide: Broker, useValue: broker }], exports: [Broker] };
}

/**
 * Publishes what the service's transactions left in the outbox, from start to shutdown, and clears old rows of the
 * inbox. Needs the global modules of broker and database, and `Loops`.
 */
export function outboxRelayModule(): DynamicModule {
  return {
    module: OutboxRelayModule,
    providers: [
      {
        provide: OutboxRelay,
        useFactory: (broker: Broker, transactions: Transactions) =>
          new OutboxRelay(broker, transactions, broker.logger),
        inject: [Broker, Transactions],
      },
      {
        provide: InboxPurge,
        useFactory: (dataSource: DataSource) => new InboxPurge(dataSource),
        inject: [DataSource],
      },
    ],
    exports: [OutboxRelay],
  };
}
