import { type BrokerLogin, contractsHandledBy, isBroadcastTo, type ServiceName } from '@switchboard/contracts';
import type { Names } from './names';

/** Permissions of a login on a topic exchange: patterns of routing keys that it may publish with and bind to. */
export interface TopicRights {
  exchange: string;
  write: string;
  read: string;
}

/** RabbitMQ permissions of one login: regular expressions over names of queues and exchanges, and topic permissions. */
export interface BrokerRights {
  configure: string;
  write: string;
  read: string;
  topics: TopicRights[];
}

const NOTHING = '^$';

/**
 * Broadcasts of release 0.2.0 that no longer exist. Processes of 0.2.0 bind them again when they reconnect during a
 * rollout, so their logins keep the permission.
 */
const FORMER_BROADCASTS: Partial<Record<ServiceName, readonly string[]>> = {
  messaging: ['messaging.number.added.v1', 'templates.template-status.changed.v1'],
  otp: ['templates.template-status.changed.v1'],
};

/**
 * Returns the minimum permissions of a login. A service consumes its own queues and publishes to its own exchange,
 * whose bindings only the set-up may change ({@link declareEverything}). It may declare only queues that are deleted
 * with their connection. The operator's login sends commands as the gateway does. It may also read all dead letters and
 * return them to their queues.
 */
export function rightsOf(login: BrokerLogin, names: Names): BrokerRights {
  const service: ServiceName = login === 'operator' ? 'gateway' : login;
  const passing = `${escaped(names.passingQueuesOf(service))}.*`;
  const queues =
    login === 'operator' ? `${escaped(names.prefixed(''))}[a-z]+\\..*\\.dlq` : `${escaped(names.queuesOf(service))}.*`;
  const exchanges = [names.exchange(service), names.exchange(login), names.repliesExchange].map(escaped);
  const [replies, broadcasts] = [names.repliesExchange, names.broadcastsExchange];
  // Operators listen to no events, which would show them messages of all accounts.
  const events = login === 'operator' ? [] : broadcastsTo(service);
  return {
    configure: anyOf([passing]),
    write: anyOf([...new Set(exchanges), passing]),
    read: anyOf([queues, passing, escaped(replies), escaped(broadcasts)]),
    topics: [
      { exchange: replies, write: anyOf([`${escaped(names.prefixed('sb.passing.'))}.*`]), read: anyOf([passing]) },
      { exchange: broadcasts, write: NOTHING, read: anyOf(events) },
    ],
  };
}

function broadcastsTo(service: ServiceName): string[] {
  const names = contractsHandledBy(service)
    .filter((contract) => isBroadcastTo(contract, service))
    .map(({ name }) => name);
  return [...names, ...(FORMER_BROADCASTS[service] ?? [])].map(escaped);
}

function anyOf(patterns: readonly string[]): string {
  return patterns.length === 0 ? NOTHING : `^(${patterns.join('|')})$`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
