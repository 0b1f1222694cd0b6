import type { Customers } from '../customers/customers';
import type { FaultStore } from '../faults';
import { titleOf } from '../graph-error';
import { magicOf } from './magic-numbers';
import type { Price } from './pricing';
import type { CheckedSend } from './validate-message';

export type Step = 'sent' | 'delivered' | 'read';

export interface Outcome {
  steps: readonly Step[];
  failure?: Failure;
  /** Absent if the message is not sent. */
  price?: Price;
}

export interface Failure {
  code: number;
  details: string;
}

const ALL_STEPS: readonly Step[] = ['sent', 'delivered', 'read'];
const WITHOUT_DELIVERED: readonly Step[] = ['sent', 'read'];

const DETAILS: Record<number, string> = {
  130403: 'Message failed to send because the business has blocked this user.',
  131026: 'Message Undeliverable.',
  131047:
    'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  131049: 'This message was not delivered to maintain healthy ecosystem engagement.',
  131050:
    'Unable to deliver the message. This recipient has chosen to stop receiving marketing messages on WhatsApp from your business.',
};

/** Creates a failure with the platform's text. */
export function failureOf(code: number, details = DETAILS[code] ?? titleOf(code)): Failure {
  return { code, details };
}

/** Returns true if a message may receive a reaction, based on the inbound messages. */
export type ReactionTarget = (wamid: string) => boolean;

/** Determines the outcome by recipient, block list, template, 24-hour window and injected faults, in this order. */
export function outcomeOf(
  send: CheckedSend,
  phoneNumberId: string,
  parts: { customers: Customers; faults: FaultStore; nowMs: number; mayBearReaction: ReactionTarget },
): Outcome {
  const { customers, faults, nowMs, mayBearReaction } = parts;
  const magic = magicOf(send.waId);
  if (magic)
    return { steps: magic.steps ?? ALL_STEPS, ...(magic.fail !== undefined && { failure: failureOf(magic.fail) }) };
  if (customers.blocked.has(phoneNumberId, send.waId)) return { steps: [], failure: failureOf(130403) };
  if (send.mediaProblem) return { steps: [], failure: failureOf(131053, send.mediaProblem) };
  // Like the platform, accept free-form content outside the window first and fail it afterwards.
  if (!send.template && !customers.hasOpenWindow(phoneNumberId, send.waId, nowMs))
    return { steps: [], failure: failureOf(131047) };
  if (send.reactsTo !== undefined) {
    // Reactions get no status `delivered` or `read`.
    return mayBearReaction(send.reactsTo) ? { steps: ['sent'] } : { steps: [], failure: failureOf(131009) };
  }
  const isMarketing = send.template?.category === 'MARKETING';
  if (isMarketing && !customers.wantsMarketing(phoneNumberId, send.waId))
    return { steps: [], failure: failureOf(131050) };
  const { failAfterSent, loseDelivered } = faults.current.callbacks;
  if (faults.happens(failAfterSent)) return { steps: ['sent'], failure: failureOf(131026) };
  return { steps: faults.happens(loseDelivered) ? WITHOUT_DELIVERED : ALL_STEPS };
}
