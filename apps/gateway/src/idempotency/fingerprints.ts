import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { deriveKey, type EncryptionKeys, keyIdOf } from '@switchboard/platform';

/** Fingerprint of a request, to store and to look up. */
export interface Fingerprint {
  /** Hash with the current key. */
  stored: Buffer;
  /** All forms in which an equal request may have been stored within the last day. */
  known: Buffer[];
}

interface FingerprintKey {
  id: Buffer;
  key: KeyObject;
}

const PURPOSE = 'idempotency fingerprints';

/**
 * Keyed hashes of request content. A body may contain a one-time code of six digits, so a plain hash could be
 * brute-forced from the table. The key's id precedes the hash, so that rows of a replaced key can be counted (`ops
 * secrets status`).
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
   * @param content the body, or its substitute
   * @param former the substitute in the previous version, if it differed
   */
  of(url: string, content: string | Buffer, former?: Buffer): Fingerprint {
    const digest = digestOf(url, content);
    const digests = former === undefined ? [digest] : [digest, digestOf(url, former)];
    return {
      stored: this.keyed(digest),
      known: digests.flatMap((each) => [...this.all.map((key) => keyedWith(key, each)), each]),
    };
  }

  /** @param digest an unkeyed fingerprint of an earlier version, `UNKEYED_BYTES` long */
  keyed(digest: Buffer): Buffer {
    return keyedWith(this.current, digest);
  }
}

/** Length of unkeyed fingerprints, which the previous version still writes during a rolling update. */
export const UNKEYED_BYTES = 32;

function fingerprintKeyOf(encryptionKey: string): FingerprintKey {
  return { id: Buffer.from(keyIdOf(encryptionKey), 'hex'), key: createSecretKey(deriveKey(encryptionKey, PURPOSE)) };
}

/** Includes the URL, since one route serves many resources. */
function digestOf(url: string, content: string | Buffer): Buffer {
  return createHash('sha256').update(url).update('\n').update(content).digest();
}

function keyedWith({ id, key }: FingerprintKey, digest: Buffer): Buffer {
  return Buffer.concat([id, createHmac('sha256', key).update(digest).digest()]);
}
