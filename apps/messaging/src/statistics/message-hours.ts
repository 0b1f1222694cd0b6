import type { HourlyTotals } from '@switchboard/database';

/**
 * Messages by the hour of their identifier, which is also that of the lists' `since` and `until`. Those of the history
 * that a number brought along do not count.
 */
export const MESSAGE_HOURS: HourlyTotals = {
  counted: 'messages',
  by: { state: 'state' },
  totals: 'message_hours',
  prefix: 'msg',
  condition: "settled AND origin <> 'history'",
};

/**
 * Messages of which the platform has told how it charges them, by the hour of their identifier. What it did not say is
 * an empty text.
 */
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
