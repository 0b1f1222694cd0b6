import type { SealedColumn } from '@switchboard/database';
import { secretPlace } from './second-factor';

/** Every column of the gateway that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'second_factors', column: 'sealed_secret', row: 'user_id', place: secretPlace },
];
