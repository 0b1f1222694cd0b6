import { UNKNOWN_KEY_TTL_MS, UnknownKeys } from './unknown-keys';

describe('keys that do not exist', () => {
  it('are known to be unknown for a moment', () => {
    let now = 1_000;
    const keys = new UnknownKeys(() => now);
    expect(keys.has('a')).toBe(false);
    keys.note('a');
    now += UNKNOWN_KEY_TTL_MS - 1;
    expect([keys.has('a'), keys.has('b')]).toEqual([true, false]);
    now += 1;
    expect(keys.has('a')).toBe(false);
  });

  it('are forgotten when something has changed', () => {
    const keys = new UnknownKeys();
    keys.note('a');
    keys.clear();
    expect(keys.has('a')).toBe(false);
  });

  it('are bounded: the oldest go first', () => {
    const keys = new UnknownKeys();
    for (let index = 0; index < 10_001; index += 1) keys.note(String(index));
    expect([keys.has('0'), keys.has('1'), keys.has('10000')]).toEqual([false, true, true]);
  });
});
