import { type Channel, connect, type GetMessage } from 'amqplib';
import { testBrokerUrl } from '@switchboard/testing';

export interface RawChannel {
  channel: Channel;
  /** Publishes any content, bypassing the contracts. */
  put(queue: string, content: string, headers?: Record<string, unknown>): void;
  /** Gets and removes the first message; false when the queue is empty. */
  take(queue: string): Promise<GetMessage | false>;
  /** Returns the number of ready messages. */
  count(queue: string): Promise<number>;
  close(): Promise<void>;
}

/** Opens a plain amqplib channel, to inspect queues without the library. */
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
