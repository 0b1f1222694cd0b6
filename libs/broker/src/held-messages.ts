import type { MessageContract } from '@switchboard/contracts';

/** What all commands that a process holds may take together, in bytes. */
export const COMMANDS_HELD_BYTES = 67_108_864;
/**
 * What all tasks and events that a process holds may take together, in bytes: however many wait, commands have their
 * own room.
 */
export const BACKGROUND_HELD_BYTES = 67_108_864;

/**
 * A process holds this many times the commands that it works on, and twice as many when they come in groups, each of
 * which is one message: those in excess wait here for their turn, where no time limit of their queue refuses them.
 */
const COMMANDS_HELD = 4;

/** A queue that a process takes messages from. */
export interface HeldQueue {
  contract: MessageContract;
  /** How many of its messages the process works on at a time when their bytes do not matter. */
  prefetch: number;
}

/**
 * How many messages the broker hands to this process from each queue before it has answered any, in the order of the
 * queues: so many that all together stay within the budget of their kind, were each as large as its contract allows.
 * Each queue has a share of its own, which no other can fill: queues of small messages take what they want, those of
 * large ones divide the rest evenly. One is always held.
 */
export function heldOf(queues: readonly HeldQueue[]): number[] {
  const held = new Map<HeldQueue, number>();
  divide(
    queues.filter(({ contract }) => contract.kind === 'command'),
    COMMANDS_HELD_BYTES,
    held,
  );
  divide(
    queues.filter(({ contract }) => contract.kind !== 'command'),
    BACKGROUND_HELD_BYTES,
    held,
  );
  return queues.map((queue) => held.get(queue) ?? 1);
}

function divide(queues: readonly HeldQueue[], budgetBytes: number, held: Map<HeldQueue, number>): void {
  const byBytes = [...queues].sort((one, other) => wantedBytes(one) - wantedBytes(other));
  let leftBytes = budgetBytes;
  for (const [index, queue] of byBytes.entries()) {
    const { maxBytes } = queue.contract;
    const shareBytes = leftBytes / (byBytes.length - index);
    const count = Math.max(1, Math.min(wanted(queue), Math.floor(shareBytes / maxBytes)));
    held.set(queue, count);
    leftBytes -= count * maxBytes;
  }
}

/** A contract with a `prefetch` of its own says how many are held, too. */
function wanted({ contract, prefetch }: HeldQueue): number {
  return contract.kind === 'command' && contract.prefetch === undefined ? prefetch * COMMANDS_HELD : prefetch;
}

function wantedBytes(queue: HeldQueue): number {
  return wanted(queue) * queue.contract.maxBytes;
}
