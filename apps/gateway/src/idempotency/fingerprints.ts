import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { deriveKey, type EncryptionKeys, keyIdOf } from '@switchboard/platform';

/** Fingerprint of a request, for storing and for lookups. */
export interface Fingerprint {
  /** Hash with the current key. */
  stored: Buffer;
  /** All fingerprints under which an equal request may have been stored within the last day. */
  known: Buffer[];
}

interface FingerprintKey {
  id: Buffer;
  key: KeyObject;
}

const PURPOSE = 'idempotency fingerprints';

/**
 * Computes keyed hashes of request content. A body may contain a six-digit one-time code, so a plain hash in the table
 * could be brute-forced. The key's id precedes the hash, so that rows with a replaced key can be counted (`ops secrets
 * status`).
 */
export class Fingerprints {
  private readonly current: FingerprintKey;
  private readonly all: FingerprintKey[];

  constructor({ ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }: EncryptionKeys) {
    this.current = fingerprintKeyOf(ENCRYPTION_KEY);
    this.all =
      ENCRYPTION_KEY_PREVIOUS === undefined
        ? [this.current]
        : [this.current, fingerprintKeyOf(ENCRYPTION_KEY_PREVIOUS)];
  }

  /**
   * Returns the fingerprint of a request.
   * @param content body, or a text that represents it
   * @param former representation used by the previous version, if it differed
   */
  of(url: string, content: string | Buffer, former?: Buffer): Fingerprint {
    const digest = digestOf(url, content);
    const digests = former === undefined ? [digest] : [digest, digestOf(url, former)];
    return {
      stored: this.keyed(digest),
      known: digests.flatMap((each) => [...this.all.map((key) => keyedWith(key, each)), each]),
    };
  }

  /** @param digest unkeyed fingerprint of an earlier version, `UNKEYED_BYTES` long */
  keyed(digest: Buffer): Buffer {
    return keyedWith(this.current, digest);
  }
}

/** Length of unkeyed fingerprints, which the previous version still writes during a rolling update. */
export const UNKEYED_BYTES = 32;

function fingerprintKeyOf(encryptionKey: string): FingerprintKey {
  return { id: Buffer.from(keyIdOf(encryptionKey), 'hex'), key: createSecretKey(deriveKey(encryptionKey, PURPOSE)) };
}

/** Hashes the content with the URL, since one route serves many resources. */
function digestOf(url: string, content: string | Buffer): Buffer {
  return createHash('sha256').update(url).update('\n').update(content).digest();
}

function keyedWith({ id, key }: FingerprintKey, digest: Buffer): Buffer {
  return Buffer.concat([id, createHmac('sha256', key).update(digest).digest()]);
}
