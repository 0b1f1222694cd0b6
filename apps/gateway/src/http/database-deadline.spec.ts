import { Batcher } from '@switchboard/platform';
import { withinDatabaseDeadline } from './database-deadline';

describe('withinDatabaseDeadline', () => {
  it('throws UNAVAILABLE if the work waits behind hanging work', async () => {
    const hanging = new Batcher<number, void>(() => new Promise(() => undefined), {
      maxItems: 1,
      concurrency: 1,
      giveUpMs: 1,
      isCommonFailure: () => true,
    });
    void hanging.add(1);
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = withinDatabaseDeadline(hanging.add(2));
    const until = performance.now() + 5;
    // Blocks the event loop, so that the next work is queued before any timer of the first fires.
    while (performance.now() < until);
    void hanging.add(3);
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });

  it('passes on errors that are not outages', async () => {
    await expect(withinDatabaseDeadline(Promise.reject(new RangeError('ours')))).rejects.toThrow(RangeError);
  });
});
