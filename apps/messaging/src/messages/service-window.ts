import type { ServiceWindow } from '@switchboard/contracts';

/** Hours after a contact's last message during which free-form messages are allowed (spec §3.6.1). */
export const SERVICE_WINDOW_HOURS = 24;

/** SQL condition: a contact's window is open now, by the database's clock (spec §3.6.3). */
export const WINDOW_IS_OPEN = `last_inbound_at > now() - interval '${SERVICE_WINDOW_HOURS} hours'`;

/** SQL after FROM: the windows between a contact and the account's active numbers. $1 account */
const windowsOf = (contactId: string): string => `
  service_windows JOIN numbers ON numbers.id = service_windows.number_id
  WHERE service_windows.contact_id = ${contactId} AND numbers.account_id = $1 AND removed_at IS NULL`;

/**
 * SQL condition: the contact's window with at least one number is open. The account's numbers are read once for all
 * contacts of a list.
 * $1 account
 */
export const hasOpenWindow = (contactId: string): string => `
  EXISTS (SELECT 1 FROM service_windows WHERE contact_id = ${contactId} AND ${WINDOW_IS_OPEN}
    AND number_id = ANY (ARRAY(SELECT id FROM numbers WHERE account_id = $1 AND removed_at IS NULL)))`;

/** SQL expression: the contact's windows as an unordered list of `StoredWindow`. $1 account */
export const windowColumn = (contactId: string): string => `
  (SELECT COALESCE(json_agg(json_build_object('phoneNumber', phone_number, 'lastInboundAt', last_inbound_at, 'open',
    ${WINDOW_IS_OPEN})), '[]')
   FROM ${windowsOf(contactId)}) AS windows`;

/** Window between a contact and a number of the account, as the database returns it. */
export interface StoredWindow {
  phoneNumber: string;
  /** ISO 8601, with the database's time zone offset. */
  lastInboundAt: string;
  open: boolean;
}

export interface ShownWindows {
  windowOpen: boolean;
  windowExpiresAt: string | null;
  windows: ServiceWindow[];
}

/** Returns the windows sorted by number, and a summary: whether any window is open, and the latest expiry. */
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

function windowExpiry(lastInboundAt: Date): Date {
  return new Date(lastInboundAt.getTime() + SERVICE_WINDOW_HOURS * 3_600_000);
}
