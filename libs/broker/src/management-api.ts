import type { BrokerAddress } from './dead-letters';

const RESPONSE_MS = 10_000;

/** Broker with a login that may configure everything, and its management API, since AMQP cannot list queues. */
export interface BrokerAdmin extends BrokerAddress {
  managementUrl: string;
}

/**
 * Reads a resource of RabbitMQ's management API.
 * @param path below `/api/`
 * @throws Error with the status of an error response
 */
export async function readManagementApi<T>(
  { url, managementUrl }: BrokerAdmin,
  path: string,
  { timeoutMs = RESPONSE_MS }: { timeoutMs?: number } = {},
): Promise<T> {
  const { username, password } = new URL(url);
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const response = await fetch(new URL(`/api/${path}`, managementUrl), {
    headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`the management API of RabbitMQ answered ${response.status} to ${path}`);
  return (await response.json()) as T;
}

/** Returns the virtual host of an address, encoded as a path segment. */
export function vhostOf({ url }: BrokerAddress): string {
  const { pathname } = new URL(url);
  return pathname.length > 1 ? pathname.slice(1) : encodeURIComponent('/');
}
