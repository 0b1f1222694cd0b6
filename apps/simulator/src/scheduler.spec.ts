import { Scheduler } from './scheduler';

let scheduler: Scheduler;
beforeEach(() => {
  scheduler = new Scheduler();
});
afterEach(() => scheduler.stop());

/** Returns the delays of scheduled functions in the order of execution. Rejects if one ran too early. */
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

it('runs functions in the order of their delays, never early', async () => {
  expect(await runAll([80, 0, 40, 15, 40])).toEqual([0, 15, 40, 40, 80]);
});

it('runs functions scheduled by a running function', async () => {
  await new Promise<void>((resolve) => scheduler.after(5, () => scheduler.after(0, resolve)));
});

it('discards pending functions when cleared', async () => {
  let forgotten = true;
  scheduler.after(10, () => {
    forgotten = false;
  });
  scheduler.clear();
  await runAll([50]);
  expect(forgotten).toBe(true);
});
