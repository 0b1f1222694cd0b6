import type { ChannelModel } from 'amqplib';
import type { Socket } from 'node:net';

/**
 * Returns the socket of a connection. amqplib does not expose it, and its own close waits for a reply that a dead
 * broker never sends.
 */
export function socketOf(model: ChannelModel): Socket {
  return (model.connection as unknown as { stream: Socket }).stream;
}

/** Destroys a connection immediately. Its 'close' event follows as after any loss. */
export function destroySocket(model: ChannelModel, reason: Error): void {
  socketOf(model).destroy(reason);
}

/**
 * Sends all writes of one tick of the event loop with one system call. amqplib makes one call per frame, which
 * dominates the cost of a message in this process.
 */
export function groupWrites(model: ChannelModel): void {
  const socket = socketOf(model);
  const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
  let isGrouping = false;
  const writeGrouped = (...args: unknown[]): boolean => {
    if (!isGrouping) {
      isGrouping = true;
      socket.cork();
      process.nextTick(() => {
        isGrouping = false;
        socket.uncork();
      });
    }
    return write(...args);
  };
  socket.write = writeGrouped as Socket['write'];
}
