import { randomBytes } from 'node:crypto';
import {
  ALL_CONTRACTS,
  deadLetterQueueOf,
  BROADCASTS_EXCHANGE,
  BROKER_LOGINS,
  exchangeOf,
  FAILURE_DELAYS_SECONDS,
  type MessageContract,
  queueOf,
  SERVICES,
  REPLIES_EXCHANGE,
  waitQueueOf,
} from '@switchboard/contracts';
import { type Channel, type ChannelModel, connect } from 'amqplib';
import { testBrokerUrl } from './environment';
import { eventually } from './eventually';

/** The broker works on one operation after the other on each channel. */
const CHANNELS = 4;

/** A broker and a namespace of the test file's own. */
export function testBrokerOptions(): { url: string; namespace: string } {
  return { url: testBrokerUrl(), namespace: `test-${randomBytes(6).toString('hex')}` };
}

/** Removes every queue and exchange that services declare in a namespace; on the tests' broker when no other is given. */
export async function deleteNamespace(namespace: string, contracts: readonly MessageContract[] = ALL_CONTRACTS, url = testBrokerUrl()): Promise<void> {
  const connection = await connect(url);
  const named = (name: string): string => `${namespace}.${name}`;
  const queues = contracts.flatMap(queuesOf).map(named);
  await Promise.all(Array.from({ length: CHANNELS }, () => deleteQueues(connection, queues)));
  const channel = await connection.createChannel();
  for (const exchange of [REPLIES_EXCHANGE, BROADCASTS_EXCHANGE, ...BROKER_LOGINS.map(exchangeOf)]) await channel.deleteExchange(named(exchange));
  await connection.close();
}

/** Takes queues from the list until it is empty. */
async function deleteQueues(connection: ChannelModel, queues: string[]): Promise<void> {
  let channel = await openChannel(connection);
  for (let queue = queues.shift(); queue; queue = queues.shift()) {
    const name = queue;
    // A busy broker says of a quorum queue, for a moment, that its node is down, and closes the channel.
    await eventually(async () => {
      try {
        await channel.deleteQueue(name);
      } catch (error) {
        channel = await openChannel(connection);
        throw error;
      }
    });
  }
}

async function openChannel(connection: ChannelModel): Promise<Channel> {
  const channel = await connection.createChannel();
  // The operation that failed rejects with the same error.
  channel.on('error', () => undefined);
  return channel;
}

function queuesOf(contract: MessageContract): string[] {
  if (contract.kind === 'command') return [contract.name];
  const consumers = contract.kind === 'event' ? contract.consumers : [contract.owner];
  const delays = [...FAILURE_DELAYS_SECONDS, ...(contract.kind === 'task' ? contract.delaysSeconds : [])];
  return SERVICES.filter((service) => consumers.includes(service))
    .map((service) => queueOf(contract, service))
    .flatMap((queue) => [queue, deadLetterQueueOf(queue), ...delays.map((seconds) => waitQueueOf(queue, seconds))]);
}
