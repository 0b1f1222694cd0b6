import type { RecipientStatus } from '@switchboard/contracts';

/**
 * Where a recipient may stand, from least to furthest: whatever is reported moves it to the right only. `released` is
 * handed over to be sent, `unknown` was sent without a known outcome; both are shown as pending. That something was
 * sent beats that it was cancelled, and a delivery beats a failure (spec §5.2.4).
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

/** Further is larger. */
export const rankOf = (state: RecipientState): number => RECIPIENT_STATES.indexOf(state);

/** The same in SQL. */
export const rankSql = (column: string): string =>
  `array_position('{${RECIPIENT_STATES.join(',')}}'::text[], ${column})`;

/** What a job counts its recipients by; `rejected` and `duplicates` never change. */
export const COUNTED_STATES = RECIPIENT_STATES;

const WAITING: readonly string[] = ['pending', 'released', 'unknown'];

/** The state as the API shows it. */
export function shownStatus(state: string): RecipientStatus {
  return (WAITING.includes(state) ? 'pending' : state) as RecipientStatus;
}

/** The states behind a shown one. */
export function statesShownAs(status: RecipientStatus): readonly string[] {
  return status === 'pending' ? WAITING : [status];
}
