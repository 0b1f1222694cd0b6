import { type DynamicModule, Module } from '@nestjs/common';
import { Broker } from './broker';
import { InboxPurge } from './inbox-purge';
import { OutboxFigures } from './outbox-figures';
import { OutboxRelay } from './outbox-relay';
import { PublishedPurge } from './published-purge';
import { QueueFigures } from './queue-figures';

@Module({})
export class BrokerModule {
  /** A global module that provides the process's Broker. */
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
 * Publishes what the service's transactions left in the outbox, from start to shutdown. Clears old rows of the inbox
 * and of what was published, and shows how much waits in outbox and queues. Needs the global modules of broker and
 * database, and `Loops`.
 */
@Module({ providers: [InboxPurge, OutboxFigures, OutboxRelay, PublishedPurge, QueueFigures] })
export class OutboxRelayModule {}
