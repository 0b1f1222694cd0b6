import { Inject, Injectable } from '@nestjs/common';
import { COUNT_BACKLOG_EVERY_MS, Every, gauge } from '@switchboard/platform';
import { Broker } from './broker';

const waiting = gauge('queue_messages', 'Messages that wait in a queue for a consumer, as the broker counts them', [
  'queue',
]);
const dead = gauge('dead_letters', 'Messages that no handler could take and an operator must look at', ['queue']);

/** Shows how long the service's queues are. Each process of a service shows the same: alerts take the highest. */
@Injectable()
export class QueueFigures {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'queueLengths' | 'isReady'>) {}

  @Every({ name: 'queue-figures', everyMs: COUNT_BACKLOG_EVERY_MS })
  async count(): Promise<void> {
    // While the broker is away, what was counted last stands: its absence has a figure of its own.
    if (!this.broker.isReady()) return;
    for (const { queue, messages, deadLetters } of await this.broker.queueLengths()) {
      waiting.set({ queue }, messages);
      if (deadLetters !== undefined) dead.set({ queue }, deadLetters);
    }
  }
}
