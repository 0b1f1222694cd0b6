import type { UpstreamInboundMessage } from '@switchboard/upstream';
import { Ring } from '../ring';

const MAX_MESSAGES = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** A message that a customer wrote in, as the control API shows it. */
export interface WrittenIn {
  phoneNumberId: string;
  /** The customer's number, digits only, even where the callback hides it. */
  from: string;
  name: string;
  message: UpstreamInboundMessage;
  /** ISO 8601. */
  writtenAt: string;
  /** Its position among the messages of both directions. */
  place: number;
  /** When the business marked it, or a later one of the chat, as read; ISO 8601. */
  readAt?: string;
}

/** Reactions to older messages are dropped. */
const REACTION_FOR_MS = 30 * 24 * 3_600_000;

/** What customers wrote in: the newest 5,000 messages. */
export class InboundLog {
  private readonly messages = new Ring<WrittenIn>({ items: MAX_MESSAGES, weight: MAX_BYTES });

  add(written: WrittenIn): void {
    this.messages.push(written, JSON.stringify(written.message).length);
  }

  /**
   * The business has read a message, and all that the customer wrote to the number before it.
   * @returns the message; undefined when nobody wrote it to this number
   */
  markRead(wamid: string, { phoneNumberId, at }: { phoneNumberId: string; at: string }): WrittenIn | undefined {
    let read: WrittenIn | undefined;
    for (const written of this.messages.newestFirst()) {
      if (written.phoneNumberId !== phoneNumberId) continue;
      if (!read && written.message.id === wamid) read = written;
      if (read && written.from === read.from) written.readAt ??= at;
    }
    return read;
  }

  /** Whether a customer wrote it not long ago, and it is no reaction itself. */
  mayBearReaction(wamid: string, { from, nowMs }: { from: string; nowMs: number }): boolean {
    return this.list({ from, limit: MAX_MESSAGES }).some(
      ({ message, writtenAt }) =>
        message.id === wamid && message.type !== 'reaction' && nowMs - Date.parse(writtenAt) <= REACTION_FOR_MS,
    );
  }

  /** Newest first; of one customer, or of all. */
  list({ from, limit }: { from?: string; limit: number }): WrittenIn[] {
    const found: WrittenIn[] = [];
    for (const written of this.messages.newestFirst()) {
      if (found.length >= limit) break;
      if (from === undefined || written.from === from) found.push(written);
    }
    return found;
  }

  reset(): void {
    this.messages.clear();
  }
}
