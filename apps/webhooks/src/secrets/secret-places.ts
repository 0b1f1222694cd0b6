import type { SecretPlace } from '@switchboard/platform';

/**
 * Returns the column and row to which a signing secret's encryption is bound. A rotation moves the next secret into the
 * same column unchanged, so both use the same binding.
 */
export const secretPlace = (endpointId: string): SecretPlace => ({
  table: 'endpoints',
  column: 'secret',
  row: endpointId,
});

/**
 * Returns the column and row to which the encryption of a verify token is bound. The endpoint receives the token in the
 * challenge.
 */
export const verifyTokenPlace = (endpointId: string): SecretPlace => ({
  table: 'endpoints',
  column: 'sealed_verify_token',
  row: endpointId,
});
