import type { SecretPlace } from '@switchboard/platform';

/** A business as an account uses it, with the token that reads it. */
export interface SealedAccount {
  accountId: string;
  wabaId: string;
  sealedAccessToken: string;
}

/** Where the token of a business is stored: it opens for this account and business alone. */
export function tokenPlace({ accountId, wabaId }: Omit<SealedAccount, 'sealedAccessToken'>): SecretPlace {
  return { table: 'upstream_accounts', column: 'sealed_access_token', row: `${accountId}/${wabaId}` };
}
