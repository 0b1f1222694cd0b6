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
import { type Channel, connect } from 'amqplib';
import { testBrokerUrl } from './environment';

/** The broker works on one operation after the other on each channel. */
const CHANNELS = 4;

/** A broker and a namespace of the test file's own. */
export function testBrokerOptions(): { url: string; namespace: string } {
  return { url: testBrokerUrl(), namespace: `test-${randomBytes(6).toString('hex')}` };
}

/** Removes every queue and exchange that services declare in a namespace; on the tests' broker when no other is given. */
export async function deleteNamespace(namespace: string, contracts: readonly MessageContract[] = ALL_CONTRACTS, url = testBrokerUrl()): Promise<void> {
  const connection = await connect(url);
  const channels = await Promise.all(Array.from({ length: CHANNELS }, () => connection.createChannel()));
  const [channel] = channels as [Channel];
  const named = (name: string): string => `${namespace}.${name}`;
  const queues = contracts.flatMap(queuesOf);
  await Promise.all(channels.map(async (each) => {
    for (let queue = queues.shift(); queue; queue = queues.shift()) await each.deleteQueue(named(queue));
  }));
  for (const exchange of [REPLIES_EXCHANGE, BROADCASTS_EXCHANGE, ...BROKER_LOGINS.map(exchangeOf)]) await channel.deleteExchange(named(exchange));
  await connection.close();
}

function queuesOf(contract: MessageContract): string[] {
  if (contract.kind === 'command') return [contract.name];
  const consumers = contract.kind === 'event' ? contract.consumers : [contract.owner];
  const delays = [...FAILURE_DELAYS_SECONDS, ...(contract.kind === 'task' ? contract.delaysSeconds : [])];
  return SERVICES.filter((service) => consumers.includes(service))
    .map((service) => queueOf(contract, service))
    .flatMap((queue) => [queue, deadLetterQueueOf(queue), ...delays.map((seconds) => waitQueueOf(queue, seconds))]);
}
