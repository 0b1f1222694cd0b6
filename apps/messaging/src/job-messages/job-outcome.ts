import type { HoldReason, MessageError, ThrottleScope } from '@switchboard/contracts';
import { describeUpstreamError, type SentMessage, UpstreamError } from '@switchboard/upstream';
import { errorOfCall } from '../messages/message-error';
import type { SendRefusal } from '../messages/send.queries';
import type { SendPause } from '../messages/upstream-sender';

/** What is known of one message of a job after it was tried, or could not be. */
export type JobOutcome =
  | { kind: 'accepted'; upstreamId: string }
  | { kind: 'failed'; error: MessageError }
  /** Sent or not: callbacks or the reconciler will tell. */
  | { kind: 'unknown' }
  /** Certainly not sent; later it may be. */
  | { kind: 'throttled'; retryAfterMs: number; scope: ThrottleScope }
  /** Certainly not sent, as nothing of the job can be now. */
  | { kind: 'held'; reason: HoldReason };

/** How long a number rests where upstream says neither how long nor that it throttles. */
const REST_MS = 5_000;

/** Upstream's codes for what we refuse ourselves. */
const CODES = { blocked: 130403, 'opted-out': 131050, 'window-closed': 131047, 'template-mismatch': 132000 } as const;

/** Reads the outcome of a call. @param pause what holds back further sends of the same route since then */
export function outcomeOfCall(outcome: SentMessage | UpstreamError, pause: SendPause | undefined): JobOutcome {
  if (!(outcome instanceof UpstreamError)) return { kind: 'accepted', upstreamId: outcome.messageId };
  if (outcome.kind === 'unknown-outcome') return { kind: 'unknown' };
  if (outcome.stopsNumber) return { kind: 'held', reason: 'NUMBER_STOPPED' };
  if (outcome.answer === 'TEMPLATE_NOT_APPROVED' || outcome.answer === 'TEMPLATE_NOT_FOUND') return { kind: 'held', reason: 'TEMPLATE_NOT_APPROVED' };
  return passes(outcome) ? throttled(pause ?? { ms: restMs(outcome), cause: outcome }) : { kind: 'failed', error: errorOfCall(outcome) };
}

/** What a pause means for a message that is not tried because of it. */
export function throttled({ ms, cause }: SendPause): JobOutcome {
  return { kind: 'throttled', retryAfterMs: Math.ceil(ms), scope: cause.backoff?.scope === 'pair' ? 'recipient' : 'number' };
}

/** The services that we ask before a send have no answer. */
export function postponed(): JobOutcome {
  return { kind: 'throttled', retryAfterMs: REST_MS, scope: 'number' };
}

/** What a refusal of ours means, told as upstream would tell it. */
export function outcomeOfRefusal(refusal: SendRefusal): JobOutcome {
  switch (refusal) {
    case 'no-number':
    case 'number-stopped':
      return { kind: 'held', reason: 'NUMBER_STOPPED' };
    case 'blocked':
      // The account wants it so: as with an opt-out, it is no sign of trouble for which a job should pause.
      return refused(CODES.blocked, { category: 'optout' });
    case 'opted-out':
    case 'window-closed':
      return refused(CODES[refusal]);
  }
}

/** The recipient's components do not fit the template. @param reason what is expected and what was given */
export function outcomeOfMismatch(reason: string): JobOutcome {
  return refused(CODES['template-mismatch'], { message: reason });
}

function refused(code: number, more: Partial<Pick<MessageError, 'message' | 'category'>> = {}): JobOutcome {
  const { title, category, retriable } = describeUpstreamError(code);
  return { kind: 'failed', error: { code, title, message: title, category, retriable, ...more } };
}

/** Whether the same call may succeed later: upstream throttles or is out of order. What it repeated itself without success has failed. */
function passes({ kind, category, retriable, backoff, httpStatus = 0 }: UpstreamError): boolean {
  return kind === 'unavailable' || category === 'rate_limit' || httpStatus >= 500 || (retriable && !backoff);
}

function restMs({ backoff, retryAfterSeconds }: UpstreamError): number {
  if (backoff) return backoff.firstMs;
  return retryAfterSeconds === undefined ? REST_MS : retryAfterSeconds * 1_000;
}
