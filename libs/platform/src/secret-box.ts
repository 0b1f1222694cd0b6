import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from './service';

const VERSION = 'v2';
/** Without a key id and without a place: sealed before keys could be replaced. Still opened, never written. */
const FIRST_VERSION = 'v1';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;

/** The settings that name the keys (`encryptionKeyFields`): each 32 bytes in base64. */
export interface EncryptionKeys {
  /** Seals and opens. */
  ENCRYPTION_KEY: string;
  /** Only opens: the key before it was replaced, or the next one while not every process has it yet. */
  ENCRYPTION_KEY_PREVIOUS?: string;
}

/** Where a sealed value belongs. It opens nowhere else. */
export interface SecretPlace {
  /** The table that holds it; of a value on its way between services, the contract's name. */
  table: string;
  column: string;
  /** What names the row among all of the table. */
  row: string;
}

/** Which key a value was sealed with; `none` has no key id yet, `unknown` is neither key's. */
export type SealState = 'current' | 'previous' | 'none' | 'unknown';

/** Key objects, because a bare buffer costs 12 µs more at each use. */
interface BoxKey {
  id: string;
  sealing: KeyObject;
  /** The setting itself, with which the first version sealed. */
  raw: KeyObject;
}

/** Seals secrets for storage and for the way between services (AES-256-GCM, a fresh nonce each time). */
@Injectable()
export class SecretBox {
  private readonly current: BoxKey;
  private readonly previous: BoxKey | undefined;

  constructor(@Inject(CONFIG) { ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS }: EncryptionKeys) {
    this.current = boxKeyOf(ENCRYPTION_KEY);
    this.previous = ENCRYPTION_KEY_PREVIOUS === undefined ? undefined : boxKeyOf(ENCRYPTION_KEY_PREVIOUS);
  }

  /** Names the key that seals; says nothing about it. */
  get keyId(): string {
    return this.current.id;
  }

  /** What every value begins with that the current key sealed. */
  get currentHead(): string {
    return `${VERSION}.${this.current.id}.`;
  }

  /** The same secret with the current key. @throws Error as `open` does */
  reseal(sealed: string, place: SecretPlace): string {
    return this.seal(this.open(sealed, place), place);
  }

  /** @returns text that only the same place and one of the keys open */
  seal(plain: string, place: SecretPlace): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.current.sealing, nonce).setAAD(bytesOf(place));
    const encrypted = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return `${this.currentHead}${Buffer.concat([nonce, cipher.getAuthTag(), encrypted]).toString('base64url')}`;
  }

  /**
   * Gives back what `seal` was given, by this version or the first one.
   * @throws Error when the text was changed, belongs to another place, or was sealed with a key that is not set
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

  /** Which key a value needs, without opening it. */
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

/** The place of a value between services: it opens for this field of this contract and this row alone. */
export function inTransit({ name }: { name: string }, column: string, row: string): SecretPlace {
  return { table: name, column, row };
}

/**
 * A key for one purpose, made of an encryption key: what it protects says nothing about the other purposes.
 * @param encryptionKey 32 bytes in base64
 */
export function deriveKey(encryptionKey: string, purpose: string, bytes = KEY_BYTES): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(encryptionKey, 'base64'), '', `switchboard ${purpose}`, bytes));
}

/** Names an encryption key in what it protected: eight hexadecimal digits. */
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
