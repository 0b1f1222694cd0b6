import { startLoop } from '@switchboard/platform';
import { eventually, silentLogger } from '@switchboard/testing';
import { ReconcileTimer } from './reconcile.timer';

/** Returns a timer whose reconciler can fail, and the times at which the reconciler ran. */
function startTimer() {
  const state = { failing: false, ranAt: [] as number[] };
  const settleOverdue = async (): Promise<void> => {
    state.ranAt.push(performance.now());
    if (state.failing) throw new Error('database away');
  };
  const timer = new ReconcileTimer({ settleOverdue }, { RECONCILE_GRACE_SECONDS: 1 });
  const turn = (signal: AbortSignal): Promise<void> => timer.settle(signal);
  const loop = startLoop({ name: 'reconcile', everyMs: 1_000, logger: silentLogger, turn });
  return { state, stop: () => loop.stop() };
}

describe('ReconcileTimer', () => {
  it('runs periodically until it is stopped', async () => {
    const { state, stop } = startTimer();
    await eventually(() => expect(state.ranAt.length).toBeGreaterThanOrEqual(2));
    await stop();
  });

  it('pauses for at least three seconds after a failure', async () => {
    const { state, stop } = startTimer();
    await eventually(() => expect(state.ranAt.length).toBeGreaterThan(0));
    state.failing = true;
    const before = state.ranAt.length;
    await eventually(() => expect(state.ranAt.length).toBe(before + 1));
    state.failing = false;
    const failedAt = performance.now();
    await eventually(() => expect(performance.now() - failedAt).toBeGreaterThan(3_000));
    expect(state.ranAt).toHaveLength(before + 1);
    await stop();
  });
});
