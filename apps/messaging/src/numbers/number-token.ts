import type { SecretBox, SecretPlace } from '@switchboard/platform';
import { UpstreamError } from '@switchboard/upstream';

/** A number with its encrypted access token. */
export interface SealedNumber {
  numberId: string;
  sealedAccessToken: string;
}

/**
 * Returns the row to which the encryption of a number's token is bound. The token can be decrypted only for this
 * number.
 */
export const tokenPlace = (numberId: string): SecretPlace => ({
  table: 'numbers',
  column: 'sealed_access_token',
  row: numberId,
});

/**
 * Decrypts the token of a number.
 * @throws UpstreamError of category auth if the token was encrypted with another key or for another number
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
