import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/** Returns the canonical form of an address or CIDR range; undefined if the text is neither. */
export function normaliseRange(text: string): string | undefined {
  if (ipaddr.isValidCIDR(text)) return text.toLowerCase();
  // isValid alone would accept 127.1 and 0x7f000001 as addresses.
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return `${text}/32`;
  if (ipaddr.IPv6.isValid(text) && !text.includes('%')) return `${text.toLowerCase()}/128`;
  return undefined;
}

/**
 * Checks whether an address is in one of the ranges. An empty list allows all. IPv4-mapped IPv6 addresses count as
 * IPv4.
 */
export function isAddressAllowed(address: string | undefined, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true;
  if (address === undefined || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => isInRange(parsed, range));
}

function isInRange(address: ipaddr.IPv4 | ipaddr.IPv6, range: string): boolean {
  const [network, bits] = unmapped(ipaddr.parseCIDR(range));
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}

/** Converts `::ffff:10.0.0.0/104` to `10.0.0.0/8`. */
function unmapped([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && bits >= 96;
  return isMapped ? [network.toIPv4Address(), bits - 96] : [network, bits];
}

/** Peer address and headers from which the client's address is determined. */
export interface Route {
  socketAddress: string | undefined;
  forwardedFor: string | string[] | undefined;
  trustedHops: number;
}

/**
 * Returns the client's address. Each trusted proxy appends the address of its peer to `X-Forwarded-For`, so only the
 * last `trustedHops` entries are reliable; earlier ones may be forged.
 * @returns undefined if the entry is not an address
 */
export function clientAddress({ socketAddress, forwardedFor, trustedHops }: Route): string | undefined {
  if (trustedHops === 0) return socketAddress;
  const entry = trustedEntry(forwardedFor, trustedHops);
  if (entry === undefined) return socketAddress;
  const address = withoutPort(entry);
  return ipaddr.isValid(address) ? address : undefined;
}

/** Returns the address of a request's client. @returns undefined if it cannot be determined */
export function addressOf({ raw, headers }: FastifyRequest, trustedHops: number): string | undefined {
  return clientAddress({
    socketAddress: raw.socket.remoteAddress,
    forwardedFor: headers['x-forwarded-for'],
    trustedHops,
  });
}

/** Returns the entry of a list header written by the outermost trusted proxy, or the first entry if there are fewer. */
export function trustedEntry(header: string | string[] | undefined, trustedHops: number): string | undefined {
  const entries = [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return trustedHops === 0 ? undefined : entries[Math.max(0, entries.length - trustedHops)];
}

/** Removes the port that some proxies append, as in `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function withoutPort(entry: string): string {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(entry) ?? [];
  const [, dotted] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry) ?? [];
  return bracketed ?? dotted ?? entry;
}

/** Returns the network that counts as one anonymous caller. An IPv6 host usually has 2^64 addresses. */
export function networkOf(address: string | undefined): string {
  if (address === undefined || !ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.toByteArray().slice(0, 8).join('.') : parsed.toString();
}
