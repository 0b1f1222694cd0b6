import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from './service';

const VERSION = 'v2';
/** Format without key id and context, from before key rotation. Still decrypted, never written. */
const FIRST_VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;

/** Key settings (`encryptionKeyFields`). Each key has 32 bytes, in base64. */
export interface EncryptionKeys {
  /** Key that encrypts and decrypts. */
  ENCRYPTION_KEY: string;
  /** Key that only decrypts: the previous one after a rotation, or the next one until every process has it. */
  ENCRYPTION_KEY_PREVIOUS?: string;
}

/** Context that an encrypted value is bound to. The value cannot be decrypted in any other context. */
export interface SecretPlace {
  /** Table of the value, or name of the contract while the value is in transit between services. */
  table: string;
  column: string;
  row: string;
}

/** Key that encrypted a value. `none` is the format without a key id; `unknown` is a key that is not configured. */
export type SealState = 'current' | 'previous' | 'none' | 'unknown';

/** Key objects, because a plain buffer costs 12 µs more per use. */
interface BoxKey {
  id: string;
  sealing: KeyObject;
  /** The setting itself, which the first format used as its key. */
  raw: KeyObject;
}

/** Encrypts secrets for storage and for transport between services (AES-256-GCM with a fresh nonce each time). */
@Injectable()
export class SecretBox {
  private readonly current: BoxKey;
  private readonly previous: BoxKey | undefined;

  constructor(@Inject(CONFIG) { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }: EncryptionKeys) {
    this.current = boxKeyOf(ENCRYPTION_KEY);
    this.previous = ENCRYPTION_KEY_PREVIOUS === undefined ? undefined : boxKeyOf(ENCRYPTION_KEY_PREVIOUS);
  }

  /** Id of the encrypting key, which does not reveal the key. */
  get keyId(): string {
    return this.current.id;
  }

  /** Prefix of every value encrypted with the current key. */
  get currentHead(): string {
    return `${VERSION}.${this.current.id}.`;
  }

  /** Re-encrypts a secret with the current key. @throws Error as `open` does */
  reseal(sealed: string, place: SecretPlace): string {
    return this.seal(this.open(sealed, place), place);
  }

  /** @returns text that can be decrypted only in the same context and with one of the keys */
  seal(plain: string, place: SecretPlace): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.sealing, nonce).setAAD(bytesOf(place));
    const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${this.currentHead}${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
  }

  /**
   * Decrypts a value of the current or the first format.
   * @throws Error when the text was modified, belongs to another context, or was encrypted with a key that is not set
   */
  open(sealed: string, place: SecretPlace): string {
    const [version, keyId = '', payload] = sealed.split('.');
    if (version === FIRST_VERSION && keyId !== '' && payload === undefined)
      return this.openFirstVersion(Buffer.from(keyId, 'base64url'));
    if (version !== VERSION || !payload) throw new Error('not a sealed secret');
    const key = this.keys().find(({ id }) => id === keyId);
    if (!key) throw new Error(`the secret was sealed with the key ${keyId}, which is not set`);
    return decrypt(key.sealing, Buffer.from(payload, 'base64url'), bytesOf(place));
  }

  /** Returns which key a value needs, without decrypting the value. */
  stateOf(sealed: string): SealState {
    const [version, keyId] = sealed.split('.');
    if (version === FIRST_VERSION) return 'none';
    if (version === VERSION && keyId === this.current.id) return 'current';
    return version === VERSION && keyId === this.previous?.id ? 'previous' : 'unknown';
  }

  private openFirstVersion(payload: Buffer): string {
    const failures: unknown[] = [];
    for (const { raw } of this.keys()) {
      try {
        return decrypt(raw, payload);
      } catch (error) {
        failures.push(error);
      }
    }
    throw new Error('the secret was sealed with a key that is not set, or was changed', { cause: failures[0] });
  }

  private keys(): BoxKey[] {
    return this.previous ? [this.current, this.previous] : [this.current];
  }
}

/** Returns the context of a value in transit between services: this field of this contract and this row. */
export function inTransit({ name }: { name: string }, column: string, row: string): SecretPlace {
  return { table: name, column, row };
}

/**
 * Derives a key for one purpose from an encryption key. It reveals nothing about the keys for other purposes.
 * @param encryptionKey 32 bytes in base64
 */
export function deriveKey(encryptionKey: string, purpose: string, bytes = KEY_BYTES): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(encryptionKey, 'base64'), '', `switchboard ${purpose}`, bytes));
}

/** Returns the id of an encryption key as stored with its values: eight hexadecimal digits. */
export function keyIdOf(encryptionKey: string): string {
  return deriveKey(encryptionKey, 'key id', KEY_ID_BYTES).toString('hex');
}

function boxKeyOf(encryptionKey: string): BoxKey {
  return {
    id: keyIdOf(encryptionKey),
    sealing: createSecretKey(deriveKey(encryptionKey, 'secret box')),
    raw: createSecretKey(Buffer.from(encryptionKey, 'base64')),
  };
}

function bytesOf({ table, column, row }: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, row]));
}

function decrypt(key: KeyObject, bytes: Buffer, place?: Buffer): string {
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), options);
  if (place) decipher.setAAD(place);
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}
