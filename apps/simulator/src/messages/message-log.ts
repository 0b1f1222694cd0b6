import type { JsonObject } from '../json';
import { Ring } from '../ring';

const MAX_MESSAGES = 50_000;
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const MAX_OPAQUE_IDS = 300_000;
const MAX_DOUBLED_SHOWN = 20;

/** Accepted send, as the control API shows it. */
export interface AcceptedMessage {
  wamid: string;
  phoneNumberId: string;
  /** The recipient's number in digits. */
  to: string;
  /** True when the recipient was addressed by business-scoped user id. */
  byUserId: boolean;
  /** True when `to` lacked its plus and resolved to another number. */
  misrouted: boolean;
  type: string;
  body: JsonObject;
  opaque?: string;
  /** ISO 8601. */
  acceptedAt: string;
  /** Position among the messages of both directions. */
  place: number;
  status: string;
  /** All statuses in order. A failed one has its error code. */
  statuses: { status: string; at: string; code?: number }[];
  /** Set when the message was sent from the business's phone app rather than the API. */
  isEcho?: true;
}

export interface MessageFilter {
  to?: string;
  opaque?: string;
  /** Part of the opaque id after its first colon, or the whole id without a colon. */
  clientRef?: string;
  limit: number;
}

/**
 * Log of the newest 50,000 accepted messages (64 MiB of bodies at most), and of how often each opaque id was accepted
 * (the newest 300,000 ids). A count above one is a duplicate message, which chaos tests look for.
 */
export class MessageLog {
  private readonly messages = new Ring<AcceptedMessage>({ items: MAX_MESSAGES, weight: MAX_BODY_BYTES });
  private readonly counts = new Map<string, number>();
  /** The first few duplicate ids, for inspection. */
  private readonly doubledIds: string[] = [];
  private accepted = 0;
  private distinct = 0;
  private doubled = 0;

  add(message: AcceptedMessage, bodyBytes: number): void {
    this.accepted += 1;
    this.messages.push(message, bodyBytes);
    if (message.opaque !== undefined) this.count(message.opaque);
  }

  /** Adds a message from the business's phone app, which is listed but not counted. */
  addEcho(message: AcceptedMessage & { isEcho: true }): void {
    this.messages.push(message, JSON.stringify(message.body).length);
  }

  countOf(opaque: string | undefined): number {
    return opaque === undefined ? 1 : (this.counts.get(opaque) ?? 0);
  }

  /** Lists matching messages, newest first. */
  list(filter: MessageFilter): (AcceptedMessage & { count: number })[] {
    const found: (AcceptedMessage & { count: number })[] = [];
    for (const message of this.messages.newestFirst()) {
      if (found.length >= filter.limit) break;
      if (matches(message, filter)) found.push({ ...message, count: this.countOf(message.opaque) });
    }
    return found;
  }

  /** Returns totals since the start or the last reset: messages, distinct opaque ids, ids accepted more than once. */
  summary(): { accepted: number; distinct: number; doubled: number; doubledIds: string[] } {
    const { accepted, distinct, doubled, doubledIds } = this;
    return { accepted, distinct, doubled, doubledIds: [...doubledIds] };
  }

  reset(): void {
    this.messages.clear();
    this.counts.clear();
    this.doubledIds.length = 0;
    this.accepted = 0;
    this.distinct = 0;
    this.doubled = 0;
  }

  private count(opaque: string): void {
    const count = (this.counts.get(opaque) ?? 0) + 1;
    this.counts.set(opaque, count);
    if (count === 1) this.distinct += 1;
    if (count === 2) this.rememberDoubled(opaque);
    if (this.counts.size > MAX_OPAQUE_IDS) this.counts.delete(this.counts.keys().next().value!);
  }

  private rememberDoubled(opaque: string): void {
    this.doubled += 1;
    if (this.doubledIds.length < MAX_DOUBLED_SHOWN) this.doubledIds.push(opaque);
  }
}

function matches({ to, opaque }: AcceptedMessage, filter: MessageFilter): boolean {
  if (filter.to !== undefined && to !== filter.to.replace(/\D/g, '')) return false;
  if (filter.opaque !== undefined && opaque !== filter.opaque) return false;
  return filter.clientRef === undefined || opaque === filter.clientRef || clientRefOf(opaque) === filter.clientRef;
}

function clientRefOf(opaque: string | undefined): string | undefined {
  const colon = opaque?.indexOf(':') ?? -1;
  return colon < 0 ? undefined : opaque?.slice(colon + 1);
}
