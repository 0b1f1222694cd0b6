import type { ErrorCode, ErrorDetail } from './types';

/** The API refused a call, or failed. Branch on `code`; `message` is for people. */
export class ApiError extends Error {
  readonly status: number;
  /** `UNKNOWN` when what answered was not the API, a proxy for example. */
  readonly code: ErrorCode | 'UNKNOWN';
  readonly details: ErrorDetail[];
  readonly requestId: string | undefined;
  /** Seconds after which the API says to try again. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole body, with fields that only some errors have. */
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

/** No answer came: the server could not be reached, hung up, or took too long. Whether it did its work is not known. */
export class ConnectionError extends Error {
  readonly timedOut: boolean;

  constructor(message: string, { cause, timedOut = false }: { cause?: unknown; timedOut?: boolean } = {}) {
    super(message, { cause });
    this.name = 'ConnectionError';
    this.timedOut = timedOut;
  }
}
