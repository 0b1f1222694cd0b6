/** Number of grid lines above the zero line. */
const STEPS = 4;
const NICE = [1, 2, 2.5, 5, 10];

/** Returns integer ticks from zero to a round number that no value exceeds. */
export function ticksUpTo(most: number): number[] {
  const raw = Math.max(most, STEPS) / STEPS;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = NICE.map((nice) => nice * power).find((candidate) => candidate >= raw && Number.isInteger(candidate));
  return Array.from({ length: STEPS + 1 }, (_, index) => index * (step ?? Math.ceil(raw)));
}

/** Returns about `about` evenly spaced indexes, including the first and the last. */
export function labelledPlaces(places: number, about: number): number[] {
  if (places <= 1) return [0];
  const gap = Math.max(1, Math.round((places - 1) / (about - 1)));
  const fromFirst = Array.from({ length: Math.ceil((places - 1) / gap) }, (_, index) => index * gap);
  // Drop a label that would overlap the last one.
  return [...fromFirst.filter((place) => place === 0 || places - 1 - place >= gap * 0.7), places - 1];
}

/** Returns the points of a line across a 100 × 100 square, with the maximum at the top. */
export function pointsOf(values: readonly number[], most: number): [x: number, y: number][] {
  const last = Math.max(1, values.length - 1);
  return values.map((value, index) => [(index / last) * 100, 100 - (most === 0 ? 0 : (value / most) * 100)]);
}

export function pathOf(points: readonly (readonly [x: number, y: number])[]): string {
  return points.map(([x, y], index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
}

const round = (value: number): number => Math.round(value * 100) / 100;
