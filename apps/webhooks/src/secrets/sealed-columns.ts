import type { SealedColumn } from '@switchboard/database';
import { secretPlace, verifyTokenPlace } from '../endpoints/secret-places';

/** Every column of the service that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'endpoints', column: 'sealed_verify_token', row: 'id', place: verifyTokenPlace },
  { table: 'endpoints', column: 'sealed_secret', row: 'id', place: secretPlace },
  { table: 'endpoints', column: 'sealed_next_secret', row: 'id', place: secretPlace },
];
