import { Wakeup } from './wakeup';

describe('a loop that rests', () => {
  it('is woken at once', async () => {
    const wakeup = new Wakeup();
    const rest = wakeup.wait(60_000);
    wakeup.wake();
    await expect(rest).resolves.toBeUndefined();
  });

  it('does not rest when it was called while it worked, but rests again after that', async () => {
    const wakeup = new Wakeup();
    wakeup.wake();
    await wakeup.wait(60_000);
    const startedAt = performance.now();
    await wakeup.wait(30);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(29);
  });
});
