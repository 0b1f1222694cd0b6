import {
  type AppError,
  ERRORS,
  type HeldReason,
  type HoldReason,
  type MessageError,
  type ThrottleScope,
} from '@switchboard/contracts';
import { type SentMessage, UpstreamError } from '@switchboard/upstream';
import { heldReasonOf } from '../sends/held-sends';
import { errorOfCall } from '../messages/message-error';
import { notUploaded } from '../sends/send-media';
import { refusalOfUpload } from '../sends/upload.service';
import type { SendRefusal } from '../sends/send.queries';
import type { SendPause } from '../sends/upstream-sender';

/** Outcome of one message of a job, after a call or a check. */
export type JobOutcome =
  /** `heldBack` is set if the platform accepted the message but is holding it back. */
  | { kind: 'accepted'; upstreamId: string; heldBack?: HeldReason }
  | { kind: 'failed'; error: MessageError }
  /** Possibly sent. A callback settles the message, or the reconciler if upstream did not receive it. */
  | { kind: 'unknown'; wasReceived: boolean }
  /** Not sent. May be retried later, from the business number `from` if it is set. */
  | { kind: 'throttled'; retryAfterMs: number; scope: ThrottleScope; from?: string }
  /** Not sent. No message of the job can be sent now. */
  | { kind: 'held'; reason: HoldReason };

/** Pause of a number if upstream gives no duration. */
const REST_MS = 5_000;

/** Rejections by this service. They have no upstream code, because the platform is not called. */
const REFUSALS = {
  // Like an opt-out, a block is the account's own choice and no failure for which a job should pause.
  blocked: {
    reason: 'RECIPIENT_OPTED_OUT',
    title: 'Recipient blocked',
    message: 'your account has blocked this recipient',
    category: 'optout',
  },
  'blocked-upstream': {
    reason: 'RECIPIENT_BLOCKED',
    title: 'Recipient blocked at the platform',
    message: ERRORS.RECIPIENT_BLOCKED.message,
    category: 'undeliverable',
  },
  'opted-out': {
    reason: 'RECIPIENT_OPTED_OUT',
    title: 'Recipient opted out',
    message: 'the recipient has stopped marketing messages',
    category: 'optout',
  },
  'window-closed': {
    reason: 'WINDOW_CLOSED',
    title: 'Service window closed',
    message: ERRORS.WINDOW_CLOSED.message,
    category: 'window',
  },
  'rate-unknown': {
    reason: 'RATE_UNKNOWN',
    title: 'No rate for this message',
    message: ERRORS.RATE_UNKNOWN.message,
    category: 'other',
  },
} as const satisfies Partial<Record<SendRefusal, object>>;

/**
 * Returns the outcome of a call.
 * @param pause current pause of the same route
 */
export function outcomeOfCall(outcome: SentMessage | UpstreamError, pause: SendPause | undefined): JobOutcome {
  if (!(outcome instanceof UpstreamError)) {
    const heldBack = heldReasonOf(outcome);
    return { kind: 'accepted', upstreamId: outcome.messageId, ...(heldBack && { heldBack }) };
  }
  if (outcome.kind === 'unknown-outcome') return { kind: 'unknown', wasReceived: outcome.wasReceived };
  if (outcome.stopsNumber) return { kind: 'held', reason: 'NUMBER_STOPPED' };
  if (outcome.answer === 'TEMPLATE_NOT_APPROVED' || outcome.answer === 'TEMPLATE_NOT_FOUND')
    return { kind: 'held', reason: 'TEMPLATE_NOT_APPROVED' };
  return passes(outcome)
    ? throttled(pause ?? { ms: restMs(outcome), cause: outcome })
    : { kind: 'failed', error: errorOfCall(outcome) };
}

/** Returns the outcome of a message whose file could not be uploaded to the platform: nothing was sent. */
export function outcomeOfUpload(error: UpstreamError): JobOutcome {
  const outcome = outcomeOfCall(error.kind === 'rejected' ? error : notUploaded(error), undefined);
  return outcome.kind === 'failed'
    ? { kind: 'failed', error: { ...outcome.error, reason: refusalOfUpload(error).code } }
    : outcome;
}

/** Returns the outcome if the account does not have a file of the message, or cannot send it in this place. */
export function outcomeOfMedia({ code, message }: AppError): JobOutcome {
  return refused({ reason: code, title: ERRORS[code].message, message, category: 'media' });
}

/** Returns the outcome of a message that is not sent because of a pause. */
export function throttled({ ms, cause }: SendPause): JobOutcome {
  return {
    kind: 'throttled',
    retryAfterMs: Math.ceil(ms),
    scope: cause.backoff?.scope === 'pair' ? 'recipient' : 'number',
  };
}

/** Returns a message to its job, to be sent from the number with which the recipient has an open window. */
export function sentFrom(phoneNumber: string): JobOutcome {
  return { kind: 'throttled', retryAfterMs: 0, scope: 'recipient', from: phoneNumber };
}

/** Returns the outcome when a service that is needed for a send is unavailable. */
export function postponed(): JobOutcome {
  return { kind: 'throttled', retryAfterMs: REST_MS, scope: 'number' };
}

/** @param reason error text for a spend cap or a missing rate */
export function outcomeOfRefusal(refusal: SendRefusal, reason?: string): JobOutcome {
  switch (refusal) {
    case 'spend-cap':
      return { kind: 'held', reason: 'SPEND_CAP' };
    case 'rate-unknown':
      return refused({ ...REFUSALS[refusal], ...(reason && { message: reason }) });
    case 'capped':
      throw new Error('a message of an account with a spend cap needs a reservation');
    case 'no-number':
    case 'number-stopped':
      return { kind: 'held', reason: 'NUMBER_STOPPED' };
    case 'blocked':
    case 'blocked-upstream':
    case 'opted-out':
    case 'window-closed':
      return refused(REFUSALS[refusal]);
  }
}

/**
 * Returns the outcome when the recipient's components do not match the template.
 * @param message expected and given parameters
 */
export function outcomeOfMismatch(message: string): JobOutcome {
  return refused({
    reason: 'TEMPLATE_PARAMS_MISMATCH',
    title: 'Template parameters do not match',
    message,
    category: 'template',
  });
}

function refused(error: Omit<MessageError, 'code' | 'retriable'>): JobOutcome {
  return { kind: 'failed', error: { ...error, code: 0, retriable: false } };
}

/**
 * Returns true if the same call may succeed later, because upstream is throttling or unavailable. Errors that were
 * already retried count as failed.
 */
function passes({ kind, category, retriable, backoff, httpStatus = 0 }: UpstreamError): boolean {
  return kind === 'unavailable' || category === 'rate_limit' || httpStatus >= 500 || (retriable && !backoff);
}

function restMs({ backoff, retryAfterSeconds }: UpstreamError): number {
  if (backoff) return backoff.firstMs;
  return retryAfterSeconds === undefined ? REST_MS : retryAfterSeconds * 1_000;
}
