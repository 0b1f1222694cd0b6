import type { MessageContract } from '@switchboard/contracts';
import { counter, histogram } from '@switchboard/platform';

/** What became of one delivery of a message. `refused`: by the caller's fault; `failed`: by ours. */
export type Outcome = 'handled' | 'refused' | 'expired' | 'failed' | 'dead_lettered' | 'given_back';

const deliveries = counter(
  'broker_deliveries_total',
  'Messages taken from queues, by contract and what became of them: handled, refused (for what the caller asked), failed (by us), expired, dead_lettered, given_back (a group of commands counts once)',
  { contract: [], outcome: [] },
);
const durations = histogram('broker_handler_seconds', 'How long handlers worked on a message', ['contract']);
const relayed = counter('outbox_messages_total', 'Messages of the outbox, by outcome', {
  outcome: ['published', 'refused'],
});

const OUTCOMES: Record<MessageContract['kind'], readonly Outcome[]> = {
  command: ['handled', 'refused', 'expired', 'failed', 'given_back'],
  task: ['handled', 'failed', 'dead_lettered', 'given_back'],
  event: ['handled', 'failed', 'dead_lettered', 'given_back'],
};

/** Shows 0 for what can become of the messages of a contract that the service takes from a queue. */
export function expectDeliveries({ name, kind }: Pick<MessageContract, 'name' | 'kind'>): void {
  for (const outcome of OUTCOMES[kind]) deliveries.inc({ contract: name, outcome }, 0);
}

/** Counts one delivery. */
export function countDelivery(contract: string, outcome: Outcome): void {
  deliveries.inc({ contract, outcome });
}

/** Records how long a handler ran, in seconds. */
export function observeHandler(contract: string, seconds: number): void {
  durations.observe({ contract }, seconds);
}

/** Counts messages that left the outbox or were refused by the broker. */
export function countRelayed(outcome: 'published' | 'refused', messages: number): void {
  relayed.inc({ outcome }, messages);
}
