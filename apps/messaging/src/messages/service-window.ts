/** How long after a customer's last message free-form messages may be sent (spec 1). */
export const SERVICE_WINDOW_HOURS = 24;

/** SQL: whether the window of a contact is open now, on the database's clock (decisions 4). */
export const WINDOW_IS_OPEN = `last_inbound_at > now() - interval '${SERVICE_WINDOW_HOURS} hours'`;

/** When the window that a message opened closes, or closed; null when nothing was ever received. */
export function windowExpiry(lastInboundAt: Date | null): Date | null {
  return lastInboundAt && new Date(lastInboundAt.getTime() + SERVICE_WINDOW_HOURS * 3_600_000);
}
