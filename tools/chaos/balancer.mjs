// @ts-check
import { connect, createServer } from 'node:net';

/**
 * Balances TCP connections over several gateways, like a Kubernetes Service. Assigns each new connection to the next
 * active gateway, where it stays.
 * @param {number[]} ports ports of the gateways
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
    // A close or reset on one side is propagated to the other.
    caller.on('error', () => gateway.destroy());
    gateway.on('error', () => caller.resetAndDestroy());
    caller.pipe(gateway).pipe(caller);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    /** Stops assigning new connections to the gateway. Open connections remain. */
    takeOut: (/** @type {number} */ gateway) => void inTurn.delete(gateway),
    putBack: (/** @type {number} */ gateway) => void inTurn.add(gateway),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
