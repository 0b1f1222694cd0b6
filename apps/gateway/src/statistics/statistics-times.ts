import type { StatisticsUnit } from '@switchboard/contracts';

const UNIT_MS: Record<StatisticsUnit, number> = { hour: 3_600_000, day: 86_400_000 };

/** Returns the start of each of the last hours or UTC days, including the current one, oldest first. */
export function startsOf(unit: StatisticsUnit, count: number, now: Date): string[] {
  const length = UNIT_MS[unit];
  const last = Math.floor(now.getTime() / length) * length;
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * length).toISOString());
}
