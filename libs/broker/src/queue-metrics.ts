import { Inject, Injectable } from '@nestjs/common';
import { COUNT_BACKLOG_EVERY_MS, Every, gauge } from '@switchboard/platform';
import { Broker } from './broker';

const waiting = gauge('queue_messages', 'Messages that wait in a queue for a consumer, as the broker counts them', [
  'queue',
]);
const dead = gauge('dead_letters', 'Messages that no handler could take and an operator must look at', ['queue']);

/**
 * Exports the lengths of the service's queues as metrics. Every process of a service reports the same values, so alerts
 * use the maximum.
 */
@Injectable()
export class QueueMetrics {
  constructor(@Inject(Broker) private readonly broker: Pick<Broker, 'queueLengths' | 'isReady'>) {}

  @Every({ name: 'queue-figures', everyMs: COUNT_BACKLOG_EVERY_MS })
  async count(): Promise<void> {
    // While the broker is away, the last values remain. A separate metric reports its absence.
    if (!this.broker.isReady()) return;
    for (const { queue, messages, deadLetters } of await this.broker.queueLengths()) {
      waiting.set({ queue }, messages);
      if (deadLetters !== undefined) dead.set({ queue }, deadLetters);
    }
  }
}
