import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Returns the address with the proxy's host and port. */
  through(url: string): string;
  /** Discards bytes in both directions from now on, like a network that drops packets silently. */
  freeze(): void;
  /**
   * Silences the currently open connections like `freeze`. New connections work, as when a network lost its state or
   * the processes behind the old connections hang.
   */
  freezeOpen(): void;
  /** Discards bytes from clients from now on, but still passes on those from the server. */
  mute(): void;
  /** Resets frozen or muted connections. New connections work again. */
  thaw(): void;
  drop(): void;
  /**
   * Loses a response of the next connection whose client sends all of these texts, in this order. The server executes
   * the request, and when it is done, the connection is reset instead of passing on the response. For PostgreSQL only,
   * where done means that the session is idle outside a transaction.
   * @returns a promise that resolves when the response is lost
   */
  loseAnswer(...said: string[]): Promise<void>;
  /** Stops listening: new connections are refused, open ones are reset. */
  refuse(): Promise<void>;
  /** Listens again, on the same port. */
  listen(): Promise<void>;
  /** Returns the most recent bytes passed on from the server. */
  passed(): string;
  /** Returns the number of open connections through the proxy. */
  connections(): number;
  close(): Promise<void>;
}

const PASSED_CHARACTERS = 65_536;
/** PostgreSQL's ReadyForQuery message for an idle session outside a transaction. */
const IDLE = 'Z\0\0\0\u0005I';

interface Loss {
  said: readonly string[];
  /** Number of texts that each client has sent so far. */
  heard: WeakMap<Socket, number>;
  /** Client that has sent all texts. */
  client?: Socket;
  done(): void;
}

/** Starts a TCP proxy on a free loopback port that can simulate network failures. */
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
      // A reset on one side resets the other, except while frozen.
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

/** Records which of the texts a client has sent so far. */
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
