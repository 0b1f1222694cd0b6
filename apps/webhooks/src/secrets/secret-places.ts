import type { SecretPlace } from '@switchboard/platform';

/** Place of the signing secret, and of its successor, which a rotation moves into the same column unchanged. */
export const secretPlace = (endpointId: string): SecretPlace => ({
  table: 'endpoints',
  column: 'secret',
  row: endpointId,
});

/** Place of the token that the endpoint is shown when it is verified. */
export const verifyTokenPlace = (endpointId: string): SecretPlace => ({
  table: 'endpoints',
  column: 'sealed_verify_token',
  row: endpointId,
});
