import type { SecretBox, SecretPlace } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';

/** Number with its encrypted access token. */
export interface SealedNumber {
  numberId: string;
  sealedAccessToken: string;
}

/** Returns the location that the token of a number is bound to; the token can be decrypted for this number only. */
export const tokenPlace = (numberId: string): SecretPlace => ({
  table: 'numbers',
  column: 'sealed_access_token',
  row: numberId,
});

/**
 * Decrypts the token of a number.
 * @throws UpstreamError of category auth when the token was encrypted with another key or for another number
 */
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
