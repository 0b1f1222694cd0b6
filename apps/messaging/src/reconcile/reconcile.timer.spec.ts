import { eventually, silentLogger } from '@switchboard/testing';
import { ReconcileTimer } from './reconcile.timer';

const GRACE_SECONDS = 1;

/** A timer whose broker and reconciler can be made to fail, and when the reconciler ran. */
function startTimer() {
  const state = { connected: true, failing: false, ranAt: [] as number[] };
  const settleOverdue = async (): Promise<void> => {
    state.ranAt.push(performance.now());
    if (state.failing) throw new Error('database away');
  };
  const checkReady = (): void => {
    if (!state.connected) throw new Error('not connected');
  };
  const timer = new ReconcileTimer({ settleOverdue }, { checkReady }, { RECONCILE_GRACE_SECONDS: GRACE_SECONDS }, silentLogger);
  const startedAt = performance.now();
  timer.onApplicationBootstrap();
  return { state, startedAt, stop: () => timer.beforeApplicationShutdown() };
}

describe('ReconcileTimer', () => {
  it('gives callbacks that waited for this process a grace period before it begins', async () => {
    const { state, startedAt, stop } = startTimer();
    await eventually(() => expect(state.ranAt.length).toBeGreaterThan(0));
    expect((state.ranAt[0] ?? 0) - startedAt).toBeGreaterThanOrEqual(GRACE_SECONDS * 1_000);
    await stop();
  });

  it('rests while the broker is away and for a grace period afterwards', async () => {
    const { state, stop } = startTimer();
    await eventually(() => expect(state.ranAt.length).toBeGreaterThan(0));
    state.connected = false;
    const awayAt = performance.now();
    await eventually(() => expect(performance.now() - awayAt).toBeGreaterThan(2_500));
    expect(state.ranAt.filter((at) => at > awayAt)).toEqual([]);
    state.connected = true;
    const backAt = performance.now();
    await eventually(() => expect(state.ranAt.at(-1)).toBeGreaterThan(backAt));
    expect((state.ranAt.at(-1) ?? 0) - backAt).toBeGreaterThanOrEqual(GRACE_SECONDS * 1_000 - 1);
    await stop();
  });

  it('rests after a failure for longer than callbacks wait that failed with it', async () => {
    const { state, stop } = startTimer();
    state.failing = true;
    await eventually(() => expect(state.ranAt).toHaveLength(1));
    state.failing = false;
    const failedAt = performance.now();
    await eventually(() => expect(performance.now() - failedAt).toBeGreaterThan(3_000));
    expect(state.ranAt).toHaveLength(1);
    await stop();
  });
});
