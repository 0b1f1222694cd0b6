import type { CommandContract } from '@switchboard/contracts';
import { type EncryptionKeys, inTransit, SecretBox } from '@switchboard/platform';
import type { MessagePropertyHeaders } from 'amqplib';
import { HEADERS } from './wire';

/**
 * Encrypts the requests of commands that hold a secret (`CommandContract.hasSecret`): a quorum queue writes every
 * message to disk. A request opens for its own command and id alone (ADR 32).
 */
export class RequestBox {
  private readonly box?: SecretBox;

  /** @param keys without them requests leave in clear, and encrypted ones cannot be read */
  constructor(keys?: EncryptionKeys) {
    if (keys) this.box = new SecretBox(keys);
  }

  /** @returns the encrypted request as a JSON string. @throws Error without keys */
  seal(command: CommandContract, id: string, json: string): string {
    if (!this.box) throw new Error('there is no key to encrypt a request with');
    return JSON.stringify(this.box.seal(json, inTransit(command, 'request', id)));
  }

  /** Whether this process has keys, to encrypt requests and to read encrypted ones. */
  hasKeys(): boolean {
    return this.box !== undefined;
  }

  /** @throws Error when it was encrypted for another command or id, or with another key */
  open(command: CommandContract, id: string, sealed: unknown): unknown {
    if (!this.box) return sealed;
    return JSON.parse(this.box.open(String(sealed), inTransit(command, 'request', id)));
  }
}

/** Whether a command's request is encrypted. */
export const isSealed = (headers: MessagePropertyHeaders | undefined): boolean => headers?.[HEADERS.sealed] === true;
