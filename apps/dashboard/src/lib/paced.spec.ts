import { paced } from './paced';

describe('paced calls', () => {
  let runs: number[];
  let calls: { call(): void; stop(): void };

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    runs = [];
    calls = paced(() => Promise.resolve(runs.push(Date.now())), { firstMs: 500, lastMs: 2_000 });
  });
  afterEach(() => {
    calls.stop();
    jest.useRealTimers();
  });

  /** Calls the function every 100 ms. */
  const callFor = async (ms: number): Promise<void> => {
    for (let spent = 0; spent < ms; spent += 100) {
      calls.call();
      await jest.advanceTimersByTimeAsync(100);
    }
  };

  it('runs immediately after a pause', async () => {
    calls.call();
    expect(runs).toEqual([0]);
    await jest.advanceTimersByTimeAsync(5_000);
    calls.call();
    expect(runs).toEqual([0, 5_000]);
  });

  it('runs at growing intervals, and once after the last call', async () => {
    await callFor(8_000);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(runs).toEqual([0, 500, 1_500, 3_500, 5_500, 7_500, 9_500]);
  });

  it('runs again for a call during a slow run', async () => {
    let finish = (): void => undefined;
    calls.stop();
    calls = paced(() => new Promise<void>((done) => (finish = () => done(runs.push(1) as never))), {
      firstMs: 500,
      lastMs: 2_000,
    });
    calls.call();
    calls.call();
    finish();
    await jest.advanceTimersByTimeAsync(500);
    finish();
    expect(runs).toHaveLength(2);
  });

  it('does not run after a stop', async () => {
    calls.call();
    calls.call();
    calls.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    calls.call();
    expect(runs).toEqual([0]);
  });

  it('pauses for five times the duration of a slow run', async () => {
    calls.stop();
    calls = paced(
      async () => {
        runs.push(Date.now());
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      },
      { firstMs: 500, lastMs: 2_000 },
    );
    await callFor(13_000);
    expect(runs).toEqual([0, 6_000, 12_000]);
  });
});
