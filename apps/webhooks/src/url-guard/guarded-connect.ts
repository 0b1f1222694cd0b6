import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { buildConnector } from 'undici';
import { CallError, codeOf } from '../customer-http/call-error';
import { isPublicAddress } from './public-address';
import { hostOf, type UrlRules } from './url-guard';

export interface GuardedConnectOptions extends UrlRules {
  /** Look-up, connect and TLS together take at most this long, in milliseconds. */
  timeoutMs: number;
  /** Resolves names; the system's resolver unless a test brings its own. */
  lookup?: LookupFunction;
}

/**
 * Second and third layer of the guard, as undici's way to connect: every address a name resolves to must be public, and so
 * must be the one the socket ends up with, before a byte is sent. A custom lookup alone would not do: Node never calls it
 * for a literal address.
 * @returns a connector that fails with a CallError of class blocked, dns, connect, tls or timeout
 */
export function guardedConnector(options: GuardedConnectOptions): buildConnector.connector {
  return (target, callback) => {
    openSocket(target, options).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error instanceof Error ? error : new CallError('connect', 'the connection failed'), null),
    );
  };
}

async function openSocket(target: buildConnector.Options, { allowPrivate, timeoutMs, lookup }: GuardedConnectOptions): Promise<Socket> {
  const host = hostOf(target.hostname);
  const isSecure = target.protocol === 'https:';
  if (!allowPrivate && isIP(host) && !isPublicAddress(host)) throw notPublic();
  const tcp = connectTcp({
    host,
    port: Number(target.port) || (isSecure ? 443 : 80),
    lookup: guardedLookup(lookup ?? systemLookup, allowPrivate),
    noDelay: true,
  });
  let socket: Socket = tcp;
  const deadline = setTimeout(() => socket.destroy(new CallError('timeout', 'the endpoint did not answer in time')), timeoutMs);
  try {
    await established(tcp, 'connect', 'connect');
    if (!allowPrivate && !isPublicAddress(tcp.remoteAddress ?? '')) throw notPublic();
    if (!isSecure) return tcp;
    socket = connectTls({ socket: tcp, host, servername: isIP(host) ? undefined : host, ALPNProtocols: ['http/1.1'] });
    await established(socket, 'secureConnect', 'tls');
    return socket;
  } catch (error) {
    socket.destroy();
    tcp.destroy();
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

/** Waits for the event; an error before it becomes a CallError of the class, unless it is one already. */
async function established(socket: Socket, event: 'connect' | 'secureConnect', errorClass: 'connect' | 'tls'): Promise<void> {
  // Stays for good: between this moment and the one when undici listens itself, an error must not end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, event);
  } catch (error) {
    if (error instanceof CallError) throw error;
    const what = errorClass === 'tls' ? 'the TLS handshake failed' : 'the connection failed';
    throw new CallError(errorClass, `${what} (${codeOf(error) ?? 'no reason given'})`, { cause: error });
  }
}

/** Refuses a name as soon as one of its addresses is not public, so that none of them can be tried. */
function guardedLookup(lookup: LookupFunction, allowPrivate: boolean): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = listOf(found);
      if (error || addresses.length === 0) return fail(callback, new CallError('dns', 'the host name could not be resolved', { cause: error }));
      if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) return fail(callback, notPublic());
      return answer(options, addresses, callback);
    });
  };
}

type LookupCallback = Parameters<LookupFunction>[2];

function listOf(found: string | LookupAddress[] | undefined): LookupAddress[] {
  return Array.isArray(found) ? found : [];
}

function fail(callback: LookupCallback, error: CallError): void {
  callback(error, []);
}

function answer(options: LookupOptions, addresses: LookupAddress[], callback: LookupCallback): void {
  const [first] = addresses;
  if (options.all || !first) return callback(null, addresses);
  return callback(null, first.address, first.family);
}

function notPublic(): CallError {
  return new CallError('blocked', 'its address is not a public one');
}
