import type { MessageContract } from '@switchboard/contracts';

/** Memory budget for all commands held by a process, in bytes. */
export const COMMANDS_HELD_BYTES = 67_108_864;
/**
 * Memory budget for all tasks and events held by a process, in bytes. It is separate so that a backlog leaves room for
 * commands.
 */
export const BACKGROUND_HELD_BYTES = 67_108_864;

/**
 * Ratio of the commands that a process holds to those it processes at a time. Groups count as one message, so with
 * groups the ratio is up to twice as high. Excess commands wait in the process, where the time limit of their queue
 * cannot reject them.
 */
const COMMANDS_HELD = 4;

export interface HeldQueue {
  contract: MessageContract;
  /** Number of its messages processed at a time, regardless of their size. */
  prefetch: number;
}

/**
 * Returns the prefetch of each queue, in the order of the queues, such that all held messages fit the budget of their
 * kind even at their maximum size. Each queue has its own share, which no other can use. Queues of small messages get
 * all they want; those of large messages divide the rest evenly. Each queue gets at least one.
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

/** The contract's own `prefetch`, if set, also limits the number of held messages. */
function wanted({ contract, prefetch }: HeldQueue): number {
  return contract.kind === 'command' && contract.prefetch === undefined ? prefetch * COMMANDS_HELD : prefetch;
}

function wantedBytes(queue: HeldQueue): number {
  return wanted(queue) * queue.contract.maxBytes;
}
