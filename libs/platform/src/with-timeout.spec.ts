import { withTimeout } from './with-timeout';

const late = (): Error => new Error('late');

describe('withTimeout', () => {
  it('returns the result of the work, or throws its error', async () => {
    await expect(withTimeout(Promise.resolve(7), 1_000, late)).resolves.toBe(7);
    await expect(withTimeout(Promise.reject(new RangeError('ours')), 1_000, late)).rejects.toThrow(RangeError);
  });

  it('rejects work that ends too late', async () => {
    await expect(withTimeout(new Promise(() => undefined), 1, late)).rejects.toThrow('late');
  });

  it('accepts a result that arrived while the process was busy', async () => {
    const answered = new Promise<number>((resolve) => setTimeout(() => resolve(7), 2));
    const waiting = withTimeout(answered, 1, late);
    const until = performance.now() + 20;
    while (performance.now() < until); // Both timers are due when the loop ends.
    await expect(waiting).resolves.toBe(7);
  });
});
