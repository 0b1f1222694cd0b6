import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** The given address with the proxy's host and port in place of its own. */
  through(url: string): string;
  /**
   * From now on bytes are taken and never passed on, in both directions, as by a network that went dark: nobody is
   * told.
   */
  freeze(): void;
  /**
   * The connections that are open now go silent in the same way; new ones work, as when the network lost its state or
   * the processes behind them hang.
   */
  freezeOpen(): void;
  /** From now on what clients say is taken and never passed on; what the server says still arrives. */
  mute(): void;
  /** Ends what was frozen or muted by reset, and passes bytes again on new connections. */
  thaw(): void;
  /** Resets all connections. */
  drop(): void;
  /**
   * The next connection whose client has said all of these texts, in this order, loses the answer: the server does what
   * it was asked, and when it is done, the connection is reset instead. For PostgreSQL only: it is done when the
   * session is idle, outside of a transaction.
   * @returns when the answer is lost
   */
  loseAnswer(...said: string[]): Promise<void>;
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
/** What a PostgreSQL server says when it is done and the session is in no transaction: ReadyForQuery, idle. */
const IDLE = 'Z\0\0\0\u0005I';

/** One answer that is to be lost. */
interface Loss {
  said: readonly string[];
  /** How many of the texts each client has said. */
  heard: WeakMap<Socket, number>;
  /** The client that has said all of them. */
  client?: Socket;
  done(): void;
}

/** A TCP proxy on a free loopback port that can fail in the ways networks do. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let frozen = false;
  let muted = false;
  let passed = '';
  let loss: Loss | undefined;
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
        if (loss && from === client) listen(loss, client, chunk.toString('latin1'));
        if (loss?.client === client && from === upstream) {
          if (!chunk.toString('latin1').endsWith(IDLE)) return;
          client.resetAndDestroy();
          loss.done();
          loss = undefined;
          return;
        }
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
    loseAnswer: (...said) =>
      new Promise((done) => {
        loss = { said, heard: new WeakMap(), done };
      }),
    refuse,
    listen: async () => void (await listening(server, port)),
    passed: () => passed,
    connections: () => sockets.size / 2,
    close: refuse,
  };
}

/** Notes which of the texts a client has said by now. */
function listen(loss: Loss, client: Socket, chunk: string): void {
  let heard = loss.heard.get(client) ?? 0;
  let from = 0;
  for (let text = loss.said[heard]; text !== undefined && chunk.includes(text, from); text = loss.said[heard]) {
    from = chunk.indexOf(text, from) + text.length;
    heard += 1;
  }
  loss.heard.set(client, heard);
  if (heard === loss.said.length) loss.client ??= client;
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
