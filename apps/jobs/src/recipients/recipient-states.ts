import type { RecipientStatus } from '@switchboard/contracts';

/**
 * States of a recipient in order. Reports move it only to the right. `released` was passed on for sending, `unknown`
 * was sent without a known outcome; the API shows both as pending. Evidence of sending overrides a cancellation, and a
 * delivery overrides a failure (spec §5.2.4).
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

/** States that a job counts. `rejected` and `duplicates` never change. */
export const COUNTED_STATES = RECIPIENT_STATES;

const WAITING: readonly string[] = ['pending', 'released', 'unknown'];

/** Returns the state as the API shows it. */
export function shownStatus(state: string): RecipientStatus {
  return (WAITING.includes(state) ? 'pending' : state) as RecipientStatus;
}

/** Returns the states behind a public one. */
export function statesShownAs(status: RecipientStatus): readonly string[] {
  return status === 'pending' ? WAITING : [status];
}
