import { startLoop } from './loop';
import { createLogger } from './logging';
import { stuckLoops, watchTurn } from './turn-watch';
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
