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

/** Number of channels used in parallel, because the broker processes each channel serially. */
const CHANNELS = 4;
const NOT_FOUND = 404;

export function testBrokerOptions(): { url: string; namespace: string; commandQueues: CommandQueueType } {
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  return { url: testBrokerUrl(), namespace, commandQueues: testCommandQueues() };
}

/** Declares all queues of a namespace, like `prepareBroker` of the broker library. */
type Prepare = (setUp: {
  adminUrl: string;
  namespace: string;
  commandQueues: CommandQueueType;
  loginUrls: object;
}) => Promise<unknown>;

/**
 * Returns a broker and a namespace for unmodified services, reusing the namespace of an earlier test file if possible.
 * Creating and deleting the queues of all services costs more than most test files. Redeclaring them is expensive too,
 * so the services use a login that may not declare queues and only check for them, as in production.
 */
export async function borrowBroker(prepare: Prepare): Promise<{ url: string; namespace: string }> {
  const taken = readdirSync(namespaceFolder()).find((namespace) => namespace.startsWith('test-') && takes(namespace));
  const namespace = taken ?? testBrokerOptions().namespace;
  if (taken === undefined) await prepareNamespace(prepare, namespace);
  return { url: testServicesUrl(), namespace };
}

/** Declares all queues of a namespace, unless its services may declare them themselves. */
export async function prepareNamespace(prepare: Prepare, namespace: string): Promise<void> {
  const adminUrl = testBrokerUrl();
  const commandQueues = testCommandQueues();
  if (testServicesUrl() !== adminUrl) await prepare({ adminUrl, namespace, commandQueues, loginUrls: {} });
}

/** Claims a namespace by renaming its file, which succeeds for only one of several test files. */
function takes(namespace: string): boolean {
  try {
    renameSync(join(namespaceFolder(), namespace), join(namespaceFolder(), `taken-${namespace}`));
    return true;
  } catch {
    return false;
  }
}

/**
 * Releases a namespace for another test file, with empty queues. All connections of this file must be closed.
 * @throws Error when one of its queues still has a consumer
 */
export async function handOnNamespace(namespace: string): Promise<void> {
  const { exchanges, queues } = topologyOf(namespace, ALL_CONTRACTS);
  // Empty the wait queues first, because their expired messages move to the other queues.
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

/** Deletes all queues and exchanges that services declare in a namespace. Uses the tests' broker by default. */
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

/** Processes several queues in parallel and skips missing ones. */
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
      // A busy broker may briefly report the node of a quorum queue as down and close the channel.
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
  // The failed operation rejects with the same error.
  channel.on('error', () => undefined);
  return channel;
}

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
