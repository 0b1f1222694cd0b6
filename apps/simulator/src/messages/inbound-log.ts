import type { UpstreamInboundMessage } from '@switchboard/upstream';
import { Ring } from '../ring';

const MAX_MESSAGES = 5_000;
const MAX_BYTES = 16 * 1024 * 1024;

/** Customer's message, as the control API shows it. */
export interface WrittenIn {
  phoneNumberId: string;
  /** The customer's number in digits, even if the callback hides it. */
  from: string;
  name: string;
  message: UpstreamInboundMessage;
  /** ISO 8601. */
  writtenAt: string;
  /** Position among the messages of both directions. */
  place: number;
  /** Time at which the business marked this message, or a later one of the chat, as read; ISO 8601. */
  readAt?: string;
}

/** Maximum age of the target of a reaction. Reactions to older messages are dropped. */
const REACTION_FOR_MS = 30 * 24 * 3_600_000;

/** Log of the newest 5,000 inbound messages. */
export class InboundLog {
  private readonly messages = new Ring<WrittenIn>({ items: MAX_MESSAGES, weight: MAX_BYTES });

  add(written: WrittenIn): void {
    this.messages.push(written, JSON.stringify(written.message).length);
  }

  /**
   * Marks a message and all earlier ones from the customer to the number as read.
   * @returns the message, or undefined when the number did not receive it
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

  /** Returns true for a recent message of the customer that is not itself a reaction. */
  mayBearReaction(wamid: string, { from, nowMs }: { from: string; nowMs: number }): boolean {
    return this.list({ from, limit: MAX_MESSAGES }).some(
      ({ message, writtenAt }) =>
        message.id === wamid && message.type !== 'reaction' && nowMs - Date.parse(writtenAt) <= REACTION_FOR_MS,
    );
  }

  /** Lists messages, newest first, of one customer or of all. */
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
