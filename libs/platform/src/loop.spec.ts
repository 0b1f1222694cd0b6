import { startLoop } from './loop';
import { createLogger } from './logging';
import { stuckLoops, watchTurn } from './turn-watch';
import { Wakeup } from './wakeup';
import { currentWork } from './workload';

const logger = createLogger('test', 'silent');

async function turnsReached(count: number, turns: readonly unknown[]): Promise<void> {
  const until = Date.now() + 5_000;
  while (turns.length < count && Date.now() < until) await new Promise((resolve) => setImmediate(resolve));
  expect(turns.length).toBeGreaterThanOrEqual(count);
}

describe('startLoop', () => {
  it('continues after a failed iteration, until it is stopped', async () => {
    const turns: number[] = [];
    const turn = async (): Promise<void> => {
      turns.push(turns.length);
      if (turns.length === 1) throw new Error('database away');
    };
    const loop = startLoop({ name: 'test', everyMs: 1, logger, turn });
    await turnsReached(3, turns);
    await loop.stop();
    const { length } = turns;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(turns).toHaveLength(length);
  });

  it('skips the pause while there is more work, and aborts on stop', async () => {
    const turns: AbortSignal[] = [];
    const turn = async (signal: AbortSignal): Promise<boolean> => {
      turns.push(signal);
      if (turns.length === 3) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      return true;
    };
    const loop = startLoop({ name: 'test', everyMs: 3_600_000, logger, turn });
    await turnsReached(3, turns);
    await loop.stop();
    expect(turns).toHaveLength(3);
  });

  it('pauses for the time that the iteration returns, up to the default', async () => {
    for (const [everyMs, pauseMs] of [
      [3_600_000, 1],
      [1, 3_600_000],
    ] as const) {
      const turns: number[] = [];
      const turn = (): Promise<number> => {
        turns.push(turns.length);
        return Promise.resolve(pauseMs);
      };
      const loop = startLoop({ name: 'test', everyMs, logger, turn });
      await turnsReached(3, turns);
      await loop.stop();
    }
  });

  it('runs as background work with its statement limit', async () => {
    const seen: unknown[] = [];
    const turn = (): Promise<void> => {
      seen.push(currentWork());
      return Promise.resolve();
    };
    const loops = [
      startLoop({ name: 'quick', everyMs: 1, logger, turn }),
      startLoop({ name: 'slow', everyMs: 3_600_000, statementMs: 60_000, logger, turn }),
    ];
    await turnsReached(2, seen);
    await Promise.all(loops.map((loop) => loop.stop()));
    expect(seen.slice(0, 2)).toEqual([{ workload: 'background' }, { workload: 'background', statementMs: 60_000 }]);
    expect(currentWork()).toEqual({ workload: 'requests' });
  });
});

describe('a loop that rests while the service is idle', () => {
  /** Loop that counts its iterations, with an activity that is idle until the test says otherwise. */
  function startIdle(result: boolean | number | Error, everyMs = 1) {
    const state = { isIdle: true, turns: [] as number[], noted: 0, onWork: (): void => undefined };
    const activity = {
      get isIdle() {
        return state.isIdle;
      },
      note: () => void (state.noted += 1),
      onWork: (listener: () => void) => ((state.onWork = listener), () => undefined),
    };
    const turn = async (): Promise<boolean | number> => {
      state.turns.push(state.turns.length);
      if (result instanceof Error) throw result;
      return state.turns.length < 3 && result;
    };
    const wakeup = new Wakeup();
    const loop = startLoop({ name: 'test', everyMs, logger, wakeup, restsWhenIdle: true, activity, turn });
    return { state, wakeup, loop };
  }
  const moments = () => new Promise((resolve) => setTimeout(resolve, 30));

  it('rests beyond its interval until there is work', async () => {
    const { state, loop } = startIdle(false);
    await moments();
    expect(state.turns).toHaveLength(1);
    state.isIdle = false;
    state.onWork();
    await turnsReached(3, state.turns);
    await loop.stop();
  });

  it('ends its rest at once when its own wakeup is called', async () => {
    const { state, wakeup, loop } = startIdle(false, 3_600_000);
    await moments();
    wakeup.wake();
    await turnsReached(2, state.turns);
    await loop.stop();
  });

  it('rests until its work is due', async () => {
    const { state, loop } = startIdle(2);
    await turnsReached(3, state.turns);
    await moments();
    expect(state.turns).toHaveLength(3);
    await loop.stop();
  });

  it('keeps its interval after a failure', async () => {
    const { state, loop } = startIdle(new Error('database away'));
    await turnsReached(3, state.turns);
    await loop.stop();
  });

  it('reports its own work as activity', async () => {
    const { state, loop } = startIdle(true);
    await turnsReached(3, state.turns);
    expect(state.noted).toBe(2);
    await loop.stop();
  });
});

describe('watchTurn', () => {
  it('reports an overdue iteration as stuck until it ends', () => {
    const hanging = watchTurn('hangs', -1);
    const working = watchTurn('works', 60_000);
    expect(stuckLoops()).toEqual(['hangs']);
    hanging();
    working();
    expect(stuckLoops()).toEqual([]);
  });
});
