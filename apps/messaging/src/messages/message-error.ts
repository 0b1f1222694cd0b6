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

/** What a caller is told to wait for when the upstream platform throttles; it names no time itself. */
const THROTTLED_RETRY_SECONDS = 10;

/** Characters of the upstream's title and of its explanation that are kept: its texts are far shorter. */
const MAX_TITLE = 200;
const MAX_KEPT_EXPLANATION = 1_000;

/** Characters of the upstream's explanation that are passed on to a caller. */
const MAX_EXPLANATION = 500;

/** Why a message failed whose outcome never became known, however often it was sent (spec §5.3.1). */
export const OUTCOME_UNKNOWN: MessageError = {
  reason: 'UPSTREAM_TIMEOUT',
  code: 0,
  title: 'Outcome unknown',
  message: 'the upstream platform never confirmed the message',
  category: 'other',
  retriable: true,
};

/**
 * Why a message failed that must not be sent again, when nothing was reported of it (spec §3.9.6). To send it again is
 * its caller's decision: it is not `retriable` by itself.
 */
export const NEVER_REPORTED: MessageError = {
  ...OUTCOME_UNKNOWN,
  message:
    'the message may have been sent: the upstream platform did not report what became of it, and a repetition could reach the recipient twice',
  retriable: false,
};

/** Why a message failed that no process began to send (spec §3.9.7). */
export const NOT_SENT: MessageError = {
  reason: 'UNAVAILABLE',
  code: 0,
  title: 'Not sent',
  message: 'the service was interrupted before it sent the message: nothing was sent',
  category: 'other',
  retriable: true,
};

/** What is no reason of the upstream platform. A repeat gets a 502, after which it is another message. */
const OWN_REASONS: readonly (string | undefined)[] = [OUTCOME_UNKNOWN.reason, NOT_SENT.reason];

/** A failure without the upstream's reason. */
const NO_REASON: MessageError = {
  reason: 'UPSTREAM_ERROR',
  code: 0,
  title: 'Unknown error',
  message: 'the upstream platform gave no reason',
  category: 'other',
  retriable: false,
};

/** The reason of a failed call as records and events show it. */
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

/** Upstream's details may quote what was sent: not for a message with a secret. */
export function withoutDetails(error: MessageError): MessageError {
  return { ...error, message: error.title };
}

/** The reason of a failed status; upstream may leave out everything. */
export function errorOfStatus(errors: readonly Partial<UpstreamCallbackError>[] | undefined): MessageError {
  const error = errors?.[0];
  if (!error || !Number.isSafeInteger(error.code)) return NO_REASON;
  const { answer: reason, title, category, retriable } = describeUpstreamError(Number(error.code));
  const shownTitle = typeof error.title === 'string' ? error.title : title;
  const explanation = error.error_data?.details ?? error.message;
  const texts = keptTexts(shownTitle, typeof explanation === 'string' ? explanation : shownTitle);
  return { reason, code: Number(error.code), ...texts, category, retriable };
}

/** Every event about the message carries them. */
function keptTexts(title: string, message: string): Pick<MessageError, 'title' | 'message'> {
  return {
    title: storableText(title.slice(0, MAX_TITLE)),
    message: storableText(message.slice(0, MAX_KEPT_EXPLANATION)),
  };
}

/** Which message a refusal is about. */
interface RefusedMessage {
  /** Absent when the message is not on record. */
  id?: string;
  /** Whether the message holds a secret, which the upstream's explanation may quote. */
  isSecret?: boolean;
}

/** What the caller of a send is answered when the upstream platform refused it or could not be reached (spec §3.8). */
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
 * What the body of a refusal says besides: the upstream's code and words as records show them, and the record. What the
 * platform says of our credentials may quote them.
 */
export function upstreamWords(error: MessageError, id?: string): ErrorExtra {
  const shown = error.category === 'auth' ? withoutDetails(error) : error;
  return { ...(id !== undefined && { id }), error: failureOf(shown) };
}

/**
 * With the upstream's explanation where the caller can do something about it; what it says of our credentials is not
 * theirs.
 */
function explained(answer: ErrorCode, title: string, details = title): string {
  const { status, message } = ERRORS[answer];
  const explanation = status < 500 && details !== title ? `${title}: ${details.slice(0, MAX_EXPLANATION)}` : title;
  return `${message}: ${explanation}`;
}

/** The same refusal again, from the row of a message that was refused before. */
export function refusalOfStored(error: MessageError, id: string): AppError {
  const { code, title, message } = error;
  const { retryAfterSeconds } = describeUpstreamError(code);
  const answer = answerOfStored(error);
  const extra = upstreamWords(error, id);
  return refusal(answer, { message: explained(answer, title, message), retryAfterSeconds, extra });
}

/** What was given up without an answer is no longer being settled: it has failed. */
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

/** What is left after the repetitions that we made ourselves. */
function backoffSeconds({ backoff }: UpstreamError): number | undefined {
  return backoff?.scope === 'pair' ? Math.ceil((backoff.firstMs * backoff.factor ** 2) / 1_000) : undefined;
}
