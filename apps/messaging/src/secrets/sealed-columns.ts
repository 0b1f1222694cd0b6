import type { SealedColumn } from '@switchboard/database';
import { contentPlace } from '../sends/secret-content';
import { tokenPlace } from '../numbers/number-token';

/** Every column of the service that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'numbers', column: 'sealed_access_token', row: 'id', place: tokenPlace },
  // Only a send without a known outcome has one.
  { table: 'messages', column: 'sealed_content', row: 'id', place: contentPlace, only: 'NOT settled' },
];
