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

/** Answers bytes that are no HTTP request, on the bare socket: there is no request and no reply to work with. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  // A reset connection, or one whose answer has begun: nobody reads what we would say.
  if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesWritten > 0) return void socket.destroy(error);
  const message = PARSER_MESSAGES[error.code ?? ''] ?? 'this is not a valid HTTP request';
  writeAnswer(socket, new AppError('INVALID_PARAMETER', { message }));
}

/** CONNECT asks for a tunnel, which no route gives. */
export function answerConnect(_request: unknown, socket: Socket): void {
  writeAnswer(socket, new AppError('METHOD_NOT_ALLOWED'));
}

/** Answers what the router refused before any hook ran: an address that cannot be decoded, or a parameter that is too long. */
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
  socket.end(`HTTP/1.1 ${status} ${error.code}\r\n${lines.join('\r\n')}\r\n\r\n${text}`);
}
