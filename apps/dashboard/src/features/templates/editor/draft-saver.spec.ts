import { setImmediate as nextTurn } from 'node:timers/promises';
import { DraftSaver, type SaveState } from './draft-saver';

/** Polls for a value until the test times out. */
async function awaited<T>(find: () => T): Promise<NonNullable<T>> {
  for (;;) {
    const found = find();
    if (found) return found;
    await nextTurn();
  }
}

/** Fake store whose responses the test controls. */
function storeByHand() {
  const stored: string[] = [];
  const waiting: { resolve(): void; reject(error: Error): void }[] = [];
  const store = (written: string): Promise<void> => {
    stored.push(written);
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  return { stored, store, next: () => awaited(() => waiting.shift()) };
}

function saverOf(store: (written: string) => Promise<void>) {
  const states: SaveState[] = [];
  const saver = new DraftSaver('', {
    store,
    isWorthRetrying: (error) => (error as Error).message === 'away',
    onChange: (state) => states.push(state),
    pauseMs: () => 0,
  });
  return { saver, last: () => states.at(-1) };
}

describe('DraftSaver', () => {
  it('stores texts in order, never two at a time', async () => {
    const { stored, store, next } = storeByHand();
    const { saver, last } = saverOf(store);
    saver.write('one');
    const first = await next();
    saver.write('two');
    saver.write('three');
    const flushed = saver.flush();
    expect(stored).toEqual(['one']);
    first.resolve();
    (await next()).resolve();
    await flushed;
    expect(stored).toEqual(['one', 'three']);
    expect(last()).toMatchObject({ isDirty: false, savedAt: expect.any(String) as string });
  });

  it('retries automatically after an outage', async () => {
    const { stored, store, next } = storeByHand();
    const { saver, last } = saverOf(store);
    saver.write('one');
    (await next()).reject(new Error('away'));
    const again = await next();
    expect(last()).toMatchObject({ isDirty: true, retries: true, problem: { message: 'away' } });
    again.resolve();
    await awaited(() => last()?.isDirty === false);
    expect(last()?.problem).toBeUndefined();
    expect(stored).toEqual(['one', 'one']);
  });

  it('waits for a new text after a rejection', async () => {
    const { stored, store, next } = storeByHand();
    const { saver, last } = saverOf(store);
    saver.write('one');
    const flushed = saver.flush();
    (await next()).reject(new Error('refused'));
    await expect(flushed).rejects.toThrow('refused');
    expect(last()).toMatchObject({ isDirty: true, retries: false });
    saver.write('two');
    (await next()).resolve();
    await awaited(() => last()?.isDirty === false);
    expect(stored).toEqual(['one', 'two']);
  });

  it('is clean again when the change is undone', async () => {
    const { stored, store } = storeByHand();
    const { saver, last } = saverOf(store);
    saver.write('one');
    saver.write('');
    await saver.flush();
    expect([stored, last()?.isDirty]).toEqual([[], false]);
  });
});
