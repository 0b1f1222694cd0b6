import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, newId } from '@switchboard/contracts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { errorAnswer } from './error-answer';
import { toAppError } from './framework-errors';

/** What Node's parser could not make a request of, in our words. */
const PARSER_MESSAGES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'the request headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}
/** The last request of each connection, so that what is broken after it is answered after it. */
const lastExchanges = new WeakMap<object, Exchange>();

/** Answers that wait on a connection until the ones before them are out (pipelining). */
const waitingAnswers = new WeakMap<object, Set<ServerResponse>>();

/**
 * Must be called for each server whose broken requests `answerBrokenRequest` is to answer. It also lets each answer
 * know when its connection is gone.
 */
export function followExchanges(server: Server): void {
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    lastExchanges.set(request.socket, { request, response });
    if (response.socket === null) followWaiting(request.socket, response);
  });
}

/**
 * Node tells only the answer that is going out that its connection is gone: whatever those behind it hold would be held
 * for ever.
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
  // It had its turn: Node tells it.
  if (response.socket !== null || response.destroyed) return;
  response.destroy();
  response.emit('close');
}

/** Answers bytes that are no HTTP request, on the bare socket: there is no request and no reply to work with. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // A reset connection: nobody reads what we would say.
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error);
  const message = PARSER_MESSAGES[error.code ?? ''] ?? 'this is not a valid HTTP request';
  const answer = (): void =>
    socket.writable ? writeAnswer(socket, new AppError('INVALID_PARAMETER', { message })) : undefined;
  const { request, response } = lastExchanges.get(socket) ?? {};
  if (!request || !response || response.writableFinished) return answer();
  // The good request before this one is still being answered
  if (request.complete) return void response.once('finish', answer);
  // The broken bytes are the body of this very request. Two answers to it would be one too many.
  if (response.headersSent) return void socket.destroy(error);
  answer();
}

/** Answers whatever is under way on a connection with an error, and closes it. */
export function refuseConnection(socket: Socket, error: AppError): void {
  const { response } = lastExchanges.get(socket) ?? {};
  const isAnswering = response !== undefined && response.headersSent && !response.writableFinished;
  if (isAnswering || !socket.writable) return void socket.destroy();
  writeAnswer(socket, error);
  socket.destroySoon();
}

/** CONNECT asks for a tunnel, which no route gives. */
export function answerConnect(_request: unknown, socket: Socket): void {
  // Node has let go of this socket: a caller who resets the connection would end the process with an error that nobody
  // handles.
  socket.on('error', () => socket.destroy());
  writeAnswer(socket, new AppError('METHOD_NOT_ALLOWED'));
  // Node does not count it among the server's connections any more, but a stop waits for it: the caller does not decide
  // how long.
  socket.destroySoon();
}

/**
 * Answers what the router refused before any hook ran: an address that cannot be decoded, or a parameter that is too
 * long.
 */
export function answerRouterError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const { status, headers, body } = errorAnswer(toAppError(error), request.id);
  void reply.status(status).headers(headers).type('application/json; charset=utf-8').send(body);
}

function writeAnswer(socket: Socket, error: AppError): void {
  const { status, headers, body } = errorAnswer(error, newId('req'));
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}
