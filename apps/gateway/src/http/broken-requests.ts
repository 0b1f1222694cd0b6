import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, newId } from '@switchboard/contracts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorResponse } from './error-response';
import { toAppError } from './framework-errors';

/** Error messages by code of Node's HTTP parser. */
const PARSER_MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the request headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}
/** Last request of each connection, so that a parser error is reported only after the response to that request. */
const lastExchanges = new WeakMap<object, Exchange>();

/** Pipelined responses that wait for earlier responses, by connection. */
const waitingAnswers = new WeakMap<object, Set<ServerResponse>>();

/**
 * Tracks the requests of a server, which `answerBrokenRequest` needs. Also notifies each pipelined response if its
 * connection closes.
 */
export function followExchanges(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    lastExchanges.set(request.socket, { request, response });
    if (response.socket === null) followWaiting(request.socket, response);
  });
}

/**
 * Destroys waiting responses when the connection closes. Node notifies only the response being sent; the others would
 * hold their resources forever.
 */
function followWaiting(socket: Socket, response: ServerResponse): void {
  const waiting = waitingAnswers.get(socket) ?? new Set<ServerResponse>();
  if (!waitingAnswers.has(socket)) {
    waitingAnswers.set(socket, waiting);
    socket.once('close', () => waiting.forEach(abandon));
  }
  waiting.add(response);
  response.once('close', () => waiting.delete(response));
}

function abandon(response: ServerResponse): void {
  // This response already has the socket, so Node notifies it.
  if (response.socket !== null || response.destroyed) return;
  response.destroy();
  response.emit('close');
}

/** Responds to bytes that are not an HTTP request, directly on the socket, since there is no request object. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // Nothing can be sent on a reset connection.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error);
  const message = PARSER_MESSAGES[error.code ?? ''] ?? 'this is not a valid HTTP request';
  const answer = (): void =>
    socket.writable ? writeAnswer(socket, new AppError('INVALID_PARAMETER', { message })) : undefined;
  const { request, response } = lastExchanges.get(socket) ?? {};
  if (!request || !response || response.writableFinished) return answer();
  // The previous, valid request is still being processed.
  if (request.complete) return void response.once('finish', answer);
  // The invalid bytes belong to the body of this request, which must not receive two responses.
  if (response.headersSent) return void socket.destroy(error);
  answer();
}

/** Sends an error response to the request in progress on a connection, and closes the connection. */
export function refuseConnection(socket: Socket, error: AppError): void {
  const { response } = lastExchanges.get(socket) ?? {};
  const isAnswering = response !== undefined && response.headersSent && !response.writableFinished;
  if (isAnswering || !socket.writable) return void socket.destroy();
  writeAnswer(socket, error);
  socket.destroySoon();
}

/** Rejects CONNECT requests, since the gateway is not a proxy. */
export function answerConnect(_request: unknown, socket: Socket): void {
  // Node has detached this socket. Without a listener, a connection reset would end the process.
  socket.on('error', () => socket.destroy());
  writeAnswer(socket, new AppError('METHOD_NOT_ALLOWED'));
  // Node no longer counts this socket as a connection of the server, but a shutdown waits for it, so close it now.
  socket.destroySoon();
}

/**
 * Responds to requests that the router rejected before any hook ran, because the path could not be decoded or a
 * parameter was too long.
 */
export function answerRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorResponse(toAppError(error), request.id);
  void reply.status(status).headers(headers).type('application/json; charset=utf-8').send(body);
}

function writeAnswer(socket: Socket, error: AppError): void {
  const { status, headers, body } = errorResponse(error, newId('req'));
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}
