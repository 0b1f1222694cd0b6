import { Scheduler } from './scheduler';

let scheduler: Scheduler;
beforeEach(() => {
  scheduler = new Scheduler();
});
afterEach(() => scheduler.stop());

/** The delays of functions that were scheduled, in the order in which they ran; refuses one that ran too early. */
function runAll(delaysMs: number[]): Promise<number[]> {
  const start = performance.now();
  const ran: number[] = [];
  return new Promise((resolve, reject) => {
    for (const delayMs of delaysMs) {
      scheduler.after(delayMs, () => {
        if (performance.now() - start < delayMs) reject(new Error(`${delayMs} ms came early`));
        if (ran.push(delayMs) === delaysMs.length) resolve(ran);
      });
    }
  });
}

it('runs everything, never early, in the order of the delays', async () => {
  expect(await runAll([80, 0, 40, 15, 40])).toEqual([0, 15, 40, 40, 80]);
});

it('runs what a running function schedules', async () => {
  await new Promise<void>((resolve) => scheduler.after(5, () => scheduler.after(0, resolve)));
});

it('forgets what waits when it is cleared', async () => {
  let forgotten = true;
  scheduler.after(10, () => {
    forgotten = false;
  });
  scheduler.clear();
  await runAll([50]);
  expect(forgotten).toBe(true);
});
