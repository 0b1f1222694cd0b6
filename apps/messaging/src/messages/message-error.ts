import {
  AppError,
  type AppErrorOptions,
  ERRORS,
  type ErrorCode,
  type ErrorExtra,
  failureOf,
  type MessageError,
  storableText,
} from '@switchboard/contracts';
import { describeUpstreamError, type UpstreamCallbackError, type UpstreamError } from '@switchboard/upstream';

/** Retry delay for callers if the upstream platform throttles without giving a delay. */
const THROTTLED_RETRY_SECONDS = 10;

/** Maximum number of characters to store of the upstream title and explanation, far more than usual. */
const MAX_TITLE = 200;
const MAX_KEPT_EXPLANATION = 1_000;

/** Maximum number of characters of the upstream explanation in an error response. */
const MAX_EXPLANATION = 500;

/** Error of a message whose outcome stayed unknown after all attempts (spec §5.3.1). */
export const OUTCOME_UNKNOWN: MessageError = {
  reason: 'UPSTREAM_TIMEOUT',
  code: 0,
  title: 'Outcome unknown',
  message: 'the upstream platform never confirmed the message',
  category: 'other',
  retriable: true,
};

/**
 * Error of a message that must not be sent again and about which upstream never reported (spec §3.9.6). It is not
 * `retriable`, because only the caller can decide to send it again.
 */
export const NEVER_REPORTED: MessageError = {
  ...OUTCOME_UNKNOWN,
  message:
    'the message may have been sent: the upstream platform did not report its outcome, and sending it again could reach the recipient twice',
  retriable: false,
};

/** Error of a message whose send no process started (spec §3.9.7). */
export const NOT_SENT: MessageError = {
  reason: 'UNAVAILABLE',
  code: 0,
  title: 'Not sent',
  message: 'the service was interrupted before it sent the message: nothing was sent',
  category: 'other',
  retriable: true,
};

/**
 * Reasons that are not from the upstream platform. A repeated request returns 502, and the next one is a new message.
 */
const OWN_REASONS: readonly (string | undefined)[] = [OUTCOME_UNKNOWN.reason, NOT_SENT.reason];

/** Error of a failure without a reason from upstream. */
const NO_REASON: MessageError = {
  reason: 'UPSTREAM_ERROR',
  code: 0,
  title: 'Unknown error',
  message: 'the upstream platform gave no reason',
  category: 'other',
  retriable: false,
};

/** Returns the error of a failed call, for records and events. */
export function errorOfCall({
  answer: reason,
  code,
  title,
  details,
  category,
  retriable,
}: UpstreamError): MessageError {
  return { reason, code: code ?? 0, ...keptTexts(title, details ?? title), category, retriable };
}

/** Removes upstream's details, which may quote a secret in the message. */
export function withoutDetails(error: MessageError): MessageError {
  return { ...error, message: error.title };
}

/** Returns the error of a failed status, in which any field may be missing. */
export function errorOfStatus(errors: readonly Partial<UpstreamCallbackError>[] | undefined): MessageError {
  const error = errors?.[0];
  if (!error || !Number.isSafeInteger(error.code)) return NO_REASON;
  const { answer: reason, title, category, retriable } = describeUpstreamError(Number(error.code));
  const shownTitle = typeof error.title === 'string' ? error.title : title;
  const explanation = error.error_data?.details ?? error.message;
  const texts = keptTexts(shownTitle, typeof explanation === 'string' ? explanation : shownTitle);
  return { reason, code: Number(error.code), ...texts, category, retriable };
}

/** Truncates the texts, because every event about the message contains them. */
function keptTexts(title: string, message: string): Pick<MessageError, 'title' | 'message'> {
  return {
    title: storableText(title.slice(0, MAX_TITLE)),
    message: storableText(message.slice(0, MAX_KEPT_EXPLANATION)),
  };
}

/** The message that an error concerns. */
interface RefusedMessage {
  /** Absent if the message is not stored. */
  id?: string;
  /** True if the message contains a secret, which upstream's explanation may quote. */
  isSecret?: boolean;
}

/**
 * Returns the error for the caller when the upstream platform rejected the call or could not be reached (spec §3.8).
 */
export function refusalOfCall(error: UpstreamError, { id, isSecret = false }: RefusedMessage = {}): AppError {
  const { answer, title, details, retryAfterSeconds = backoffSeconds(error) } = error;
  return refusal(answer, {
    message: explained(answer, title, isSecret ? title : details),
    retryAfterSeconds,
    extra: upstreamWords(isSecret ? withoutDetails(errorOfCall(error)) : errorOfCall(error), id),
    cause: error,
  });
}

/**
 * Returns the additional fields of an error response: the upstream code and text as stored, and the message id. Texts
 * about the account's credentials are reduced to the title, because they may quote the credentials.
 */
export function upstreamWords(error: MessageError, id?: string): ErrorExtra {
  const shown = error.category === 'auth' ? withoutDetails(error) : error;
  return { ...(id !== undefined && { id }), error: failureOf(shown) };
}

/** Adds upstream's explanation to errors that the caller can fix. Other texts may concern the account's credentials. */
function explained(answer: ErrorCode, title: string, details = title): string {
  const { status, message } = ERRORS[answer];
  const explanation = status < 500 && details !== title ? `${title}: ${details.slice(0, MAX_EXPLANATION)}` : title;
  return `${message}: ${explanation}`;
}

/** Returns the error of a message that was rejected before. */
export function refusalOfStored(error: MessageError, id: string): AppError {
  const { code, title, message } = error;
  const { retryAfterSeconds } = describeUpstreamError(code);
  const answer = answerOfStored(error);
  const extra = upstreamWords(error, id);
  return refusal(answer, { message: explained(answer, title, message), retryAfterSeconds, extra });
}

/** A message that was given up without a response has failed, so its outcome is not reported as unknown. */
function answerOfStored({ reason, code }: MessageError): ErrorCode {
  if (reason !== undefined && reason in ERRORS && !OWN_REASONS.includes(reason)) return reason as ErrorCode;
  return code === 0 ? 'UPSTREAM_ERROR' : describeUpstreamError(code).answer;
}

function refusal(code: ErrorCode, options: AppErrorOptions): AppError {
  return new AppError(
    code,
    code === 'UPSTREAM_THROTTLED'
      ? { ...options, retryAfterSeconds: options.retryAfterSeconds ?? THROTTLED_RETRY_SECONDS }
      : options,
  );
}

/** Returns the delay that remains after the service's own retries. */
function backoffSeconds({ backoff }: UpstreamError): number | undefined {
  return backoff?.scope === 'pair' ? Math.ceil((backoff.firstMs * backoff.factor ** 2) / 1_000) : undefined;
}
