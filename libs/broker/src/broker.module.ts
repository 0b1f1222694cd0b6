import { type DynamicModule, Module } from '@nestjs/common';
import { Broker } from './broker';
import { InboxCleanup } from './inbox-cleanup';
import { OutboxFigures } from './outbox-figures';
import { OutboxRelay } from './outbox-relay';
import { PublishedCleanup } from './published-cleanup';
import { QueueFigures } from './queue-figures';

@Module({})
export class BrokerModule {
  static forRoot(broker: Broker): DynamicModule {
    return {
      module: BrokerModule,
      global: true,
      providers: [{ provide: Broker, useValue: broker }],
      exports: [Broker],
    };
  }
}

/**
 * Publishes the outbox of the service's transactions from start to shutdown. Purges old rows of the inbox and of
 * published messages, and exports the sizes of outbox and queues as metrics. Requires the global modules of broker and
 * database, and `Loops`.
 */
@Module({ providers: [InboxCleanup, OutboxFigures, OutboxRelay, PublishedCleanup, QueueFigures] })
export class OutboxRelayModule {}
