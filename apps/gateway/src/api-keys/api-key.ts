import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const KEY_SCHEME = 'sb_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Number of random base-62 characters, which hold 142 bits. */
const RANDOM_CHARACTERS = 24;
const CHECKSUM_CHARACTERS = 6;
/** Length of the part stored in clear and displayed: the scheme and the first four random characters. */
const PREFIX_CHARACTERS = KEY_SCHEME.length + 4;
const KEY = /^sb_live_([0-9A-Za-z]{22,64})([0-9A-Za-z]{6})$/;
/** The scheme name is case-insensitive (RFC 9110); the key is not. */
const BEARER = /^bearer +(\S+)$/i;

/** Stored in place of the key, which is shown once and never stored. */
export interface KeyFingerprint {
  sha256: Buffer;
  prefix: string;
  lastFour: string;
}

/** Generates an API key: `sb_live_`, random characters, and a checksum that detects mistyped keys without a query. */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${KEY_SCHEME}${random}${checksumOf(random)}`;
}

/** Checks the format and checksum of a key, not its existence. */
export function isWellFormedKey(text: string): boolean {
  const [, random, checksum] = KEY.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** Returns the key from an `Authorization` header; undefined if the header has no well-formed key. */
export function parseAuthorization(header: string | undefined): string | undefined {
  const [, key] = BEARER.exec(header ?? '') ?? [];
  return key !== undefined && isWellFormedKey(key) ? key : undefined;
}

export function fingerprintOf(key: string): KeyFingerprint {
  return { sha256: hashOf(key), prefix: key.slice(0, PREFIX_CHARACTERS), lastFour: key.slice(-4) };
}

/** Returns the hash for looking up a key. A plain hash suffices, since 142 random bits cannot be guessed. */
export function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Returns the CRC-32 of the random part as six base-62 characters. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let checksum = '';
  for (let position = 0; position < CHECKSUM_CHARACTERS; position += 1) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return checksum;
}
