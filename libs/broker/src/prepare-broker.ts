import { BROKER_LOGINS, type BrokerLogin } from '@switchboard/contracts';
import { connect } from 'amqplib';
import { Names } from './names';
import { type BrokerRights, rightsOf } from './rights';
import { type CommandQueueType, declareEverything } from './topology';

/** Maximum time to connect and for each response of the management API, in milliseconds. */
const ANSWER_MS = 10_000;

export interface BrokerSetUp {
  /** `amqp://` or `amqps://` address of a login that may configure everything. */
  adminUrl: string;
  /** Address of the management API, which accepts the same credentials; absent when another tool creates the logins. */
  managementUrl?: string;
  /** Prefix of every exchange and queue; empty for none. */
  namespace: string;
  /** `quorum` when absent. */
  commandQueues?: CommandQueueType;
  /** Address with name, password and virtual host for each login to create. */
  loginUrls: Partial<Record<BrokerLogin, string>>;
}

/** Returns the permissions of every login, for tools that create logins themselves. */
export function allRights(namespace: string): Record<BrokerLogin, BrokerRights> {
  const names = new Names(namespace);
  return Object.fromEntries(BROKER_LOGINS.map((login) => [login, rightsOf(login, names)])) as Record<
    BrokerLogin,
    BrokerRights
  >;
}

/**
 * Sets a broker up for this version: first all exchanges, queues and bindings, then the logins with their passwords and
 * permissions. The operation is idempotent and applies changed passwords.
 * @returns the logins that were created or updated
 * @throws TopologyMismatchError; Error with the response of the management API
 */
export async function prepareBroker({
  adminUrl,
  managementUrl,
  namespace,
  commandQueues = 'quorum',
  loginUrls,
}: BrokerSetUp): Promise<BrokerLogin[]> {
  const names = new Names(namespace);
  const model = await connect(adminUrl, { noDelay: true, timeout: ANSWER_MS });
  model.on('error', () => undefined);
  try {
    await declareEverything(model, names, commandQueues);
  } finally {
    await model.close().catch(() => undefined);
  }
  if (managementUrl === undefined) return [];
  const given = BROKER_LOGINS.filter((login) => loginUrls[login] !== undefined);
  for (const login of given)
    await makeLogin({ managementUrl, adminUrl, url: loginUrls[login] ?? '' }, rightsOf(login, names));
  return given;
}

/** Creates a login and sets its permissions. A new login has no permissions until then. */
async function makeLogin(
  to: { managementUrl: string; adminUrl: string; url: string },
  rights: BrokerRights,
): Promise<void> {
  const { configure, write, read, topics } = rights;
  const { username, password, pathname } = new URL(to.url);
  const vhost = pathname.length > 1 ? pathname.slice(1) : encodeURIComponent('/');
  const put = (path: string, body: object): Promise<void> => putTo(to, path, body);
  await put(`users/${username}`, { password: decodeURIComponent(password), tags: '' });
  await put(`permissions/${vhost}/${username}`, { configure, write, read });
  for (const topic of topics) await put(`topic-permissions/${vhost}/${username}`, topic);
}

async function putTo(
  { managementUrl, adminUrl }: { managementUrl: string; adminUrl: string },
  path: string,
  body: object,
): Promise<void> {
  const { username, password } = new URL(adminUrl);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const answer = await fetch(new URL(`/api/${path}`, managementUrl), {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  if (!answer.ok) throw new Error(`the management API of RabbitMQ answered ${answer.status} to ${path}`);
  await answer.arrayBuffer();
}
