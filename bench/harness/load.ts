import { setTimeout as delay } from 'node:timers/promises';

/** Runs `count` units with the given concurrency. */
export async function inLanes(count: number, lanes: number, unit: (n: number) => Promise<void>): Promise<void> {
  let begun = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) await unit((begun += 1));
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Starts `count` units at a constant rate. */
export async function inPace(count: number, perSecond: number, unit: (n: number) => Promise<void>): Promise<void> {
  const running: Promise<void>[] = [];
  const startedAt = performance.now();
  while (running.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - startedAt) * perSecond) / 1_000));
    while (running.length < due) running.push(unit(running.length));
    // Sleep until the next start, because polling every millisecond used a measurable share of the CPU.
    await delay(Math.max(1, (running.length + 1) * (1_000 / perSecond) - (performance.now() - startedAt)));
  }
  await Promise.all(running);
}
