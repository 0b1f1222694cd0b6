import type { SealedColumn } from '@switchboard/database';
import type { SecretPlace } from '@switchboard/platform';

/**
 * The secret that signs and the one that follows it in a rotation: the next one moves into the other's column as it is.
 */
export const secretPlace = (endpointId: string): SecretPlace => ({
  table: 'endpoints',
  column: 'secret',
  row: endpointId,
});

/** What the endpoint is shown when it is verified. */
export const verifyTokenPlace = (endpointId: string): SecretPlace => ({
  table: 'endpoints',
  column: 'sealed_verify_token',
  row: endpointId,
});

/** Every column of the service that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'endpoints', column: 'sealed_verify_token', row: 'id', place: verifyTokenPlace },
  { table: 'endpoints', column: 'sealed_secret', row: 'id', place: secretPlace },
  { table: 'endpoints', column: 'sealed_next_secret', row: 'id', place: secretPlace },
];
