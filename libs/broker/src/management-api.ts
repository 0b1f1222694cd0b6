import type { BrokerAddress } from './dead-letters';

/** Maximum time for a response of the management API, in milliseconds. */
const RESPONSE_MS = 10_000;

/** A broker with a login that may configure everything, and its management API: AMQP itself lists no queues. */
export interface BrokerAdmin extends BrokerAddress {
  managementUrl: string;
}

/**
 * Reads a resource of RabbitMQ's management API.
 * @param path below `/api/`
 * @throws Error with the status of a response that is an error
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

/** The virtual host of an address, as a part of a path. */
export function vhostOf({ url }: BrokerAddress): string {
  const { pathname } = new URL(url);
  return pathname.length > 1 ? pathname.slice(1) : encodeURIComponent('/');
}
