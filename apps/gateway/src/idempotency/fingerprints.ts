import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { deriveKey, type EncryptionKeys, keyIdOf } from '@switchboard/platform';

/** What a request asks for, as it is stored and found again. */
export interface Fingerprint {
  /** With the current key. */
  stored: Buffer;
  /** Every form in which an equal request may have been stored within the last day. */
  known: Buffer[];
}

interface FingerprintKey {
  id: Buffer;
  key: KeyObject;
}

const PURPOSE = 'idempotency fingerprints';

/**
 * Keyed hashes of what requests ask for. A body may hold a one-time code of six digits: nobody who reads the table may
 * try them all. The key's id stands before the hash, so that rows of a key that was replaced are counted (`ops secrets
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
   * @param content the body, or what stands for it
   * @param former what stood for it in the version before this one, where that was something else
   */
  of(url: string, content: string | Buffer, former?: Buffer): Fingerprint {
    const digest = digestOf(url, content);
    const digests = former === undefined ? [digest] : [digest, digestOf(url, former)];
    return {
      stored: this.keyed(digest),
      known: digests.flatMap((each) => [...this.all.map((key) => keyedWith(key, each)), each]),
    };
  }

  /** @param digest a fingerprint as it was stored before there were keys: `UNKEYED_BYTES` long */
  keyed(digest: Buffer): Buffer {
    return keyedWith(this.current, digest);
  }
}

/**
 * The length of fingerprints without a key, which the version before this one still writes while it is being replaced.
 */
export const UNKEYED_BYTES = 32;

function fingerprintKeyOf(encryptionKey: string): FingerprintKey {
  return { id: Buffer.from(keyIdOf(encryptionKey), 'hex'), key: createSecretKey(deriveKey(encryptionKey, PURPOSE)) };
}

/** The address counts, too: one route serves many resources. */
function digestOf(url: string, content: string | Buffer): Buffer {
  return createHash('sha256').update(url).update('\n').update(content).digest();
}

function keyedWith({ id, key }: FingerprintKey, digest: Buffer): Buffer {
  return Buffer.concat([id, createHmac('sha256', key).update(digest).digest()]);
}
