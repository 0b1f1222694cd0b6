import type { RecipientStatus } from '@switchboard/contracts';

/**
 * States of a recipient in order. Reports move a recipient only to the right. `released` means submitted for sending,
 * `unknown` means sent without a known outcome; the API shows both as pending. Evidence of a send overrides a
 * cancellation, and a delivery overrides a failure (spec §5.2.4).
 */
export const RECIPIENT_STATES = [
  'pending',
  'cancelled',
  'released',
  'unknown',
  'accepted',
  'sent',
  'failed',
  'delivered',
  'read',
] as const;
export type RecipientState = (typeof RECIPIENT_STATES)[number];

/** Returns the rank of a state. Later states have a higher rank. */
export const rankOf = (state: RecipientState): number => RECIPIENT_STATES.indexOf(state);

/** SQL equivalent of `rankOf`. */
export const rankSql = (column: string): string =>
  `array_position('{${RECIPIENT_STATES.join(',')}}'::text[], ${column})`;

/** States that the job keeps a counter for. `rejected` and `duplicates` never change. */
export const COUNTED_STATES = RECIPIENT_STATES;

const WAITING: readonly string[] = ['pending', 'released', 'unknown'];

/** Returns the state as the API shows it. */
export function shownStatus(state: string): RecipientStatus {
  return (WAITING.includes(state) ? 'pending' : state) as RecipientStatus;
}

/** Returns the internal states that the API shows as the given status. */
export function statesShownAs(status: RecipientStatus): readonly string[] {
  return status === 'pending' ? WAITING : [status];
}
