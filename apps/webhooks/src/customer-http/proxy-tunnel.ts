import { isIPv6, type Socket } from 'node:net';
import { CallError } from './call-error';

/** Maximum size of a proxy's response to CONNECT, which is usually a few lines. */
const HEAD_LIMIT_BYTES = 8 * 1024;

export interface Tunnel {
  proxy: URL;
  /** Destination IP address, never a host name. */
  address: string;
  port: number;
}

/**
 * Opens a tunnel through an HTTP proxy to an address (RFC 9110, 9.3.6).
 * @throws CallError of class connect
 */
export async function openTunnel(socket: Socket, { proxy, address, port }: Tunnel): Promise<void> {
  const target = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
  const login = proxy.username
    ? `Proxy-Authorization: Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}\r\n`
    : '';
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${login}\r\n`);
  const head = await readHead(socket);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1];
  if (status !== '200')
    throw new CallError('connect', `the proxy refused the connection (${status ?? 'it does not speak HTTP'})`);
}

/** Reads up to the empty line and returns later bytes to the socket for the next reader. */
function readHead(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const end = (work: () => void): void => {
      socket.off('data', onData).off('error', onError).off('close', onClose);
      work();
    };
    const onError = (error: Error): void =>
      end(() =>
        reject(
          error instanceof CallError
            ? error
            : new CallError('connect', 'the connection to the proxy failed', { cause: error }),
        ),
      );
    const onClose = (): void => end(() => reject(new CallError('connect', 'the proxy closed the connection')));
    const onData = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const length = received.indexOf('\r\n\r\n');
      if (length < 0 && received.length > HEAD_LIMIT_BYTES)
        return end(() => reject(new CallError('connect', "the proxy's response is too long")));
      if (length < 0) return;
      end(() => {
        socket.pause();
        if (received.length > length + 4) socket.unshift(received.subarray(length + 4));
        resolve(received.subarray(0, length).toString('latin1'));
      });
    };
    socket.on('data', onData).on('error', onError).on('close', onClose);
  });
}
