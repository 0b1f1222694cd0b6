import type { CommandContract } from '@switchboard/contracts';
import { type EncryptionKeys, inTransit, SecretBox } from '@switchboard/platform';
import type { MessagePropertyHeaders } from 'amqplib';
import { HEADERS } from './wire';

/**
 * Encrypts the requests of commands that hold a secret (`CommandContract.hasSecret`), because a quorum queue writes
 * every message to disk. Each request is bound to its command and id (ADR 32).
 */
export class RequestBox {
  private readonly box?: SecretBox;

  /** @param keys when absent, requests are sent unencrypted, and encrypted ones cannot be read */
  constructor(keys?: EncryptionKeys) {
    if (keys) this.box = new SecretBox(keys);
  }

  /** @returns the encrypted request as a JSON string. @throws Error without keys */
  seal(command: CommandContract, id: string, json: string): string {
    if (!this.box) throw new Error('there is no key to encrypt a request with');
    return JSON.stringify(this.box.seal(json, inTransit(command, 'request', id)));
  }

  hasKeys(): boolean {
    return this.box !== undefined;
  }

  /** @throws Error when it was encrypted for another command or id, or with another key */
  open(command: CommandContract, id: string, sealed: unknown): unknown {
    if (!this.box) return sealed;
    return JSON.parse(this.box.open(String(sealed), inTransit(command, 'request', id)));
  }
}

export const isSealed = (headers: MessagePropertyHeaders | undefined): boolean => headers?.[HEADERS.sealed] === true;
