import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const KEY_SCHEME = 'sb_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 24 characters of base 62 are 142 random bits. */
const RANDOM_CHARACTERS = 24;
const CHECKSUM_CHARACTERS = 6;
/** Length of the part that is stored in clear and shown: the scheme and the first four random characters. */
const PREFIX_CHARACTERS = KEY_SCHEME.length + 4;
const KEY = /^sb_live_([0-9A-Za-z]{22,64})([0-9A-Za-z]{6})$/;
/** The scheme's name is case-insensitive (RFC 9110), the key is not. */
const BEARER = /^bearer +(\S+)$/i;

/** Stored instead of the key, which is shown once and never stored. */
export interface KeyFingerprint {
  sha256: Buffer;
  prefix: string;
  lastFour: string;
}

/** Creates an API key: `sb_live_`, random characters, and a checksum that detects mistyped keys without a query. */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${KEY_SCHEME}${random}${checksumOf(random)}`;
}

/** Checks the format and the checksum of a key, not whether it exists. */
export function isWellFormedKey(text: string): boolean {
  const [, random, checksum] = KEY.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** Returns the key of an `Authorization` header, or undefined when it holds no well-formed one. */
export function parseAuthorization(header: string | undefined): string | undefined {
  const [, key] = BEARER.exec(header ?? '') ?? [];
  return key !== undefined && isWellFormedKey(key) ? key : undefined;
}

export function fingerprintOf(key: string): KeyFingerprint {
  return { sha256: hashOf(key), prefix: key.slice(0, PREFIX_CHARACTERS), lastFour: key.slice(-4) };
}

/** Returns the hash by which a key is found. A plain hash is enough: 142 random bits cannot be guessed. */
export function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Returns the CRC-32 of the random part in base 62, six characters. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let checksum = '';
  for (let position = 0; position < CHECKSUM_CHARACTERS; position += 1) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return checksum;
}
