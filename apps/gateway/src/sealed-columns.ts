import type { SealedColumn } from '@switchboard/database';

/** Every column of the gateway that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [];
