import type { Channel, ConsumeMessage } from 'amqplib';
import { TAKEN_NOTE } from './wire';

/**
 * Tells callers that their commands are taken, before anything is done for them: a caller who has heard nothing when
 * its command expires knows that nothing was done. The broker works on a channel's frames in their order, so its answer
 * to any later request says that it has handed on the notes before it; one such round trip serves all notes that wait
 * for it.
 */
export class TakeNotes {
  private last: Promise<unknown> = Promise.resolve();
  private next?: Promise<unknown>;

  /**
   * @param options.prefetch the channel's own, which the round trip sets again to no effect
   * @param options.exchange that of replies
   */
  constructor(
    private readonly channel: Channel,
    private readonly options: { prefetch: number; exchange: string },
  ) {}

  /**
   * @throws Error when the channel is lost, and with it the message: the broker hands it out again, and it must not be
   * worked on
   */
  async announce({ properties: { replyTo, correlationId } }: ConsumeMessage): Promise<void> {
    if (typeof replyTo !== 'string') return;
    this.channel.publish(this.options.exchange, replyTo, Buffer.alloc(0), { correlationId, type: TAKEN_NOTE });
    this.next ??= this.last.then(() => {
      this.next = undefined;
      this.last = this.channel.prefetch(this.options.prefetch);
      return this.last;
    });
    await this.next;
  }
}
