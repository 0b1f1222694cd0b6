import type { SealedColumn } from '@switchboard/database';
import { tokenPlaceOf } from '../upstream/token-place';

/** Every column of the service that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'upstream_accounts',
    column: 'sealed_access_token',
    row: "account_id || '/' || waba_id",
    place: tokenPlaceOf,
  },
];
