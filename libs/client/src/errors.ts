import type { ErrorCode, ErrorDetail } from './types';

/** Error response of the API. Branch on `code`; `message` is human-readable. */
export class ApiError extends Error {
  readonly status: number;
  /** Error code; `UNKNOWN` if the response is not from the API but, for example, from a proxy. */
  readonly code: ErrorCode | 'UNKNOWN';
  readonly details: ErrorDetail[];
  readonly requestId: string | undefined;
  /** Seconds after which the API accepts a retry. */
  readonly retryAfterSeconds: number | undefined;
  /** Full response body, including fields that only some errors have. */
  readonly body: Record<string, unknown>;

  constructor(status: number, headers: Headers, body: Record<string, unknown>) {
    const { message, code, details, requestId } = body;
    super(typeof message === 'string' ? message : `the server answered ${status}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = typeof code === 'string' ? (code as ErrorCode) : 'UNKNOWN';
    this.details = Array.isArray(details) ? (details as ErrorDetail[]) : [];
    this.requestId = typeof requestId === 'string' ? requestId : (headers.get('x-request-id') ?? undefined);
    const wait = Number(headers.get('retry-after') ?? NaN);
    this.retryAfterSeconds = Number.isFinite(wait) ? wait : undefined;
    this.body = body;
  }
}

/**
 * Error for a call without a response: the server was unreachable, closed the connection, or timed out. The outcome of
 * the call is unknown.
 */
export class ConnectionError extends Error {
  readonly timedOut: boolean;

  constructor(message: string, { cause, timedOut = false }: { cause?: unknown; timedOut?: boolean } = {}) {
    super(message, { cause });
    this.name = 'ConnectionError';
    this.timedOut = timedOut;
  }
}
