import type { ChannelModel } from 'amqplib';
import type { Socket } from 'node:net';

/** amqplib does not offer the socket, and its own close waits for an answer that a dead broker never gives. */
export function socketOf(model: ChannelModel): Socket {
  return (model.connection as unknown as { stream: Socket }).stream;
}

/** Ends a connection from our side at once; its 'close' event follows as after any loss. */
export function destroySocket(model: ChannelModel, reason: Error): void {
  socketOf(model).destroy(reason);
}

/**
 * Sends everything that is written in one turn of the event loop with one system call.
 * amqplib makes one per frame, which is the largest part of what a message costs this process.
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
