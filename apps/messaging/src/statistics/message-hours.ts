import type { HourlyTotals } from '@switchboard/database';

/** Number of messages by the hour of their id, like `since` and `until` of the lists. Excludes imported history. */
export const MESSAGE_HOURS: HourlyTotals = {
  counted: 'messages',
  by: { state: 'state' },
  totals: 'message_hours',
  prefix: 'msg',
  condition: "settled AND origin <> 'history'",
};

/** Number of messages with pricing from the platform, by the hour of their id. A missing value is an empty text. */
export const PRICE_HOURS = {
  counted: 'messages',
  by: {
    category: "COALESCE(pricing->>'category', '')",
    type: "COALESCE(pricing->>'type', '')",
    billable: "COALESCE(pricing->>'billable', '')",
  },
  totals: 'price_hours',
  prefix: 'msg',
  condition: 'pricing IS NOT NULL',
} as const satisfies HourlyTotals;
