import { entryBytes, MIB, type SecretBox } from '@switchboard/platform';
import { LRUCache } from 'lru-cache';
import { secretPlace } from '../endpoints/secret-places';

/** Several thousand secrets. */
const OPEN_BYTES = 4 * MIB;

/** Opens sealed secrets; those used lately stay open in memory, for they sign every delivery. */
export class OpenedSecrets {
  private readonly opened = new LRUCache<string, string>({
    maxSize: OPEN_BYTES,
    sizeCalculation: (secret, key) => entryBytes(key, secret),
  });

  constructor(private readonly box: SecretBox) {}

  /** @throws Error when it was sealed with another key, or for another endpoint */
  open(sealed: string, endpointId: string): string {
    const key = `${endpointId} ${sealed}`;
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const secret = this.box.open(sealed, secretPlace(endpointId));
    this.opened.set(key, secret);
    return secret;
  }
}
