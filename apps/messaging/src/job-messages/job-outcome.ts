import {
  ERRORS,
  type HeldReason,
  type HoldReason,
  type MessageError,
  type ThrottleScope,
} from '@switchboard/contracts';
import { type SentMessage, UpstreamError } from '@switchboard/upstream';
import { heldReasonOf } from '../sends/held-sends';
import { errorOfCall } from '../messages/message-error';
import type { SendRefusal } from '../sends/send.queries';
import type { SendPause } from '../sends/upstream-sender';

/** What is known of one message of a job after it was tried, or could not be. */
export type JobOutcome =
  /** `heldBack`: the platform took it and holds it back. */
  | { kind: 'accepted'; upstreamId: string; heldBack?: HeldReason }
  | { kind: 'failed'; error: MessageError }
  /** Sent or not: callbacks will tell, or the reconciler where nothing received it. */
  | { kind: 'unknown'; wasReceived: boolean }
  /** Certainly not sent; later it may be. */
  | { kind: 'throttled'; retryAfterMs: number; scope: ThrottleScope }
  /** Certainly not sent, as nothing of the job can be now. */
  | { kind: 'held'; reason: HoldReason };

/** How long a number rests where upstream says neither how long nor that it throttles. */
const REST_MS = 5_000;

/** What we refuse ourselves; the upstream platform is not asked, so there is no code of its. */
const REFUSALS = {
  // The account wants it so: as with an opt-out, it is no sign of trouble for which a job should pause.
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
} as const satisfies Partial<Record<SendRefusal, object>>;

/** Reads the outcome of a call. @param pause what holds back further sends of the same route since then */
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

/** What a pause means for a message that is not tried because of it. */
export function throttled({ ms, cause }: SendPause): JobOutcome {
  return {
    kind: 'throttled',
    retryAfterMs: Math.ceil(ms),
    scope: cause.backoff?.scope === 'pair' ? 'recipient' : 'number',
  };
}

/** The services that we ask before a send have no answer. */
export function postponed(): JobOutcome {
  return { kind: 'throttled', retryAfterMs: REST_MS, scope: 'number' };
}

/** What a refusal of ours means. */
export function outcomeOfRefusal(refusal: SendRefusal): JobOutcome {
  switch (refusal) {
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

/** The recipient's components do not fit the template. @param message what is expected and what was given */
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
 * Whether the same call may succeed later: upstream throttles or is out of order. What it repeated itself without
 * success has failed.
 */
function passes({ kind, category, retriable, backoff, httpStatus = 0 }: UpstreamError): boolean {
  return kind === 'unavailable' || category === 'rate_limit' || httpStatus >= 500 || (retriable && !backoff);
}

function restMs({ backoff, retryAfterSeconds }: UpstreamError): number {
  if (backoff) return backoff.firstMs;
  return retryAfterSeconds === undefined ? REST_MS : retryAfterSeconds * 1_000;
}
