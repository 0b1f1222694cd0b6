import type { ErrorCode } from '@switchboard/contracts';
import {
  type Backoff,
  describeProofRefusal,
  describeTooManyRequests,
  describeUpstreamError,
  isKnownUpstreamCode,
  type UpstreamErrorCategory,
} from './errors';
import type { UpstreamErrorEnvelope } from './types';

/**
 * Effect of a failed call on the message:
 * - `rejected`: an error envelope arrived, or the call was rejected on its way (3xx, 4xx), so nothing was sent.
 * - `unavailable`: the request was never written to a connection (connection refused, name not found, TLS failure, or
 *   the deadline passed while connecting or queueing), or a proxy rejected it temporarily, so nothing was sent.
 * - `unknown-outcome`: the request may have been written, but no usable response arrived (deadline, reset, a response
 *   that is not an envelope). It must not be retried blindly; see `wasReceived`.
 */
export type UpstreamErrorKind = 'rejected' | 'unknown-outcome' | 'unavailable';

export interface UpstreamErrorFields {
  kind: UpstreamErrorKind;
  /** The platform's error code. Only for `rejected`, and absent if the rejection has none. */
  code?: number;
  subcode?: number;
  /** Status of the response, if there was one. For logs only. */
  httpStatus?: number;
  title: string;
  details?: string;
  retriable: boolean;
  category: UpstreamErrorCategory;
  /** Error code for the caller of a synchronous send (spec §3.8.5). */
  answer: ErrorCode;
  /** True when all further sends of the number will fail as well; false when absent. */
  stopsNumber?: boolean;
  /** Automatic retries of the call. Absent when the call must not be retried. */
  backoff?: Backoff;
  /** Time after which the caller may retry, in seconds; absent where it is unknown. */
  retryAfterSeconds?: number;
}

/** The only error class of the upstream client. Its message contains neither token nor recipient. */
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

  /**
   * True when the outcome is unknown although a response arrived. Whatever sent the response has read the request, and
   * may have executed or forwarded it. Such a call is left to callbacks and never retried. Without a response, the
   * request may not have arrived, so it may be retried when no callback arrives within a grace period (ADR 4).
   */
  get wasReceived(): boolean {
    return this.kind === 'unknown-outcome' && this.httpStatus !== undefined;
  }
}

export interface ResponseFacts {
  httpStatus: number;
  /** `Retry-After` header in seconds. */
  retryAfterSeconds?: number;
}

const TOO_MANY_REQUESTS = 429;
/**
 * Temporary rejections: a proxy requires a login, timed out, or cannot serve the request now. They are handled like a
 * broken connection.
 */
const PASSING_REFUSALS = new Set([407, 408, 421, 425]);

/**
 * Creates the error for an error envelope. `is_transient` makes an otherwise final code retriable. The code takes
 * precedence; a status of 429 applies only if the code is unknown.
 */
export function rejected(
  envelope: UpstreamErrorEnvelope,
  { httpStatus, retryAfterSeconds }: ResponseFacts,
): UpstreamError {
  const { code, error_subcode: subcode, error_data: data, error_user_msg: userMessage, message } = envelope.error;
  const isThrottling = httpStatus === TOO_MANY_REQUESTS && !isKnownUpstreamCode(code);
  const description = isThrottling
    ? describeTooManyRequests(retryAfterSeconds)
    : (describeProofRefusal(code, String(message)) ?? describeUpstreamError(code, subcode));
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

/**
 * Creates the error for a 3xx or 4xx response without an envelope, which usually comes from a proxy in front of the
 * platform. The call was not executed. A redirect (3xx) and temporary problems of a proxy are treated like an
 * unreachable platform.
 */
export function turnedAway({ httpStatus, retryAfterSeconds }: ResponseFacts): UpstreamError {
  const details = `HTTP ${httpStatus} without an error of the platform`;
  if (httpStatus === TOO_MANY_REQUESTS)
    return new UpstreamError({ ...describeTooManyRequests(retryAfterSeconds), kind: 'rejected', httpStatus, details });
  const isPassing = httpStatus < 400 || PASSING_REFUSALS.has(httpStatus);
  return new UpstreamError({
    kind: isPassing ? 'unavailable' : 'rejected',
    title: 'Call refused on its way to the platform',
    httpStatus,
    details,
    retriable: isPassing,
    category: 'other',
    answer: 'UPSTREAM_ERROR',
  });
}

/** Creates the error for a request that was never written. */
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

/** Creates the error for a request that may have been written but got no usable response. */
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
