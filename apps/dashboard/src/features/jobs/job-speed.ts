export interface SeenJob {
  jobId: string;
  at: number;
  done: number;
}

/** Shortest time span that gives a meaningful speed. */
const LEAST_SPAN_MS = 3_000;

/** Returns the speed and the remaining time as text; undefined while there is too little data. */
export function speedOf(seen: readonly SeenJob[], left: number, expectedSeconds?: number | null): string | undefined {
  const [first, last] = [seen[0], seen.at(-1)];
  if (!first || !last || last.at - first.at < LEAST_SPAN_MS || last.done <= first.done)
    return typeof expectedSeconds === 'number' && left > 0 ? restText(expectedSeconds) : undefined;
  const perSecond = ((last.done - first.done) * 1_000) / (last.at - first.at);
  // The messaging limit may make the job slower than its current speed suggests.
  const rest = restText(Math.max(left / perSecond, expectedSeconds ?? 0));
  return `${perSecond >= 1 ? Math.round(perSecond) : 'Less than 1'} per second, ${rest}`;
}

function restText(seconds: number): string {
  const minutes = seconds / 60;
  if (minutes < 1) return 'less than a minute left';
  return minutes < 120 ? `about ${Math.round(minutes)} min left` : `about ${Math.round(minutes / 60)} h left`;
}
