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

export interface Reply {
  /** Content as JSON; empty when a group is returned. */
  content: string;
  type?: typeof ERROR_REPLY | typeof GROUP_RETURNED;
}

interface Answered {
  message: ConsumeMessage;
  reply: Reply;
}

/**
 * Maximum length of a grouped reply, in characters. Longer replies are sent alone, so that a group of fifty stays
 * within a few hundred KB.
 */
const GROUPED_MAX_LENGTH = 4_096;

/**
 * Sends acceptance notes and replies for a consumer's commands over one channel. It groups the replies that end in one
 * tick of the event loop, and the notes that wait for the same round trip, into one message per caller, if that caller
 * reads groups (`HEADERS.readsGroups`). A single note or reply is not delayed.
 */
export class Replies {
  private roundTrip: Promise<unknown> = Promise.resolve();
  private next?: Promise<unknown>;
  private taken: ConsumeMessage[] = [];
  private answered: Answered[] = [];
  private leaving?: Promise<void>;

  /** @param exchange the replies exchange */
  constructor(
    private readonly channel: ConfirmChannel,
    private readonly exchange: string,
  ) {}

  /**
   * Notifies the caller that the command is accepted, before any work on it starts. If a command expires without this
   * note, its caller knows that nothing was done. Returns when the broker has confirmed the note, which is then in the
   * caller's queue ahead of any expiry report. Notes that arrive while a confirm is outstanding are sent together after
   * it.
   * @throws Error when the channel is lost, and the message with it. The broker redelivers it, so it must not be
   * processed here
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
   * Replies to the command and acknowledges it, in one packet.
   * @throws Error when the channel is lost: the broker redelivers the message
   */
  async answer(message: ConsumeMessage, reply: Reply): Promise<void> {
    this.answered.push({ message, reply });
    this.leaving ??= new Promise((resolve, reject) => {
      // Run after all replies of this tick have been collected.
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
          // A nack means that the caller's queue is lost, just as when the caller itself is gone, so the caller treats
          // the outcome as unknown.
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

  /** A group's message is acknowledged with its last reply. */
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

  /** Publishes a message, unless the caller asked for no reply. @returns whether it was published */
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

/**
 * Groups items by reply address where one message may carry several. Items for a caller that does not read groups stay
 * separate.
 */
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
