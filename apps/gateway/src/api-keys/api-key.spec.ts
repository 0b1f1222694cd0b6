import { createHash } from 'node:crypto';
import { fingerprintOf, generateApiKey, hashOf, isWellFormedKey, parseAuthorization } from './api-key';

const KEY = generateApiKey();
const flipped = (key: string, position: number): string => {
  const other = key.charAt(position) === 'a' ? 'b' : 'a';
  return key.slice(0, position) + other + key.slice(position + 1);
};

describe('API key', () => {
  it('has the documented format', () => {
    expect(KEY).toMatch(/^sb_live_[0-9A-Za-z]{24}[0-9A-Za-z]{6}$/);
    expect(isWellFormedKey(KEY)).toBe(true);
  });

  it('is unique', () => {
    expect(new Set(Array.from({ length: 1000 }, generateApiKey)).size).toBe(1000);
  });

  it('uses every character of the alphabet', () => {
    const seen = new Set(Array.from({ length: 500 }, generateApiKey).flatMap((key) => [...key.slice(8, 32)]));
    expect(seen.size).toBe(62);
  });

  it('matches a known checksum', () => {
    // Computed with Python: binascii.crc32(b'0' * 24) = 402651051, in base 62.
    expect(isWellFormedKey(`sb_live_${'0'.repeat(24)}0RFTvn`)).toBe(true);
  });

  it('is rejected if any single character is wrong', () => {
    for (let position = 0; position < KEY.length; position += 1)
      expect(isWellFormedKey(flipped(KEY, position))).toBe(false);
  });

  it.each([
    ['', 'nothing'],
    ['sb_live_', 'the scheme alone'],
    [KEY.slice(0, -1), 'a cut key'],
    [`${KEY}0`, 'a longer key'],
    [` ${KEY}`, 'a leading space'],
    [`${KEY}\n`, 'a line end'],
    [KEY.replace('sb_live_', 'sb_test_'), 'another scheme'],
    [KEY.replace('sb_live_', 'SB_LIVE_'), 'an upper-case scheme'],
    [`sb_live_${'é'.repeat(30)}`, 'other letters'],
    [`sb_live_${'0'.repeat(10_000)}`, 'a very long key'],
  ])('rejects %j: %s', (text) => {
    expect(isWellFormedKey(text)).toBe(false);
  });

  it('is stored as a hash with a prefix and last characters', () => {
    expect(fingerprintOf(KEY)).toEqual({
      sha256: createHash('sha256').update(KEY, 'utf8').digest(),
      prefix: KEY.slice(0, 12),
      lastFour: KEY.slice(-4),
    });
    expect(hashOf(KEY)).toHaveLength(32);
  });
});

describe('Authorization header', () => {
  it.each([`Bearer ${KEY}`, `bearer ${KEY}`, `BEARER   ${KEY}`])('provides the key from %s', (header) => {
    expect(parseAuthorization(header)).toBe(KEY);
  });

  it.each([
    undefined,
    '',
    'Bearer',
    'Bearer ',
    KEY,
    `Basic ${KEY}`,
    `Bearer ${KEY} x`,
    `Bearer${KEY}`,
    `Bearer "${KEY}"`,
    `Bearer ${flipped(KEY, 20)}`,
  ])('provides no key from %j', (header) => {
    expect(parseAuthorization(header)).toBeUndefined();
  });
});
