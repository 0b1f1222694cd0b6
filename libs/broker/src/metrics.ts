import type { MessageContract } from '@switchboard/contracts';
import { counter, histogram } from '@switchboard/platform';

/**
 * Outcome of one delivery of a message. `refused`: rejected because of the caller; `failed`: failed because of the
 * service; `given_back`: returned unprocessed.
 */
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

/** Initializes the counters of a contract with 0 for each possible outcome. */
export function expectDeliveries({ name, kind }: Pick<MessageContract, 'name' | 'kind'>): void {
  for (const outcome of OUTCOMES[kind]) deliveries.inc({ contract: name, outcome }, 0);
}

export function countDelivery(contract: string, outcome: Outcome): void {
  deliveries.inc({ contract, outcome });
}

export function observeHandler(contract: string, seconds: number): void {
  durations.observe({ contract }, seconds);
}

export function countRelayed(outcome: 'published' | 'refused', messages: number): void {
  relayed.inc({ outcome }, messages);
}
