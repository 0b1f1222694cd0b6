import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  method: string;
  /** Path with the query string. */
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  receivedAt: number;
}

export type Responder = (request: ReceivedRequest, response: ServerResponse) => void;

export interface Receiver {
  url: string;
  /** Every request so far, the oldest first. */
  received: ReceivedRequest[];
  /** From now on requests are answered by this function. */
  respondWith(responder: Responder): void;
  close(): Promise<void>;
}

const answerOk: Responder = (_request, response) => response.writeHead(200).end();

/** A real HTTP server on a free loopback port that records what it is sent; answers 200 until told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedRequest[] = [];
  let respond = answerOk;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const recorded = record(request, Buffer.concat(chunks));
      received.push(recorded);
      respond(recorded, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respondWith: (responder) => {
      respond = responder;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function record(request: IncomingMessage, body: Buffer): ReceivedRequest {
  return { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body, receivedAt: Date.now() };
}

/** Passes the verification challenge of spec 6.1 when the token matches, and takes every event. */
export function acceptingChallenge(verifyToken: string): Responder {
  return (request, response) => {
    if (request.method !== 'GET') return response.writeHead(200).end();
    const query = new URL(request.path, 'http://receiver').searchParams;
    const matches = query.get('hub.mode') === 'subscribe' && query.get('hub.verify_token') === verifyToken;
    return matches ? response.writeHead(200).end(query.get('hub.challenge')) : response.writeHead(403).end();
  };
}
