export interface SeenJob {
  jobId: string;
  at: number;
  done: number;
}

/** Shortest time span that gives a meaningful speed. */
const LEAST_SPAN_MS = 3_000;

/** Returns the speed and the remaining time as text; undefined while there is too little data. */
export function speedOf(seen: readonly SeenJob[], left: number): string | undefined {
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last || last.at - first.at < LEAST_SPAN_MS || last.done <= first.done) return undefined;
  const perSecond = ((last.done - first.done) * 1_000) / (last.at - first.at);
  const minutes = left / perSecond / 60;
  const rest = minutes < 1 ? 'less than a minute left' : `about ${Math.round(minutes)} min left`;
  return `${perSecond >= 1 ? Math.round(perSecond) : 'Less than 1'} per second, ${rest}`;
}
