import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** How every key begins. */
export const KEY_SCHEME = 'sb_live_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 24 characters of base 62 are 142 random bits. */
const RANDOM_CHARACTERS = 24;
const CHECKSUM_CHARACTERS = 6;
/** How much of a key may be shown later on: the scheme and the first four random characters. */
const PREFIX_CHARACTERS = KEY_SCHEME.length + 4;
const KEY = /^sb_live_([0-9A-Za-z]{22,64})([0-9A-Za-z]{6})$/;
/** The scheme's name is case-insensitive (RFC 9110), the key is not. */
const BEARER = /^bearer +(\S+)$/i;

/** What is kept of a key; the key itself is shown once and never stored. */
export interface KeyFingerprint {
  sha256: Buffer;
  prefix: string;
  lastFour: string;
}

/** A new API key: `sb_live_`, random characters, and a checksum that catches mistyped keys before any query. */
export function generateApiKey(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
  return `${KEY_SCHEME}${random}${checksumOf(random)}`;
}

/** Whether the text has the form of a key and its checksum fits; says nothing about whether the key exists. */
export function isWellFormedKey(text: string): boolean {
  const [, random, checksum] = KEY.exec(text) ?? [];
  return random !== undefined && checksumOf(random) === checksum;
}

/** The key of an `Authorization` header, or undefined when it holds none that is well-formed. */
export function parseAuthorization(header: string | undefined): string | undefined {
  const [, key] = BEARER.exec(header ?? '') ?? [];
  return key !== undefined && isWellFormedKey(key) ? key : undefined;
}

export function fingerprintOf(key: string): KeyFingerprint {
  return { sha256: hashOf(key), prefix: key.slice(0, PREFIX_CHARACTERS), lastFour: key.slice(-4) };
}

/** What a key is found by. A plain hash is enough: there is no guessing 142 random bits. */
export function hashOf(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** CRC-32 of the random part in base 62, six characters. */
function checksumOf(random: string): string {
  let rest = crc32(random);
  let checksum = '';
  for (let position = 0; position < CHECKSUM_CHARACTERS; position += 1) {
    checksum = ALPHABET.charAt(rest % ALPHABET.length) + checksum;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return checksum;
}
