import { Readable } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';
import { callerHeaders, provenPath } from './platform-call';
import { measured } from './exchange-metrics';
import { unavailable, unknownOutcome, type UpstreamError } from './upstream-error';

export interface PlatformConnection {
  pool: Pool;
  /** Secret of the app that owns the access tokens. If absent, no call has a proof. */
  appSecret?: string;
}

export interface ExchangeRequest {
  /** Path including the query. */
  path: string;
  accessToken: string;
  /** Scheme of the `Authorization` header; Bearer when absent. */
  scheme?: 'Bearer' | 'OAuth';
  headers?: Record<string, string>;
  /** A request with a body is a POST unless a method is given. */
  body?: RequestBody;
  method?: 'DELETE' | 'POST';
  signal?: AbortSignal;
  timeoutMs: number;
}

export interface RequestBody {
  contentType: string;
  content: string | AsyncIterable<Uint8Array>;
  /** Length of the content in bytes; required for a stream. */
  byteLength?: number;
}

export interface Answer {
  httpStatus: number;
  text: string;
  /** Raw `Retry-After` header. */
  retryAfter?: string;
}

/**
 * Sends one request and returns the complete response. Uses undici's dispatch API, the only one that reports when a
 * request is about to be written to a connection. A request that fails earlier was certainly not sent; later, the
 * outcome is unknown.
 */
export function exchange({ pool, appSecret }: PlatformConnection, request: ExchangeRequest): Promise<Answer> {
  const content = streamable(request.body?.content);
  const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
  return measured(
    method,
    request.path,
    () =>
      new Promise<Answer>((resolve, reject) => {
        const handler = new ExchangeHandler(request, resolve, reject);
        pool.dispatch(
          {
            path: provenPath(request.path, request.accessToken, appSecret),
            method,
            headers: headersOf(request),
            body: content,
          },
          handler,
        );
      }),
  );
}

function headersOf({ accessToken, scheme, headers, body }: ExchangeRequest): Record<string, string> {
  return {
    ...headers,
    ...callerHeaders(accessToken, scheme),
    ...(body && { 'content-type': body.contentType }),
    ...(body?.byteLength !== undefined && { 'content-length': String(body.byteLength) }),
  };
}

/** Wraps async iterables in a stream, because undici closes only streams when the request fails. */
function streamable(content: RequestBody['content'] | undefined): string | Readable | undefined {
  return content === undefined || typeof content === 'string' ? content : Readable.from(content, { objectMode: false });
}

/**
 * Minimum length of tokens to redact. Shorter ones could be ordinary words, and the platform's have at least a hundred
 * characters.
 */
const LEAST_TOKEN_LENGTH = 8;

/**
 * Redacts the token, because the platform quotes tokens (such as invalid ones) and query strings. Its texts are stored
 * in errors, records and logs.
 */
function withoutToken(text: string, token: string): string {
  if (token.length < LEAST_TOKEN_LENGTH) return text;
  return text.replaceAll(token, '[token]').replaceAll(encodeURIComponent(token), '[token]');
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  private controller?: Dispatcher.DispatchController;
  private httpStatus = 0;
  private retryAfter?: string;
  private readonly chunks: Buffer[] = [];
  private readonly timer: NodeJS.Timeout;
  private settled = false;

  constructor(
    private readonly request: ExchangeRequest,
    private readonly resolve: (answer: Answer) => void,
    private readonly reject: (error: UpstreamError) => void,
  ) {
    this.timer = setTimeout(this.expire, request.timeoutMs);
    if (request.signal?.aborted) this.cancel();
    else request.signal?.addEventListener('abort', this.cancel, { once: true });
  }

  /** Called right before the request is written. Aborts a call that has already ended in the queue. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) return controller.abort(new Error('the call has ended'));
    this.controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.httpStatus = statusCode;
    this.retryAfter = [headers['retry-after']].flat()[0];
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (!this.settle()) return;
    const { httpStatus, retryAfter } = this;
    const text = withoutToken(Buffer.concat(this.chunks).toString('utf8'), this.request.accessToken);
    this.resolve({ httpStatus, retryAfter, text });
  }

  onResponseError(_controller: Dispatcher.DispatchController, cause: Error): void {
    this.fail('Connection lost before an answer', cause);
  }

  private readonly expire = (): void =>
    this.fail('No answer in time', new Error(`deadline of ${this.request.timeoutMs} ms`));
  private readonly cancel = (): void => this.fail('Call cancelled before an answer', this.request.signal?.reason);

  private fail(title: string, cause: unknown): void {
    if (!this.settle()) return;
    this.reject(
      this.controller ? unknownOutcome(title, { httpStatus: this.httpStatus || undefined, cause }) : unavailable(cause),
    );
    this.controller?.abort(new Error(title));
  }

  private settle(): boolean {
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.timer);
    this.request.signal?.removeEventListener('abort', this.cancel);
    return true;
  }
}
