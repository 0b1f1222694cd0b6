import { queueOf, SERVICES, type ServiceName } from '@switchboard/contracts';
import { type BrokerAddress, lookAtQueue, withConnection } from './dead-letters';
import { queuedContracts } from './topology';

/** What the broker holds for one service. */
export interface ServiceQueues {
  service: ServiceName;
  /** How many queues the service takes messages from. */
  queues: number;
  /** Queues that were never declared, or were deleted. */
  missing: string[];
  /** Queues that no process of the service takes messages from now. */
  withoutConsumer: string[];
  /** Messages that wait in all of its queues. */
  waiting: number;
  /** Queues that have dead letters. */
  deadLetters: { queue: string; count: number }[];
}

/** How the queues of every service stand, as the broker counts them now. */
export function serviceQueues(address: BrokerAddress): Promise<ServiceQueues[]> {
  return withConnection(address, async (model, names) => {
    const services: ServiceQueues[] = [];
    for (const service of SERVICES) {
      const contracts = queuedContracts(service);
      const found: ServiceQueues = {
        ...{ service, queues: contracts.length, missing: [], withoutConsumer: [], waiting: 0, deadLetters: [] },
      };
      for (const contract of contracts) {
        const queue = queueOf(contract, service);
        const state = await lookAtQueue(model, names.prefixed(queue));
        if (!state) found.missing.push(queue);
        else if (state.consumerCount === 0) found.withoutConsumer.push(queue);
        found.waiting += state?.messageCount ?? 0;
        if (contract.kind === 'command') continue;
        const count = (await lookAtQueue(model, names.deadLetterQueue(names.prefixed(queue))))?.messageCount ?? 0;
        if (count > 0) found.deadLetters.push({ queue, count });
      }
      services.push(found);
    }
    return services;
  });
}
