// @ts-check
import { createHash } from 'node:crypto';

const ALGORITHMS = ['sha256', 'sha1', 'md5', 'sha512', 'sha3-256'];
const DIGEST_BYTES = [16, 20, 32, 64];
/** Maximum length of a run of digits. A longer one is a hex-encoded body, not a hash. */
const MAX_RUN = 512;

/**
 * @typedef {object} Guess request with a one-time code, as an attacker with a dump can construct it for each of the
 * million codes
 * @property {string} code
 * @property {string} phone
 * @property {string} accountId
 * @property {string} path path of the request
 * @property {string} body
 */

/**
 * Returns the guesses whose unkeyed hash is in a dump. An attacker could enumerate all codes to find the right one, so
 * it suffices to hash the right ones, in every way in which a program would.
 * @param {string} dump
 * @param {readonly Guess[]} guesses
 * @returns {Guess[]}
 */
export function findUnkeyed(dump, guesses) {
  const stored = digestsIn(dump);
  return guesses.filter((guess) => digestsOf(guess).some((digest) => stored.has(digest.toString('hex'))));
}

/** @returns {Buffer[]} */
function digestsOf(/** @type {Guess} */ { code, phone, accountId, path, body }) {
  const separators = ['', ':', '|', '\n', ' ', '/'];
  const pairs = [
    [phone, code],
    [code, phone],
    [accountId, phone, code],
    [accountId, code],
  ];
  const texts = [code, body, ...pairs.flatMap((parts) => separators.map((separator) => parts.join(separator)))];
  const addresses = [path, `POST ${path}`];
  const first = ALGORITHMS.flatMap((name) =>
    [...texts, ...addresses.map((address) => `${address}\n${body}`)].map((text) => hash(name, text)),
  );
  const second = first.flatMap((digest) => [
    digest,
    digest.toString('hex'),
    ...addresses.map((address) => Buffer.concat([Buffer.from(`${address}\n`), digest])),
  ]);
  return [...first, ...second.flatMap((input) => ['sha256', 'sha1', 'md5'].map((name) => hash(name, input)))];
}

/**
 * Returns every possible digest in a dump, in hex. Includes digests within longer values, and decodes hex, base64 and
 * base64url.
 */
function digestsIn(/** @type {string} */ dump) {
  /** @type {Set<string>} */
  const found = new Set();
  for (const [run] of dump.matchAll(/[0-9a-f]{32,}/gi)) addWindows(found, run.toLowerCase());
  for (const [run] of dump.matchAll(/[A-Za-z0-9+/_-]{22,88}/g))
    addWindows(found, Buffer.from(run, 'base64').toString('hex'));
  return found;
}

function addWindows(/** @type {Set<string>} */ found, /** @type {string} */ hex) {
  if (hex.length > MAX_RUN) return;
  for (const length of DIGEST_BYTES.map((bytes) => bytes * 2)) {
    for (let start = 0; start + length <= hex.length; start += 2) found.add(hex.slice(start, start + length));
  }
}

const hash = (/** @type {string} */ name, /** @type {string | Buffer} */ input) =>
  createHash(name).update(input).digest();
