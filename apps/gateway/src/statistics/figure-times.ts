import type { FigureUnit } from '@switchboard/contracts';

const UNIT_MS: Record<FigureUnit, number> = { hour: 3_600_000, day: 86_400_000 };

/** When each of so many hours or days begins, up to the present one, the oldest first. Days are those of UTC. */
export function startsOf(unit: FigureUnit, count: number, now: Date): string[] {
  const length = UNIT_MS[unit];
  const last = Math.floor(now.getTime() / length) * length;
  return Array.from({ length: count }, (_, index) => new Date(last - (count - 1 - index) * length).toISOString());
}
