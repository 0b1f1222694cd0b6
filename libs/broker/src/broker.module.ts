import { type DynamicModule, Module } from '@nestjs/common';
import { Broker } from './broker';
import { InboxCleanup } from './inbox-cleanup';
import { OutboxMetrics } from './outbox-metrics';
import { OutboxRelay } from './outbox-relay';
import { PublishedCleanup } from './published-cleanup';
import { QueueMetrics } from './queue-metrics';

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
 * Publishes outbox rows from startup to shutdown, purges old rows of the inbox and of published messages, and exports
 * the sizes of outbox and queues as metrics. Requires the global broker and database modules, and `Loops`.
 */
@Module({ providers: [InboxCleanup, OutboxMetrics, OutboxRelay, PublishedCleanup, QueueMetrics] })
export class OutboxRelayModule {}
