import { queueOf, SERVICES, type ServiceName } from '@switchboard/contracts';
import { withTimeout } from '@switchboard/platform';
import { type BrokerAddress, inspectQueue, QueueUnavailableError, withConnection } from './dead-letters';
import { queuedContracts } from './topology';

export interface ServiceQueues {
  service: ServiceName;
  queues: number;
  /** Queues that were never declared, or were deleted. */
  missing: string[];
  /** Queues whose state the broker did not return: the node of a queue is down, or the broker is too slow. */
  unavailable: string[];
  withoutConsumer: string[];
  /** Number of ready messages in all queues of the service. */
  waiting: number;
  deadLetters: { queue: string; count: number }[];
}

type QueueState = Awaited<ReturnType<typeof inspectQueue>> | 'unavailable';

/**
 * Reads the state of the queues of every service.
 * @param options.timeoutMs maximum time to connect, and then for the state of all queues, in milliseconds
 */
export function serviceQueues(address: BrokerAddress, { timeoutMs }: { timeoutMs: number }): Promise<ServiceQueues[]> {
  return withConnection(
    address,
    (model, names) => {
      const deadline = performance.now() + timeoutMs;
      // Use one channel per queue: a queue whose node is down never responds and blocks its channel.
      const stateOf = (queue: string): Promise<QueueState> =>
        withTimeout(
          inspectQueue(model, names.prefixed(queue)),
          deadline - performance.now(),
          () => new QueueUnavailableError(`no response for ${queue}`),
        ).catch((error: unknown) => {
          if (error instanceof QueueUnavailableError) return 'unavailable';
          throw error;
        });
      return Promise.all(
        SERVICES.map((service) => queuesOfService(service, stateOf, (queue) => names.deadLetterQueue(queue))),
      );
    },
    { connectMs: timeoutMs },
  );
}

async function queuesOfService(
  service: ServiceName,
  stateOf: (queue: string) => Promise<QueueState>,
  deadLetterQueueOf: (queue: string) => string,
): Promise<ServiceQueues> {
  const states = await Promise.all(
    queuedContracts(service).map(async (contract) => {
      const queue = queueOf(contract, service);
      const [state, dead] = await Promise.all([
        stateOf(queue),
        contract.kind === 'command' ? undefined : stateOf(deadLetterQueueOf(queue)),
      ]);
      return { queue, state, dead };
    }),
  );
  const named = (test: (state: QueueState) => boolean): string[] =>
    states.filter(({ state }) => test(state)).map(({ queue }) => queue);
  return {
    service,
    queues: states.length,
    missing: named((state) => state === undefined),
    unavailable: named((state) => state === 'unavailable'),
    withoutConsumer: named((state) => typeof state === 'object' && state.consumerCount === 0),
    waiting: states.reduce((sum, { state }) => sum + messagesOf(state), 0),
    deadLetters: states.map(({ queue, dead }) => ({ queue, count: messagesOf(dead) })).filter(({ count }) => count > 0),
  };
}

const messagesOf = (state: QueueState): number => (typeof state === 'object' ? state.messageCount : 0);

/**
 * Checks for a resource alarm by publishing a message that no queue receives and waiting for the broker's confirm. The
 * message leaves nothing behind.
 * @param options.timeoutMs maximum time to connect, and then for the confirm, in milliseconds
 * @returns why the broker blocks publishers, such as `low on disk`; undefined when it does not
 */
export function publishersBlockedBy(
  address: BrokerAddress,
  { timeoutMs }: { timeoutMs: number },
): Promise<string | undefined> {
  return withConnection(
    address,
    async (model, names) => {
      // The broker reports an alarm only to connections that publish.
      const blocked = new Promise<string>((resolve) => model.on('blocked', resolve));
      const channel = await model.createConfirmChannel();
      const failed = new Promise<never>((_resolve, reject) => channel.on('error', reject));
      channel.publish(names.exchange('gateway'), 'probe', Buffer.alloc(0));
      const late = (): Error => new Error(`no confirm within ${seconds(timeoutMs)} s`);
      const confirmed = channel.waitForConfirms().then(() => undefined);
      return withTimeout(Promise.race([confirmed, blocked, failed]), timeoutMs, late);
    },
    { connectMs: timeoutMs },
  );
}

const seconds = (ms: number): number => Math.round(ms / 1_000);
