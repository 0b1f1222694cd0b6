import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** The given address with the proxy's host and port in place of its own. */
  through(url: string): string;
  /** From now on bytes are taken and never passed on, in both directions, as by a network that went dark: nobody is told. */
  freeze(): void;
  /** The connections that are open now go silent in the same way; new ones work, as when the network lost its state or the processes behind them hang. */
  freezeOpen(): void;
  /** From now on what clients say is taken and never passed on; what the server says still arrives. */
  mute(): void;
  /** Ends what was frozen or muted by reset, and passes bytes again on new connections. */
  thaw(): void;
  /** Resets all connections. */
  drop(): void;
  /** Nobody listens any more: connections are refused, open ones are reset. */
  refuse(): Promise<void>;
  /** Listens again, on the same port. */
  listen(): Promise<void>;
  /** What the server has said lately, as far as it was passed on. */
  passed(): string;
  /** How many connections are open through the proxy. */
  connections(): number;
  close(): Promise<void>;
}

const PASSED_CHARACTERS = 65_536;

/** A TCP proxy on a free loopback port that can fail in the ways networks do. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let frozen = false;
  let muted = false;
  let passed = '';
  const isDark = (socket: Socket): boolean => frozen || silenced.has(socket);
  const server = createServer((client) => {
    const upstream = connect(target);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.setNoDelay(true);
      from.on('data', (chunk: Buffer) => {
        if (isDark(from) || (muted && from === client)) return;
        if (from === upstream) passed = (passed + chunk.toString('latin1')).slice(-PASSED_CHARACTERS);
        to.write(chunk);
      });
      // A reset on one side is a reset on the other; while frozen nobody hears of it.
      from.on('error', () => isDark(from) || to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        if (!isDark(from)) to.destroy();
      });
    }
  });
  const reset = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const port = await listening(server, 0);
  const refuse = (): Promise<void> =>
    new Promise((resolve) => {
      reset();
      server.close(() => resolve());
    });
  return {
    port,
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    freeze: () => {
      frozen = true;
    },
    mute: () => {
      muted = true;
    },
    freezeOpen: () => {
      for (const socket of sockets) silenced.add(socket);
    },
    thaw: () => {
      reset();
      frozen = false;
      muted = false;
    },
    drop: reset,
    refuse,
    listen: async () => void (await listening(server, port)),
    passed: () => passed,
    connections: () => sockets.size / 2,
    close: refuse,
  };
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
