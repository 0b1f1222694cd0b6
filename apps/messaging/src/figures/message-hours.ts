import type { HourlyTotals } from '@switchboard/database';

/** Messages by the hour of their identifier, which is also that of the lists' `since` and `until`. */
export const MESSAGE_HOURS: HourlyTotals = {
  counted: 'messages',
  totals: 'message_hours',
  prefix: 'msg',
  condition: 'settled',
};
