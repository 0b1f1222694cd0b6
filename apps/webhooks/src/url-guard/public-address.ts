import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is handed out for the public network at all; everything else is special or unassigned (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address belongs to the public network: not loopback, private, link-local, shared, reserved, multicast,
 * nor an IPv6 form that carries another address (mapped, translated, 6to4, Teredo).
 * @param address an IPv4 or IPv6 address as the system writes it; anything else is not public
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}
