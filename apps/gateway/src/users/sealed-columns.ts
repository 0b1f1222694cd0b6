import type { SealedColumn } from '@switchboard/database';
import { secretPlace } from './second-factor';

/** All columns of the gateway with encrypted values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'second_factors', column: 'sealed_secret', row: 'user_id', place: secretPlace },
];
