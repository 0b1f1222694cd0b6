import type { MessageContract } from '@switchboard/contracts';

/** Memory budget for all commands held by a process, in bytes. */
export const COMMANDS_HELD_BYTES = 67_108_864;
/**
 * Memory budget for all tasks and events held by a process, in bytes. Separate from that of commands, so that a backlog
 * leaves room for them.
 */
export const BACKGROUND_HELD_BYTES = 67_108_864;

/**
 * Ratio of the commands that a process holds to those it processes concurrently. A group counts as one message, so
 * groups can double the ratio. Held commands are safe from the time limit of their queue.
 */
const COMMANDS_HELD = 4;

export interface HeldQueue {
  contract: MessageContract;
  /** Number of messages processed concurrently, regardless of their size. */
  prefetch: number;
}

/**
 * Returns the prefetch of each queue, in the order of the queues. Even at their maximum size, all held messages fit the
 * memory budget of their kind. Queues with small messages get all they want; those with large messages share the rest
 * evenly. Each queue gets at least one.
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

/** The contract's `prefetch`, if set, also limits the number of held messages. */
function wanted({ contract, prefetch }: HeldQueue): number {
  return contract.kind === 'command' && contract.prefetch === undefined ? prefetch * COMMANDS_HELD : prefetch;
}

function wantedBytes(queue: HeldQueue): number {
  return wanted(queue) * queue.contract.maxBytes;
}
