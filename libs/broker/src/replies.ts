import type { ConfirmChannel, ConsumeMessage } from 'amqplib';
import type { GroupMember } from './command-group';
import { isChannelClosed } from './unconfirmed';
import {
  type ERROR_REPLY,
  type GROUP_RETURNED,
  groupedReplies,
  HEADERS,
  JSON_CONTENT,
  REPLIES,
  TAKEN_NOTE,
  TAKEN_NOTES,
} from './wire';

/** The answer to one command. */
export interface Reply {
  /** JSON; empty in what gives a group back. */
  content: string;
  type?: typeof ERROR_REPLY | typeof GROUP_RETURNED;
}

interface Answered {
  message: ConsumeMessage;
  reply: Reply;
}

/** An answer with more characters leaves alone, so that a group of fifty stays a message of a few hundred KB. */
const GROUPED_MAX_LENGTH = 4_096;

/**
 * What a consumer tells the callers of its commands over one channel. Answers that end in one turn of the event loop,
 * and notes that wait for one round trip, leave for a caller as one message, if the caller reads groups
 * (`HEADERS.readsGroups`). What comes alone does not wait.
 */
export class Replies {
  private roundTrip: Promise<unknown> = Promise.resolve();
  private next?: Promise<unknown>;
  private taken: ConsumeMessage[] = [];
  private answered: Answered[] = [];
  private leaving?: Promise<void>;

  /** @param exchange that of replies */
  constructor(
    private readonly channel: ConfirmChannel,
    private readonly exchange: string,
  ) {}

  /**
   * Tells the caller that the command is taken, before anything is done for it: a caller who has heard nothing when
   * its command expires knows that nothing was done. Returns when the broker has confirmed the note: it is in the
   * caller's queue then, on whichever node, before any report that the command has expired. Notes that come while a
   * confirm is outstanding leave together after it.
   * @throws Error when the channel is lost, and with it the message: the broker delivers it again, and it must not be
   * worked on
   */
  async announce(message: ConsumeMessage): Promise<void> {
    this.taken.push(message);
    this.next ??= this.roundTrip.then(() => {
      this.next = undefined;
      this.roundTrip = this.sendNotes();
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

  private async sendNotes(): Promise<void> {
    const taken = this.taken.map((message) => ({ message }));
    this.taken = [];
    await Promise.all(
      byCaller(taken).map(({ address, group }) => {
        const [id, ...others] = group.map(idOf);
        const isOne = others.length === 0;
        const note = isOne ? { type: TAKEN_NOTE, correlationId: id } : { type: TAKEN_NOTES };
        return new Promise<void>((resolve, reject) => {
          // A nack says that the caller's queue is lost, as that of a caller that has left: it knows no outcome.
          const onConfirm = (error: unknown): void => (isChannelClosed(error) ? reject(error as Error) : resolve());
          if (!this.publish(address, isOne ? '' : JSON.stringify([id, ...others]), note, onConfirm)) resolve();
        });
      }),
    );
  }

  private sendAnswers(): void {
    const answered = this.answered;
    this.answered = [];
    const failures: unknown[] = [];
    for (const { address, group } of byCaller(answered, ({ reply }) => reply.content.length <= GROUPED_MAX_LENGTH)) {
      try {
        this.sendTogether(address, group);
        for (const { message } of group) this.acknowledge(message);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** A message with several commands is acknowledged with the last answer. */
  private acknowledge(message: ConsumeMessage | GroupMember): void {
    if ('group' in message && (message.group.unanswered -= 1) > 0) return;
    this.channel.ack(message);
  }

  private sendTogether(address: string | undefined, group: readonly Answered[]): void {
    const [first, ...others] = group.map((item) => ({ id: idOf(item), ...item.reply }));
    if (first === undefined) return;
    if (others.length > 0) this.publish(address, groupedReplies([first, ...others]), { type: REPLIES });
    else this.publish(address, first.content, { type: first.type, correlationId: first.id });
  }

  /** Nothing leaves for a caller that asked for no answer. @returns whether it left */
  private publish(
    address: string | undefined,
    content: string,
    properties: { type?: string; correlationId?: string },
    onConfirm?: (error: unknown) => void,
  ): boolean {
    if (address === undefined) return false;
    const options = { ...properties, contentType: JSON_CONTENT };
    this.channel.publish(this.exchange, address, Buffer.from(content), options, onConfirm);
    return true;
  }
}

const idOf = ({ message }: { message: ConsumeMessage }): string => message.properties.correlationId as string;

/** What may leave in one message, and where to: all for a caller that reads groups, else each alone. */
function byCaller<Item extends { message: ConsumeMessage }>(
  items: readonly Item[],
  isSmall: (item: Item) => boolean = () => true,
): { address: string | undefined; group: Item[] }[] {
  const groups: { address: string | undefined; group: Item[] }[] = [];
  const shared = new Map<string, Item[]>();
  for (const item of items) {
    const { replyTo, correlationId, headers } = item.message.properties;
    const address = typeof replyTo === 'string' ? replyTo : undefined;
    const readsGroups = headers?.[HEADERS.readsGroups] === true && typeof correlationId === 'string';
    const known = address === undefined ? undefined : shared.get(address);
    if (known && readsGroups && isSmall(item)) known.push(item);
    else {
      const group = [item];
      groups.push({ address, group });
      if (address !== undefined && readsGroups && isSmall(item)) shared.set(address, group);
    }
  }
  return groups;
}
