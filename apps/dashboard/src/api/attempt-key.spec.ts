import { AttemptKey } from './attempt-key';

const failing = (status?: number) => () => Promise.reject(Object.assign(new Error('failed'), { more: { status } }));

/** Returns the keys of two equal requests, where the first one ends as given. */
async function keysAfter(first: () => Promise<string>, second: object = { to: '1' }): Promise<[string, string]> {
  const attempt = new AttemptKey();
  const keys: string[] = [];
  await attempt
    .of({ to: '1' }, (key) => {
      keys.push(key);
      return first();
    })
    .catch(() => undefined);
  await attempt.of(second, (key) => Promise.resolve(keys.push(key)));
  return keys as [string, string];
}

describe('AttemptKey', () => {
  it.each([
    ['no response', undefined],
    ['an unknown outcome', 504],
    ['an outage', 503],
    ['a pending attempt', 409],
  ])('keeps the key after %s', async (_what, status) => {
    const [first, second] = await keysAfter(failing(status));
    expect(second).toBe(first);
  });

  it.each([
    ['a success', () => Promise.resolve('done')],
    ['a rejection', failing(400)],
  ])('uses a new key after %s', async (_what, end) => {
    const [first, second] = await keysAfter(end);
    expect(second).not.toBe(first);
  });

  it('stores the key across page loads until the outcome is known', async () => {
    let stored = { key: '', asked: '' };
    const keep = (attempted: typeof stored): void => void (stored = attempted);
    const keys: string[] = [];
    const send = (key: string) => Promise.reject(Object.assign(new Error(String(keys.push(key))), { more: {} }));
    await new AttemptKey(stored, keep).of({ to: '1' }, send).catch(() => undefined);
    await new AttemptKey(stored, keep).of({ to: '1' }, (key) => Promise.resolve(keys.push(key)));
    expect(keys[1]).toBe(keys[0]);
    expect(stored.key).toBe('');
  });

  it('uses a new key for a different request', async () => {
    const [first, second] = await keysAfter(failing(504), { to: '2' });
    expect(second).not.toBe(first);
  });
});
