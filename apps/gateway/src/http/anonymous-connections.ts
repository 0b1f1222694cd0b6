import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { AppError } from '@switchboard/contracts';
import { refuseConnection } from './broken-requests';
import type { Holding, SharedBudget } from './shared-budget';

const holdings = new WeakMap<object, { holding: Holding; budget: SharedBudget }>();

/**
 * Holds connections over which nobody has shown who they are to a budget. One that gives way is answered 503 and
 * closed.
 * @param options.ownerOf whose budget a connection from this address counts against
 */
export function limitAnonymousConnections(
  server: Server,
  { budget, ownerOf }: { budget: SharedBudget; ownerOf(address: string | undefined): string },
): void {
  const follow = (socket: Socket): void => {
    const giveUp = (): void => refuseConnection(socket, new AppError('UNAVAILABLE', { retryAfterSeconds: 1 }));
    const holding = { owner: ownerOf(socket.remoteAddress), giveUp };
    holdings.set(socket, { holding, budget });
    socket.once('close', () => budget.release(holding));
    budget.hold(holding, 1);
  };
  // With TLS nothing can be answered before both sides have agreed on a key; a time-out bounds that.
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', follow);
}

/** Somebody known uses this connection. */
export function knowConnection(socket: object): void {
  const held = holdings.get(socket);
  held?.budget.release(held.holding);
}
