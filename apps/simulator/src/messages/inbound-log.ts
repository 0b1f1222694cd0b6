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
}

/** What customers wrote in: the newest 5,000 messages. */
export class InboundLog {
  private readonly messages = new Ring<WrittenIn>({ items: MAX_MESSAGES, weight: MAX_BYTES });

  add(written: WrittenIn): void {
    this.messages.push(written, JSON.stringify(written.message).length);
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
