import type { Channel, ConsumeMessage } from 'amqplib';
import { type ERROR_REPLY, groupedReplies, HEADERS, JSON_CONTENT, REPLIES, TAKEN_NOTE, TAKEN_NOTES } from './wire';

/** The answer to one command. */
export interface Reply {
  /** JSON. */
  content: string;
  type?: typeof ERROR_REPLY;
}

interface Answered {
  message: ConsumeMessage;
  reply: Reply;
}

/** Longer answers go alone: a group is a message of the broker, too, and stays small. */
const GROUPED_MAX_LENGTH = 4_096;

/**
 * What a consumer tells the callers of its commands over one channel. What it tells one caller in one turn of the event
 * loop leaves as one message, if the caller reads groups (`HEADERS.readsGroups`); what comes alone does not wait.
 */
export class Replies {
  private readonly exchange: string;
  private readonly prefetch: number;
  private roundTrip: Promise<unknown> = Promise.resolve();
  private next?: Promise<unknown>;
  private taken: ConsumeMessage[] = [];
  private answered: Answered[] = [];
  private leaving?: Promise<void>;

  /**
   * @param options.prefetch the channel's own, which a round trip sets again to no effect
   * @param options.exchange that of replies
   */
  constructor(
    private readonly channel: Channel,
    { prefetch, exchange }: { prefetch: number; exchange: string },
  ) {
    this.prefetch = prefetch;
    this.exchange = exchange;
  }

  /**
   * Tells the caller that the command is taken, before anything is done for it: a caller who has heard nothing when
   * its command expires knows that nothing was done. The broker works on a channel's frames in their order, so its
   * answer to any later request says that it has handed on the notes before it; one such round trip serves all notes
   * that wait for it.
   * @throws Error when the channel is lost, and with it the message: the broker hands it out again, and it must not be
   * worked on
   */
  async announce(message: ConsumeMessage): Promise<void> {
    this.taken.push(message);
    this.next ??= this.roundTrip.then(() => {
      this.next = undefined;
      this.sendNotes();
      this.roundTrip = this.channel.prefetch(this.prefetch);
      return this.roundTrip;
    });
    await this.next;
  }

  /**
   * Answers the command and acknowledges it, in one packet.
   * @throws Error when the channel is lost: the broker hands the message out again
   */
  async answer(message: ConsumeMessage, reply: Reply): Promise<void> {
    this.answered.push({ message, reply });
    this.leaving ??= new Promise((resolve, reject) => {
      // After all that ends in this turn.
      process.nextTick(() => {
        this.leaving = undefined;
        try {
          this.sendAnswers();
          resolve();
        } catch (error) {
          reject(error as Error);
        }
      });
    });
    await this.leaving;
  }

  private sendNotes(): void {
    const taken = this.taken;
    this.taken = [];
    for (const [address, group] of byCaller(taken, (message) => message)) {
      const ids = group.map(({ properties }) => String(properties.correlationId));
      if (ids.length > 1) this.publish(address, JSON.stringify(ids), { type: TAKEN_NOTES });
      else this.publish(address, '', { type: TAKEN_NOTE, correlationId: ids[0] });
    }
  }

  private sendAnswers(): void {
    const answered = this.answered;
    this.answered = [];
    for (const [address, group] of byCaller(answered, ({ message }) => message)) {
      if (group.length > 1) this.publish(address, groupedReplies(group.map(itemOf)), { type: REPLIES });
      else {
        const { id, ...reply } = itemOf(group[0] as Answered);
        this.publish(address, reply.content, { type: reply.type, correlationId: id });
      }
    }
    for (const { message } of answered) this.channel.ack(message);
  }

  private publish(address: string, content: string, properties: { type?: string; correlationId?: string }): void {
    this.channel.publish(this.exchange, address, Buffer.from(content), { ...properties, contentType: JSON_CONTENT });
  }
}

const itemOf = ({ message: { properties }, reply }: Answered): Reply & { id: string } => ({
  id: String(properties.correlationId),
  ...reply,
});

/** What goes to a caller in one message. Who reads no groups, or asked for no answer, is told of each alone, or not. */
function byCaller<Item extends ConsumeMessage | Answered>(
  items: readonly Item[],
  messageOf: (item: Item) => ConsumeMessage,
): [address: string, group: Item[]][] {
  const alone: [string, Item[]][] = [];
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const { replyTo, headers } = messageOf(item).properties;
    if (typeof replyTo !== 'string') continue;
    const isSmall = !('reply' in item) || item.reply.content.length <= GROUPED_MAX_LENGTH;
    if (headers?.[HEADERS.readsGroups] !== true || !isSmall) alone.push([replyTo, [item]]);
    else groups.set(replyTo, [...(groups.get(replyTo) ?? []), item]);
  }
  return [...alone, ...groups];
}
