import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  /** Path with the query string. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  receivedAt: number;
}

/** Responds to a request, or misbehaves as a real server may. `receiver-behaviours.ts` has a collection. */
export type Responder = (request: ReceivedRequest, response: ServerResponse) => void;

export interface Receiver {
  url: string;
  /** All requests so far, oldest first. */
  received: ReceivedRequest[];
  /** Returns the number of requests that have no response yet. */
  inFlight(): number;
  mostInFlight(): number;
  respondWith(responder: Responder): void;
  /** Stops listening: new connections are refused, open ones are reset. */
  refuse(): Promise<void>;
  /** Listens again, on the same port. */
  listen(): Promise<void>;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  /** Certificate and key in PEM (`createTestCertificate`). When set, the receiver uses HTTPS. */
  tls?: { key: string; cert: string };
}

const answerOk: Responder = (_request, response) => response.writeHead(200).end();

/** Starts a real HTTP server on a free loopback port, which records its requests. Responds with 200 by default. */
export async function startReceiver({ tls }: ReceiverOptions = {}): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  const open = new Set<ServerResponse>();
  let most = 0;
  let respond = answerOk;
  const onRequest: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const recorded = record(request, Buffer.concat(chunks));
      received.push(recorded);
      open.add(response);
      most = Math.max(most, open.size);
      response.once('close', () => open.delete(response));
      respond(recorded, response);
    });
  };
  const server = tls ? createTlsServer(tls, onRequest) : createServer(onRequest);
  const listen = (port: number): Promise<void> => new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    received,
    inFlight: () => open.size,
    mostInFlight: () => most,
    respondWith: (responder) => {
      respond = responder;
    },
    refuse: stop,
    listen: () => listen(port),
    close: stop,
  };
}

function record(request: IncomingMessage, body: Buffer): ReceivedRequest {
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body,
    receivedAt: Date.now(),
  };
}

/** Passes the verification challenge of spec §11.1.2 when the token matches, and accepts every event. */
export function acceptingChallenge(verifyToken: string): Responder {
  return (request, response) => {
    if (request.method !== 'GET') return response.writeHead(200).end();
    const query = new URL(request.path, 'http://receiver').searchParams;
    const matches = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === verifyToken;
    return matches ? response.writeHead(200).end(query.get('hub.challenge')) : response.writeHead(403).end();
  };
}
