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
 * What a failed call means for the message:
 * - `rejected`: an error envelope arrived, or the call was turned away on its way (3xx, 4xx), so nothing was sent.
 * - `unavailable`: the request was never written to a connection (refused, name not found, TLS failed, or the deadline
 *   passed while connecting or queueing), or a proxy turned it away for the moment, so nothing was sent.
 * - `unknown-outcome`: the request may have been written and no usable answer came back (deadline, reset, an answer
 *   that is no envelope). Sent or not: nobody knows, so it must not be repeated blindly; see `wasReceived`.
 */
export type UpstreamErrorKind = 'rejected' | 'unknown-outcome' | 'unavailable';

export interface UpstreamErrorFields {
  kind: UpstreamErrorKind;
  /** Upstream's own code; only with `rejected`, and absent when what refused the call gave none. */
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

  /**
   * Whether the outcome is unknown although something answered. Whatever answers has read the request, and may have
   * carried it out or handed it on: such a call is left to callbacks and never made again by us. Where nothing answered
   * the request may not have arrived, so that the silence of callbacks, after a grace, is reason enough to repeat it
   * (ADR 4).
   */
  get wasReceived(): boolean {
    return this.kind === 'unknown-outcome' && this.httpStatus !== undefined;
  }
}

/** What is known of an answer besides its body. */
export interface AnswerFacts {
  httpStatus: number;
  /** Of its header, in seconds. */
  retryAfterSeconds?: number;
}

const TOO_MANY_REQUESTS = 429;
/** A proxy wants a login, gave the request up, or cannot serve it now: it passes, as a way that is cut does. */
const PASSING_REFUSALS = new Set([407, 408, 421, 425]);

/**
 * Upstream answered with an error envelope. `is_transient` makes an otherwise final code retriable. The code decides; a
 * status of 429 does where the table does not know the code.
 */
export function rejected(
  envelope: UpstreamErrorEnvelope,
  { httpStatus, retryAfterSeconds }: AnswerFacts,
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
 * The call was turned away by an answer 3xx or 4xx that is no envelope: by something in front of the platform, as a
 * rule. It was not carried out. A way that leads elsewhere (3xx), and what a proxy mends by itself, pass as a platform
 * that cannot be reached does.
 */
export function turnedAway({ httpStatus, retryAfterSeconds }: AnswerFacts): UpstreamError {
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
