import ipaddr from 'ipaddr.js';
import { readUrl } from './read-url';

/** IPv6 range allocated to the public internet; all other ranges are special or unassigned (RFC 4291). */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');
/** Name suffixes that never resolve on the public internet (RFC 6761, RFC 8375, RFC 9476). */
const PRIVATE_NAMES = /\.(localhost|local|localdomain|internal|home\.arpa|test|invalid|alt)$/;
/** Maximum length of a link, in UTF-16 units, that all clients support. */
export const LINK_MAX_CHARACTERS = 2_048;

/**
 * Checks whether an address is on the public internet: not loopback, private, link-local, shared, reserved or
 * multicast, nor an IPv6 form that embeds another address (mapped, translated, 6to4, Teredo).
 * @param address IPv4 or IPv6 address in canonical text form; other text is not public
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.IPv4.isValidFourPartDecimal(address) && !ipaddr.IPv6.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST);
}

/**
 * Checks whether a host can be public, judging by its text: a public address, or a name that is not reserved for
 * private use.
 * @param hostname from `URL`, which has already normalized forms such as `0x7f.1`, `2130706433` and full-width digits
 */
export function mayBePublicHost(hostname: string): boolean {
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  if (ipaddr.isValid(host)) return isPublicAddress(host);
  const name = host.replace(/\.$/, '');
  return name.includes('.') && !PRIVATE_NAMES.test(name);
}

/**
 * White space and control characters. `URL` silently drops some of them, but the upstream platform rejects such links.
 */
const NO_LINK = /[\s\u0000-\u001F\u007F]/;
const NO_LINKS = new RegExp(NO_LINK, 'g');

const BLANK_NAMES: Readonly<Record<string, string>> = {
  ' ': 'a blank',
  '\t': 'a tab',
  '\n': 'a line break',
  '\r': 'a line break',
};

/** Link up to its path or query. Only there may a blank be written as `%20`; a host cannot contain it. */
const BEFORE_PATH = /^[^:]*:\/\/[^/?#]+[/?#]/;

/**
 * Describes the blank or control character that alone makes a link invalid.
 * @param isLink checks the link without such characters
 */
export function blankFault(link: string, isLink: (text: string) => boolean): string | undefined {
  const at = link.search(NO_LINK);
  if (at === -1 || !isLink(link.replace(NO_LINKS, ''))) return undefined;
  const character = link.charAt(at);
  const name = BLANK_NAMES[character] ?? (character.trim() === '' ? 'a blank' : 'a control character');
  const isWithinPath = BEFORE_PATH.test(link.slice(0, at)) && link.slice(at).trim() !== '';
  return `must not contain ${name} (character ${at + 1}): ${name === 'a blank' && isWithinPath ? 'write it as %20' : 'remove it'}`;
}

/**
 * Checks for a link from which the upstream platform may download: an https URL with a public host and without
 * credentials (spec §3.3.2).
 */
export function isPublicLink(text: string): boolean {
  const url = plainUrl(text);
  return url?.protocol === 'https:' && mayBePublicHost(url.hostname);
}

/** Checks for a link that a contact may open: an http or https URL with a public host name and without credentials. */
export function isWebAddress(text: string): boolean {
  const url = plainUrl(text);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return false;
  return !ipaddr.isValid(url.hostname.replace(/^\[|\]$/g, '')) && mayBePublicHost(url.hostname);
}

function plainUrl(text: string): URL | undefined {
  if (text.length > LINK_MAX_CHARACTERS || NO_LINK.test(text)) return undefined;
  const url = readUrl(text);
  return url?.username || url?.password ? undefined : url;
}
