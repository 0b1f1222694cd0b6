import type { SecretBox } from '@switchboard/platform';
import { secretPlace } from '../endpoints/secret-places';

const REMEMBERED = 5_000;

/** Opens sealed secrets; those used lately stay open in memory, for they sign every delivery. */
export class OpenedSecrets {
  private readonly opened = new Map<string, string>();

  constructor(private readonly box: SecretBox) {}

  /** @throws Error when it was sealed with another key, or for another endpoint */
  open(sealed: string, endpointId: string): string {
    const key = `${endpointId} ${sealed}`;
    const known = this.opened.get(key);
    if (known !== undefined) return known;
    const secret = this.box.open(sealed, secretPlace(endpointId));
    if (this.opened.size >= REMEMBERED) this.opened.clear();
    this.opened.set(key, secret);
    return secret;
  }
}
