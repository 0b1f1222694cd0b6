import type { SecretPlace } from '@switchboard/platform';

/** A business of an account with its encrypted token. */
export interface SealedAccount {
  accountId: string;
  wabaId: string;
  sealedAccessToken: string;
}

/** Returns the storage place of a business's token, to which the encryption is bound. */
export function tokenPlace({ accountId, wabaId }: Omit<SealedAccount, 'sealedAccessToken'>): SecretPlace {
  return tokenPlaceOf(`${accountId}/${wabaId}`);
}

/** Returns the same place by the name of the row. */
export const tokenPlaceOf = (row: string): SecretPlace => ({
  table: 'upstream_accounts',
  column: 'sealed_access_token',
  row,
});
