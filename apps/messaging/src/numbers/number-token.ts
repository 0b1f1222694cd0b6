import type { SecretBox, SecretPlace } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';

/** A number with the token that sends through it. */
export interface SealedNumber {
  numberId: string;
  sealedAccessToken: string;
}

/** Where a number's token is stored: it opens for this number alone. */
export const tokenPlace = (numberId: string): SecretPlace => ({
  table: 'numbers',
  column: 'sealed_access_token',
  row: numberId,
});

/** @throws UpstreamError of category auth when the token was sealed with another key, or for another number */
export function openToken(box: SecretBox, { numberId, sealedAccessToken }: SealedNumber): string {
  try {
    return box.open(sealedAccessToken, tokenPlace(numberId));
  } catch (cause) {
    const title = "The number's credentials cannot be read";
    throw new UpstreamError(
      { kind: 'rejected', title, retriable: false, category: 'auth', answer: 'UPSTREAM_ERROR', stopsNumber: true },
      { cause },
    );
  }
}
