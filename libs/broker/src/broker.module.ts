import { type DynamicModule, Module } from '@nestjs/common';
import { Transactions } from '@switchboard/database';
import { DataSource } from 'typeorm';
import { Broker } from './broker';
import { InboxPurge } from './inbox-purge';
import { OutboxFigures } from './outbox-figures';
import { OutboxRelay } from './outbox-relay';
import { PublishedPurge } from './published-purge';
import { QueueFigures } from './queue-figures';

@Module({})
class BrokerModule {}

@Module({})
class OutboxRelayModule {}

/** A global module that provides the process's Broker. */
export function brokerModule(broker: Broker): DynamicModule {
  return { module: BrokerModule, global: true, providers: [{ provide: Broker, useValue: broker }], exports: [Broker] };
}

/**
 * Publishes what the service's transactions left in the outbox, from start to shutdown, clears old rows of the inbox
 * and of what was published, and shows how much waits in outbox and queues. Needs the global modules of broker and
 * database, and `Loops`.
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
      {
        provide: PublishedPurge,
        useFactory: (dataSource: DataSource) => new PublishedPurge(dataSource),
        inject: [DataSource],
      },
      {
        provide: OutboxFigures,
        useFactory: (dataSource: DataSource) => new OutboxFigures(dataSource),
        inject: [DataSource],
      },
      { provide: QueueFigures, useFactory: (broker: Broker) => new QueueFigures(broker), inject: [Broker] },
    ],
    exports: [OutboxRelay],
  };
}
