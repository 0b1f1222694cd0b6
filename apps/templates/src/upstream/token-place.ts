import type { SecretPlace } from '@switchboard/platform';

/** A business of an account with the encrypted access token. */
export interface SealedAccount {
  accountId: string;
  wabaId: string;
  sealedAccessToken: string;
}

/** Returns the row to which the encryption of a business's token is bound. */
export function tokenPlace({ accountId, wabaId }: Omit<SealedAccount, 'sealedAccessToken'>): SecretPlace {
  return tokenPlaceOf(`${accountId}/${wabaId}`);
}

/** Returns the same binding, given the name of the row. */
export const tokenPlaceOf = (row: string): SecretPlace => ({
  table: 'upstream_accounts',
  column: 'sealed_access_token',
  row,
});
