import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
import {
  type CommandQueueType,
  namespaceFolder,
  testBrokerUrl,
  testCommandQueues,
  testServicesUrl,
} from './environment';
import { eventually } from './eventually';

/** The broker works on one operation after the other on each channel. */
const CHANNELS = 4;
const NOT_FOUND = 404;

/** A broker and a namespace that no test file has used. */
export function testBrokerOptions(): { url: string; namespace: string; commandQueues: CommandQueueType } {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  return { url: testBrokerUrl(), namespace, commandQueues: testCommandQueues() };
}

/** Makes all queues of a namespace: `prepareBroker` of the broker's library. */
type Prepare = (setUp: {
  adminUrl: string;
  namespace: string;
  commandQueues: CommandQueueType;
  loginUrls: object;
}) => Promise<unknown>;

/**
 * A broker and a namespace for services that run as they are: one that an earlier test file handed on, when there is
 * any. To make and remove the queues of all services costs the broker more than most test files do. So does declaring
 * them again: as in production, the services get a login that may not, and look whether the queues are there.
 */
export async function borrowBroker(prepare: Prepare): Promise<{ url: string; namespace: string }> {
  const taken = readdirSync(namespaceFolder()).find((namespace) => namespace.startsWith('test-') && takes(namespace));
  const namespace = taken ?? testBrokerOptions().namespace;
  if (taken === undefined) await prepareNamespace(prepare, namespace);
  return { url: testServicesUrl(), namespace };
}

/** Makes all queues of a namespace, where its services may not do it themselves. */
export async function prepareNamespace(prepare: Prepare, namespace: string): Promise<void> {
  const adminUrl = testBrokerUrl();
  const commandQueues = testCommandQueues();
  if (testServicesUrl() !== adminUrl) await prepare({ adminUrl, namespace, commandQueues, loginUrls: {} });
}

/** Of several test files that try, the rename succeeds for one. */
function takes(namespace: string): boolean {
  try {
    renameSync(join(namespaceFolder(), namespace), join(namespaceFolder(), `taken-${namespace}`));
    return true;
  } catch {
    return false;
  }
}

/**
 * Hands a namespace on to another test file, with its queues as they are but empty. All connections of this file must
 * be closed.
 * @throws Error when somebody still consumes from one of its queues
 */
export async function handOnNamespace(namespace: string): Promise<void> {
  const { exchanges, queues } = topologyOf(namespace, ALL_CONTRACTS);
  // Those first in which messages wait for their time: what leaves them goes to the others.
  const waiting = queues.filter((queue) => queue.includes('.wait.'));
  await forEachQueue(waiting, emptyQueue);
  await forEachQueue(
    queues.filter((queue) => !waiting.includes(queue)),
    emptyQueue,
  );
  writeFileSync(join(namespaceFolder(), namespace), JSON.stringify({ exchanges, queues }));
}

async function emptyQueue(channel: Channel, queue: string): Promise<void> {
  const { messageCount, consumerCount } = await channel.checkQueue(queue);
  if (consumerCount > 0) throw new Error(`${queue} has a consumer`);
  if (messageCount > 0) await channel.purgeQueue(queue);
}

/**
 * Removes every queue and exchange that services declare in a namespace; on the tests' broker when no other is given.
 */
export async function deleteNamespace(
  namespace: string,
  contracts: readonly MessageContract[] = ALL_CONTRACTS,
  url = testBrokerUrl(),
): Promise<void> {
  const { exchanges, queues } = topologyOf(namespace, contracts);
  await forEachQueue(queues, (channel, queue) => channel.deleteQueue(queue), url);
  const connection = await connect(url);
  const channel = await connection.createChannel();
  for (const exchange of exchanges) await channel.deleteExchange(exchange);
  await connection.close();
}

/** Works on several queues at a time; those that do not exist are left out. */
async function forEachQueue(
  queues: readonly string[],
  work: (channel: Channel, queue: string) => Promise<unknown>,
  url = testBrokerUrl(),
): Promise<void> {
  const connection = await connect(url);
  const rest = [...queues];
  const workThrough = async (): Promise<void> => {
    let channel = await openChannel(connection);
    for (let queue = rest.shift(); queue; queue = rest.shift()) {
      const name = queue;
      // A busy broker says of a quorum queue, for a moment, that its node is down, and closes the channel.
      await eventually(async () => {
        try {
          await work(channel, name);
        } catch (error) {
          const { code } = error as { code?: number };
          if (code !== undefined) channel = await openChannel(connection);
          if (code !== NOT_FOUND) throw error;
        }
      });
    }
  };
  await Promise.all(Array.from({ length: CHANNELS }, workThrough));
  await connection.close();
}

async function openChannel(connection: ChannelModel): Promise<Channel> {
  const channel = await connection.createChannel();
  // The operation that failed rejects with the same error.
  channel.on('error', () => undefined);
  return channel;
}

/** The names of all that services declare. */
function topologyOf(
  namespace: string,
  contracts: readonly MessageContract[],
): { exchanges: string[]; queues: string[] } {
  const named = (name: string): string => `${namespace}.${name}`;
  const exchanges = [REPLIES_EXCHANGE, BROADCASTS_EXCHANGE, ...BROKER_LOGINS.map(exchangeOf)];
  return { exchanges: exchanges.map(named), queues: contracts.flatMap(queuesOf).map(named) };
}

function queuesOf(contract: MessageContract): string[] {
  if (contract.kind === 'command') return [contract.name];
  const consumers = contract.kind === 'event' ? contract.consumers : [contract.owner];
  const delays = [...FAILURE_DELAYS_SECONDS, ...(contract.kind === 'task' ? contract.delaysSeconds : [])];
  return SERVICES.filter((service) => consumers.includes(service))
    .map((service) => queueOf(contract, service))
    .flatMap((queue) => [queue, deadLetterQueueOf(queue), ...delays.map((seconds) => waitQueueOf(queue, seconds))]);
}
