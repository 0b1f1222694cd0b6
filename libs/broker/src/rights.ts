import { type BrokerLogin, contractsHandledBy, isBroadcastTo, type ServiceName } from '@switchboard/contracts';
import type { Names } from './names';

/** What a login may do on a topic exchange: patterns of routing keys that it may publish with and bind to. */
export interface TopicRights {
  exchange: string;
  write: string;
  read: string;
}

/**
 * RabbitMQ's permissions of one login: regular expressions over names of queues and exchanges, and what topics allow.
 */
export interface BrokerRights {
  configure: string;
  write: string;
  read: string;
  topics: TopicRights[];
}

const NOTHING = '^$';

/**
 * The least that a login needs. A service takes from queues of its own and publishes to its own exchange, whose
 * bindings it cannot change: they are made by the set-up ({@link declareEverything}). It makes nothing but the queues
 * that die with its connections. The operator's commands ask as the gateway does, and besides look at all dead letters
 * and send them back.
 */
export function rightsOf(login: BrokerLogin, names: Names): BrokerRights {
  const service: ServiceName = login === 'operator' ? 'gateway' : login;
  const passing = `${escaped(names.passingQueuesOf(service))}.*`;
  const queues =
    login === 'operator' ? `${escaped(names.prefixed(''))}[a-z]+\\..*\\.dlq` : `${escaped(names.queuesOf(service))}.*`;
  const exchanges = [names.exchange(service), names.exchange(login), names.repliesExchange].map(escaped);
  const [replies, broadcasts] = [names.repliesExchange, names.broadcastsExchange];
  return {
    configure: anyOf([passing]),
    write: anyOf([...new Set(exchanges), passing]),
    read: anyOf([queues, passing, escaped(replies), escaped(broadcasts)]),
    topics: [
      { exchange: replies, write: anyOf([`${escaped(names.prefixed('sb.passing.'))}.*`]), read: anyOf([passing]) },
      { exchange: broadcasts, write: NOTHING, read: anyOf(broadcastsTo(service)) },
    ],
  };
}

function broadcastsTo(service: ServiceName): string[] {
  return contractsHandledBy(service)
    .filter((contract) => isBroadcastTo(contract, service))
    .map(({ name }) => escaped(name));
}

function anyOf(patterns: readonly string[]): string {
  return patterns.length === 0 ? NOTHING : `^(${patterns.join('|')})$`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
