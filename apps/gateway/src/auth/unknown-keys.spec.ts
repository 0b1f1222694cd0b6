import { bytesKeptBy } from '@switchboard/testing';
import { UNKNOWN_KEY_TTL_MS, UnknownKeys } from './unknown-keys';

describe('UnknownKeys', () => {
  it('caches unknown keys briefly', () => {
    let now = 1_000;
    const keys = new UnknownKeys(() => now);
    expect(keys.has('a')).toBe(false);
    keys.note('a');
    now += UNKNOWN_KEY_TTL_MS - 1;
    expect([keys.has('a'), keys.has('b')]).toEqual([true, false]);
    now += 1;
    expect(keys.has('a')).toBe(false);
  });

  it('evicts all keys after a change', () => {
    const keys = new UnknownKeys();
    keys.note('a');
    keys.clear();
    expect(keys.has('a')).toBe(false);
  });

  it('evicts the oldest keys first', () => {
    const keys = new UnknownKeys();
    const hashOf = (index: number): string => index.toString(16).padStart(64, '0');
    for (let index = 0; index < 20_000; index += 1) keys.note(hashOf(index));
    expect([keys.has(hashOf(0)), keys.has(hashOf(19_999))]).toEqual([false, true]);
  });

  it('uses at most 4 MiB', async () => {
    const bytes = await bytesKeptBy(() => {
      const keys = new UnknownKeys();
      for (let index = 0; index < 100_000; index += 1) keys.note(index.toString(16).padStart(64, '0'));
      return keys;
    });
    expect(bytes).toBeLessThan(5 * 1024 * 1024);
  });
});
