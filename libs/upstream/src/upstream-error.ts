import type { ErrorCode } from '@switchboard/contracts';
import { type Backoff, describeUpstreamError, type UpstreamErrorCategory } from './errors';
import type { UpstreamErrorEnvelope } from './types';

/**
 * What a failed call means for the message:
 * - `rejected`: an error envelope arrived, so nothing was sent.
 * - `unavailable`: the request was never written to a connection (refused, name not found, TLS failed, or the deadline
 *   passed while connecting or queueing), so nothing was sent.
 * - `unknown-outcome`: the request may have been written and no usable answer came back (deadline, reset, an answer
 *   that is no envelope). Sent or not: nobody knows, so it must not be repeated blindly.
 */
export type UpstreamErrorKind = 'rejected' | 'unknown-outcome' | 'unavailable';

export interface UpstreamErrorFields {
  kind: UpstreamErrorKind;
  /** Upstream's own code; only with `rejected`. */
  code?: number;
  subcode?: number;
  /** Status of the answer, if one came; for logs, never to be passed on. */
  httpStatus?: number;
  title: string;
  details?: string;
  retriable: boolean;
  category: UpstreamErrorCategory;
  /** What a caller of a synchronous send is answered (spec §3.8.5). */
  answer: ErrorCode;
  /** Whether every further send of the number will fail alike; no when absent. */
  stopsNumber?: boolean;
  /** How the call may be repeated by itself; absent where it may not. */
  backoff?: Backoff;
  /** When a caller may try again, in seconds; absent where no time is known. */
  retryAfterSeconds?: number;
}

/** The one error class of the upstream client. Its message holds no token and no recipient. */
export class UpstreamError extends Error implements UpstreamErrorFields {
  readonly kind: UpstreamErrorKind;
  readonly code?: number;
  readonly subcode?: number;
  readonly httpStatus?: number;
  readonly title: string;
  readonly details?: string;
  readonly retriable: boolean;
  readonly category: UpstreamErrorCategory;
  readonly answer: ErrorCode;
  readonly stopsNumber: boolean;
  readonly backoff?: Backoff;
  readonly retryAfterSeconds?: number;

  constructor(fields: UpstreamErrorFields, options?: { cause?: unknown }) {
    super(`upstream ${fields.kind}: ${fields.code ?? fields.httpStatus ?? '-'} ${fields.title}`, options);
    this.name = 'UpstreamError';
    this.kind = fields.kind;
    this.code = fields.code;
    this.subcode = fields.subcode;
    this.httpStatus = fields.httpStatus;
    this.title = fields.title;
    this.details = fields.details;
    this.retriable = fields.retriable;
    this.category = fields.category;
    this.answer = fields.answer;
    this.stopsNumber = fields.stopsNumber ?? false;
    this.backoff = fields.backoff;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** Upstream answered with an error envelope. `is_transient` makes an otherwise final code retriable. */
export function rejected(envelope: UpstreamErrorEnvelope, httpStatus: number): UpstreamError {
  const { code, error_subcode: subcode, error_data: data, error_user_msg: userMessage, message } = envelope.error;
  const description = describeUpstreamError(code, subcode);
  return new UpstreamError({
    ...description,
    kind: 'rejected',
    code,
    subcode,
    httpStatus,
    details: data?.details ?? userMessage ?? message,
    retriable: description.retriable || envelope.error.is_transient === true,
  });
}

/** The request was never written. */
export function unavailable(cause: unknown): UpstreamError {
  return new UpstreamError(
    {
      kind: 'unavailable',
      title: 'Upstream cannot be reached',
      retriable: true,
      category: 'other',
      answer: 'UPSTREAM_ERROR',
    },
    { cause },
  );
}

/** The request may have been written, and no usable answer came. */
export function unknownOutcome(title: string, options: { httpStatus?: number; cause?: unknown } = {}): UpstreamError {
  return new UpstreamError(
    {
      kind: 'unknown-outcome',
      title,
      httpStatus: options.httpStatus,
      retriable: false,
      category: 'other',
      answer: 'UPSTREAM_TIMEOUT',
    },
    { cause: options.cause },
  );
}
