import { lookup as systemLookup } from 'node:dns';
import { once } from 'node:events';
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { isPublicAddress } from '@switchboard/contracts';
import type { buildConnector } from 'undici';
import { CallError, codeOf } from './call-error';
import { guardedLookup, notPublic, resolveOne } from './guarded-lookup';
import { acceptContinue } from './interim-answers';
import { openTunnel } from './proxy-tunnel';
import { hostOf, type UrlRules } from './url-guard';

export interface GuardedConnectOptions extends UrlRules {
  /** Total time limit for lookup, connect and TLS, in milliseconds. */
  timeoutMs: number;
  /** Name resolver. Defaults to the system's resolver. */
  lookup?: LookupFunction;
  /** HTTP proxy for outgoing connections. It receives the checked address, never a host name. */
  proxyUrl?: string;
}

/**
 * Creates an undici connector with the second and third layers of the URL guard. All addresses that the name resolves
 * to must be public, and so must the address of the connected socket, before any byte is sent. A custom lookup is not
 * enough, because Node.js skips it for literal addresses.
 * @returns a connector that fails with a CallError of class blocked, dns, connect, tls or timeout
 */
export function guardedConnector(options: GuardedConnectOptions): buildConnector.connector {
  return (target, callback) => {
    openSocket(target, options).then(
      (socket) => callback(null, socket),
      (error: unknown) =>
        callback(error instanceof Error ? error : new CallError('connect', 'the connection failed'), null),
    );
  };
}

/** Time limit for a connection attempt. Destroys the socket if it is not connected in time. */
class Deadline {
  private readonly timer: NodeJS.Timeout;
  private socket?: Socket;
  private isOver = false;

  constructor(timeoutMs: number) {
    this.timer = setTimeout(() => {
      this.isOver = true;
      this.socket?.destroy(tooLate());
    }, timeoutMs);
  }

  watch(socket: Socket): void {
    this.socket = socket;
    if (this.isOver) socket.destroy(tooLate());
  }

  end(): void {
    clearTimeout(this.timer);
  }
}

async function openSocket(target: buildConnector.Options, options: GuardedConnectOptions): Promise<Socket> {
  const host = hostOf(target.hostname);
  const isSecure = target.protocol === 'https:';
  const port = Number(target.port) || (isSecure ? 443 : 80);
  if (!options.allowPrivate && isIP(host) && !isPublicAddress(host)) throw notPublic();
  const deadline = new Deadline(options.timeoutMs);
  try {
    const tcp = await (options.proxyUrl
      ? connectByProxy(options.proxyUrl, { host, port }, deadline, options)
      : connectDirectly({ host, port }, deadline, options));
    const socket = isSecure ? await secure(tcp, host, deadline) : tcp;
    acceptContinue(socket);
    return socket;
  } finally {
    deadline.end();
  }
}

async function connectDirectly(
  target: { host: string; port: number },
  deadline: Deadline,
  { allowPrivate, lookup }: GuardedConnectOptions,
): Promise<Socket> {
  const tcp = connectTcp({ ...target, lookup: guardedLookup(lookup ?? systemLookup, allowPrivate), noDelay: true });
  deadline.watch(tcp);
  try {
    await established(tcp, 'connect', 'connect');
    if (!allowPrivate && !isPublicAddress(tcp.remoteAddress ?? '')) throw notPublic();
    return tcp;
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}

/** Allow a private address for the proxy itself, because the operator configured it. */
async function connectByProxy(
  proxyUrl: string,
  target: { host: string; port: number },
  deadline: Deadline,
  options: GuardedConnectOptions,
): Promise<Socket> {
  const address = isIP(target.host)
    ? target.host
    : await resolveOne(target.host, guardedLookup(options.lookup ?? systemLookup, options.allowPrivate));
  const proxy = new URL(proxyUrl);
  const tcp = connectTcp({ host: hostOf(proxy.hostname), port: Number(proxy.port) || 80, noDelay: true });
  deadline.watch(tcp);
  try {
    await established(tcp, 'connect', 'connect');
    await openTunnel(tcp, { proxy, address, port: target.port });
    return tcp;
  } catch (error) {
    tcp.destroy();
    throw error;
  }
}

async function secure(tcp: Socket, host: string, deadline: Deadline): Promise<Socket> {
  const socket = connectTls({
    socket: tcp,
    host,
    servername: isIP(host) ? undefined : host,
    ALPNProtocols: ['http/1.1'],
  });
  deadline.watch(socket);
  try {
    await established(socket, 'secureConnect', 'tls');
    return socket;
  } catch (error) {
    socket.destroy();
    tcp.destroy();
    throw error;
  }
}

/** Waits for the event. Wraps an earlier error in a CallError of the given class, unless it already is a CallError. */
async function established(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  errorClass: 'connect' | 'tls',
): Promise<void> {
  // Keep this listener: an error before undici adds its own must not crash the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, event);
  } catch (error) {
    if (error instanceof CallError) throw error;
    const what = errorClass === 'tls' ? 'the TLS handshake failed' : 'the connection failed';
    throw new CallError(errorClass, `${what} (${codeOf(error) ?? 'no reason given'})`, { cause: error });
  }
}

function tooLate(): CallError {
  return new CallError('timeout', 'the endpoint did not answer in time');
}
