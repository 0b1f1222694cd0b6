import { AppError } from '@switchboard/contracts';
import { FairLimiter, type FairLimiterOptions } from './fair-limiter';

const queueOf = (options: Partial<FairLimiterOptions> = {}): FairLimiter =>
  new FairLimiter({ total: 2, perAccount: 1, ...options });

/** Runs work that ends on request. `begun` lists the names in start order. */
function worker(queue: FairLimiter) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = async (name: string, account: string, signal?: AbortSignal): Promise<void> => {
    const leave = await queue.enter(account, signal);
    begun.push(name);
    ends.set(name, leave);
  };
  const end = async (name: string): Promise<void> => {
    await new Promise(setImmediate);
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begun, enter, end };
}

describe('fair limiter', () => {
  it('limits an account to its slots, even if others are free', async () => {
    const { begun, enter, end } = worker(queueOf());
    for (const name of ['a1', 'a2', 'a3']) void enter(name, 'a');
    await enter('b1', 'b');
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'a2']);
  });

  it("alternates between accounts and keeps each account's order", async () => {
    const { begun, enter, end } = worker(queueOf({ total: 1 }));
    for (const name of ['a1', 'a2', 'a3']) void enter(name, 'a');
    for (const name of ['b1', 'b2']) void enter(name, 'b');
    void enter('c1', 'c');
    for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it("rejects an entry only when its account's queue is full", async () => {
    const { begun, enter, end } = worker(
      queueOf({ total: 1, full: { waiting: 2, refusal: () => new AppError('RATE_LIMITED') } }),
    );
    for (const name of ['a1', 'a2', 'a3']) void enter(name, 'a');
    await expect(enter('a4', 'a')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    void enter('b1', 'b');
    await end('a1');
    await end('b1');
    void enter('a5', 'a');
    for (const name of ['a2', 'a3', 'a5']) await end(name);
    expect(begun).toEqual(['a1', 'b1', 'a2', 'a3', 'a5']);
  });

  it('drops an aborted entry and continues with the next', async () => {
    const { begun, enter, end } = worker(queueOf({ total: 1 }));
    const reason = new AppError('UNAVAILABLE');
    const aborted = new AbortController();
    void enter('a1', 'a');
    const waiting = enter('b1', 'b', aborted.signal);
    void enter('c1', 'c');
    aborted.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(enter('b2', 'b', aborted.signal)).rejects.toBe(reason);
    for (const name of ['a1', 'c1']) await end(name);
    expect(begun).toEqual(['a1', 'c1']);
  });

  it('frees a slot once when it is released twice', async () => {
    const queue = queueOf({ total: 1 });
    const leave = await queue.enter('a');
    leave();
    leave();
    await queue.enter('a');
    let isIn = false;
    void queue.enter('b').then(() => (isIn = true));
    await new Promise(setImmediate);
    expect(isIn).toBe(false);
  });
});
