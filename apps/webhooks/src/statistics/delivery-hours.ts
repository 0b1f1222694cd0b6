import type { HourlyTotals } from '@switchboard/database';

/** Number of finished deliveries, by the hour in which they were stored. */
export const DELIVERY_HOURS: HourlyTotals = {
  counted: 'deliveries',
  by: { state: 'state' },
  totals: 'delivery_hours',
  prefix: 'dlv',
  condition: 'true',
};
