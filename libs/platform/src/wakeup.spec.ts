import { Wakeup } from './wakeup';

describe('Wakeup', () => {
  it('wakes all sleeping loops immediately', async () => {
    const wakeup = new Wakeup();
    const rests = [wakeup.rest(60_000, 0), wakeup.rest(60_000, 0)];
    wakeup.wake();
    await expect(Promise.all(rests)).resolves.toHaveLength(2);
  });

  it('skips one pause after a call during the work', async () => {
    const wakeup = new Wakeup();
    const before = wakeup.callCount;
    wakeup.wake();
    await wakeup.rest(60_000, before);
    const startedAt = performance.now();
    const held = setInterval(() => undefined, 1_000);
    await wakeup.rest(30, wakeup.callCount);
    clearInterval(held);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
  });

  it('ends the pause when the signal aborts', async () => {
    const stopping = new AbortController();
    const rest = new Wakeup().rest(60_000, 0, stopping.signal);
    stopping.abort();
    await expect(rest).resolves.toBeUndefined();
    await expect(new Wakeup().rest(60_000, 0, stopping.signal)).resolves.toBeUndefined();
  });
});
