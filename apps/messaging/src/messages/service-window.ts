import type { ServiceWindow } from '@switchboard/contracts';

/** How long after a customer's last message free-form messages may be sent (spec §3.6.1). */
export const SERVICE_WINDOW_HOURS = 24;

/** SQL: whether the window of a contact is open now, on the database's clock (spec §3.6.3). */
export const WINDOW_IS_OPEN = `last_inbound_at > now() - interval '${SERVICE_WINDOW_HOURS} hours'`;

/** SQL after FROM: the windows of a contact with those numbers of the account that can send. $1 account */
const windowsOf = (contactId: string): string => `
  service_windows JOIN numbers ON numbers.id = service_windows.number_id
  WHERE service_windows.contact_id = ${contactId} AND numbers.account_id = $1 AND removed_at IS NULL`;

/**
 * SQL: whether a send from at least one number finds the window of a contact open. The account's numbers are read once
 * for all contacts of a list. $1 account
 */
export const hasOpenWindow = (contactId: string): string => `
  EXISTS (SELECT 1 FROM service_windows WHERE contact_id = ${contactId} AND ${WINDOW_IS_OPEN}
    AND number_id = ANY (ARRAY(SELECT id FROM numbers WHERE account_id = $1 AND removed_at IS NULL)))`;

/** SQL: the windows of a contact as a list of `StoredWindow`, in no order. $1 account */
export const windowColumn = (contactId: string): string => `
  (SELECT COALESCE(json_agg(json_build_object('phoneNumber', phone_number, 'lastInboundAt', last_inbound_at, 'open',
    ${WINDOW_IS_OPEN})), '[]')
   FROM ${windowsOf(contactId)}) AS windows`;

/** The window between a contact and one of our numbers, as the database gives it. */
export interface StoredWindow {
  phoneNumber: string;
  /** ISO 8601, with the database's offset. */
  lastInboundAt: string;
  open: boolean;
}

/** What a contact and a conversation say about their windows. */
export interface ShownWindows {
  windowOpen: boolean;
  windowExpiresAt: string | null;
  windows: ServiceWindow[];
}

/** The windows in the order of the numbers, and the one that stays open the longest in short. */
export function showWindows(stored: readonly StoredWindow[]): ShownWindows {
  const windows = stored
    .map(({ phoneNumber, lastInboundAt, open }) => ({
      phoneNumber,
      open,
      expiresAt: windowExpiry(new Date(lastInboundAt)).toISOString(),
    }))
    .sort((one, other) => (one.phoneNumber < other.phoneNumber ? -1 : 1));
  const windowExpiresAt = windows.reduce<string | null>(
    (latest, { expiresAt }) => (latest !== null && latest > expiresAt ? latest : expiresAt),
    null,
  );
  return { windowOpen: windows.some(({ open }) => open), windowExpiresAt, windows };
}

/** When the window that a message opened closes, or closed. */
function windowExpiry(lastInboundAt: Date): Date {
  return new Date(lastInboundAt.getTime() + SERVICE_WINDOW_HOURS * 3_600_000);
}
