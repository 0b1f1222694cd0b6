import type { SecretPlace } from '@switchboard/platform';

/** A business as an account uses it, with the token that reads it. */
export interface SealedAccount {
  accountId: string;
  wabaId: string;
  sealedAccessToken: string;
}

/** Where the token of a business is stored: it opens for this account and business alone. */
export function tokenPlace({ accountId, wabaId }: Omit<SealedAccount, 'sealedAccessToken'>): SecretPlace {
  return tokenPlaceOf(`${accountId}/${wabaId}`);
}

/** The same by the name of the row. */
export const tokenPlaceOf = (row: string): SecretPlace => ({
  table: 'upstream_accounts',
  column: 'sealed_access_token',
  row,
});
