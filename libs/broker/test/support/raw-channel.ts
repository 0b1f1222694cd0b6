import { type Channel, connect, type GetMessage } from 'amqplib';
import { testBrokerUrl } from '@switchboard/testing';

export interface RawChannel {
  channel: Channel;
  /** Publishes what no service of ours would. */
  put(queue: string, content: string, headers?: Record<string, unknown>): void;
  /** Takes one message away, if there is one. */
  take(queue: string): Promise<GetMessage | false>;
  /** How many messages lie ready. */
  count(queue: string): Promise<number>;
  close(): Promise<void>;
}

/** A plain amqplib channel, to look behind the library's back. */
export async function openRawChannel(url = testBrokerUrl()): Promise<RawChannel> {
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createChannel();
  return {
    channel,
    put: (queue, content, headers = {}) =>
      void channel.sendToQueue(queue, Buffer.from(content), {
        messageId: `raw-${content.length}`,
        persistent: true,
        headers,
      }),
    take: (queue) => channel.get(queue, { noAck: true }),
    count: async (queue) => (await channel.checkQueue(queue)).messageCount,
    close: () => connection.close(),
  };
}
