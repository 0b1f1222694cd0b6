import { unseal } from '@switchboard/platform';

const REMEMBERED = 5_000;

/** Opens sealed secrets; those used lately stay open in memory, for they sign every delivery. */
export class OpenedSecrets {
  private readonly opened = new Map<string, string>();

  constructor(private readonly encryptionKey: string) {}

  /** @throws Error when it was sealed with another key */
  open(sealed: string): string {
    const known = this.opened.get(sealed);
    if (known !== undefined) return known;
    const secret = unseal(sealed, this.encryptionKey);
    if (this.opened.size >= REMEMBERED) this.opened.clear();
    this.opened.set(sealed, secret);
    return secret;
  }
}
