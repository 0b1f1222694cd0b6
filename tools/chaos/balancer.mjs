// @ts-check
import { connect, createServer } from 'node:net';

/**
 * Stands before several gateways as a cluster's Service does: each new connection goes to the next one of those that
 * are in turn, and stays there.
 * @param {number[]} ports of the gateways
 */
export async function startBalancer(ports) {
  const inTurn = new Set(ports);
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set();
  let next = 0;
  const server = createServer((caller) => {
    const open = [...inTurn];
    const gateway = connect(open[next++ % open.length] ?? 0, '127.0.0.1');
    for (const socket of [caller, gateway]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    }
    // What one side does to its connection, the other side sees on its own.
    caller.on('error', () => gateway.destroy());
    gateway.on('error', () => caller.resetAndDestroy());
    caller.pipe(gateway).pipe(caller);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    /** New connections go elsewhere; those that are open stay. */
    takeOut: (/** @type {number} */ gateway) => void inTurn.delete(gateway),
    putBack: (/** @type {number} */ gateway) => void inTurn.add(gateway),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
