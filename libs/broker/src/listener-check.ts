import type { Channel, ChannelModel } from 'amqplib';

/** Tells whether commands lie in a queue that nobody consumes. One look at a queue serves all who ask meanwhile. */
export class ListenerCheck {
  private channel?: Promise<Channel>;
  private readonly looks = new Map<string, Promise<boolean>>();

  constructor(private readonly model: ChannelModel) {}

  /** A queue without consumers and messages is not ignored: a service that is stopping still works on what it took. */
  isIgnored(queue: string): Promise<boolean> {
    const running = this.looks.get(queue);
    if (running) return running;
    const look = this.look(queue).finally(() => this.looks.delete(queue));
    this.looks.set(queue, look);
    return look;
  }

  private async look(queue: string): Promise<boolean> {
    const channel = await this.openChannel();
    const { consumerCount, messageCount } = await channel.checkQueue(queue);
    return consumerCount === 0 && messageCount > 0;
  }

  /** A look at a queue that is gone closes the channel; the next look opens another one. */
  private openChannel(): Promise<Channel> {
    this.channel ??= this.model.createChannel().then((channel) => {
      channel.on('error', () => undefined);
      channel.on('close', () => (this.channel = undefined));
      return channel;
    });
    return this.channel;
  }
}
