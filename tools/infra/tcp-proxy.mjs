// @ts-check
import { createServer, connect } from 'node:net';

/** @typedef {{ host?: string, port: number }} Backend */
/**
 * @typedef {object} TcpProxy
 * @property {number} port
 * @property {(backends: readonly Backend[]) => void} setBackends changes the backends of new connections; open ones
 * stay connected
 * @property {() => void} freeze stops forwarding while keeping connections open, like a network that drops packets
 * @property {() => void} thaw resumes forwarding, starting with the data that arrived meanwhile
 * @property {() => Promise<void>} close
 */

/**
 * Starts a proxy that distributes TCP connections over backends round-robin, like a Kubernetes Service. It tries the
 * next backend when one does not accept, and resets the client when none accepts. A connection ends only with its
 * client or its backend.
 * @param {{ port?: number, backends: readonly Backend[] }} options `port` on 127.0.0.1, any free one by default
 * @returns {Promise<TcpProxy>}
 */
export async function startTcpProxy({ port = 0, backends }) {
  let targets = backends;
  let next = 0;
  let frozen = false;
  /** @type {Set<Link>} */
  const links = new Set();
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true }, (client) => {
    const inTurn = () => {
      const first = next++ % targets.length;
      return [...targets.slice(first), ...targets.slice(0, first)];
    };
    const link = new Link(client, inTurn, () => links.delete(link));
    links.add(link);
    if (!frozen) link.open();
  });
  await new Promise((/** @type {(value?: unknown) => void} */ resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    port: /** @type {import('node:net').AddressInfo} */ (server.address()).port,
    setBackends: (changed) => void (targets = changed),
    freeze() {
      frozen = true;
      for (const link of links) link.freeze();
    },
    thaw() {
      frozen = false;
      for (const link of links) link.open();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const link of links) link.reset();
      await closed;
    },
  };
}

/** Connection of a client together with its connection to a backend. */
class Link {
  /** @type {import('node:net').Socket | undefined} */
  #backend;
  #connecting = false;
  #frozen = true;
  #broken = false;

  /**
   * @param {import('node:net').Socket} client
   * @param {() => Backend[]} targets backends in the order to try
   * @param {() => void} ended
   */
  constructor(client, targets, ended) {
    this.client = client;
    this.targets = targets;
    this.ended = ended;
    this.#watch(client);
  }

  open() {
    if (!this.#frozen) return;
    this.#frozen = false;
    if (this.#broken) this.reset();
    else if (this.#backend) this.#forward(this.#backend);
    else if (!this.#connecting) this.#connect(this.targets());
  }

  freeze() {
    this.#frozen = true;
    for (const socket of [this.client, this.#backend]) socket?.unpipe().pause();
  }

  reset() {
    this.ended();
    for (const socket of [this.client, this.#backend]) socket?.resetAndDestroy();
  }

  #connect(/** @type {Backend[]} */ targets) {
    const target = targets.shift();
    this.#connecting = target !== undefined;
    if (!target) return this.reset();
    const socket = connect({ host: '127.0.0.1', ...target, allowHalfOpen: true, noDelay: true });
    const tryNext = () => (this.client.destroyed ? undefined : this.#connect(targets));
    socket.once('error', tryNext).once('connect', () => {
      socket.off('error', tryNext);
      this.#connecting = false;
      this.#backend = socket;
      this.#watch(socket);
      if (this.client.destroyed) this.reset();
      else if (!this.#frozen) this.#forward(socket);
    });
  }

  #forward(/** @type {import('node:net').Socket} */ backend) {
    this.client.pipe(backend);
    backend.pipe(this.client);
  }

  /** Resets the other side on an error, but during a freeze only after it ends. */
  #watch(/** @type {import('node:net').Socket} */ socket) {
    socket.on('error', () => {
      this.#broken = true;
    });
    socket.once('close', () => {
      if (this.#broken && !this.#frozen) this.reset();
      else if (this.client.destroyed && this.#backend?.destroyed && !this.#broken) this.ended();
    });
  }
}
