import type { Server } from 'node:http';
import { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { AppError } from '@switchboard/contracts';
import { refuseConnection } from './broken-requests';
import type { Holding, SharedBudget } from './shared-budget';

const holdings = new WeakMap<object, { holding: Holding; budget: SharedBudget }>();

/**
 * Limits the number of unauthenticated connections. An evicted connection receives 503 and is closed.
 * @param options.ownerOf returns the owner whose budget connections from an address count against
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
  // With TLS, no response is possible before the handshake, which has its own timeout.
  server.on(server instanceof HttpsServer ? 'secureConnection' : 'connection', follow);
}

/** Removes a connection from the budget once its caller has been authenticated. */
export function knowConnection(socket: object): void {
  const held = holdings.get(socket);
  held?.budget.release(held.holding);
}
