import { canonicalText } from './canonical-text';

const canonical = (json: string): string => canonicalText(JSON.parse(json));

/** Maximum cost, as a multiple of printing and parsing the value: about twice that of the most expensive case. */
const MOST_TIMES = 12;
const TRIES = 8;

/** Measures CPU time in microseconds. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Returns the cost of canonicalText as a multiple of printing and parsing the value. Both are measured by turns, and
 * the best try of each counts, so that neither a slow machine nor other load changes the result.
 */
function costOf(value: unknown): number {
  const tries = Array.from({ length: TRIES }, () => ({
    canonical: cpuOf(() => canonicalText(value)),
    json: cpuOf(() => JSON.parse(JSON.stringify(value))),
  }));
  const best = (key: 'canonical' | 'json') => Math.min(...tries.map((one) => one[key]));
  return best('canonical') / best('json');
}

describe('canonicalText', () => {
  it.each([
    ['{"b":1,"a":2}', '{"a":2,"b":1}'],
    [' { "a" : [ 1.0, 1e0, "\\u0061" ] } ', '{"a":[1,1,"a"]}'],
    ['{"a":[{"d":1,"c":{"z":0,"y":[]}},{"c":1}]}', '{"a":[{"c":{"y":[],"z":0},"d":1},{"c":1}]}'],
    ['[[1,{"a":1}],{"b":{"d":1,"c":1},"a":1},[2],{}]', '[[1,{"a":1}],{"a":1,"b":{"c":1,"d":1}},[2],{}]'],
    ['{"10":1,"b":3,"9":2,"a":4,"":5}', '{"":5,"a":4,"b":3,"9":2,"10":1}'],
  ])('returns the same text for %s and %s', (one, other) => expect(canonical(one)).toBe(canonical(other)));

  it.each([
    ['[1,2]', '[2,1]'],
    ['{"a":"1"}', '{"a":1}'],
    ['{"a":1,"b":2}', '{"a":2,"b":1}'],
    ['{"a":{"b":1},"c":2}', '{"a":{"b":1,"c":2}}'],
    ['{"a":[]}', '{"a":{}}'],
    ['{"a":"x"}', '{"a":"x "}'],
    ['{"a":1}', '{"A":1}'],
    ['{"a":1}', '["a",1]'],
    ['[[]]', '[[1]]'],
    ['[[1]]', '[{"a":1}]'],
    ['[{}]', '[[0]]'],
    ['{"a":[1,2]}', '{"a":[1],"b":2}'],
    ['{"a":{"b":1}}', '{"a":[1,"b",1]}'],
    ['null', '{}'],
    ['""', '[]'],
  ])('distinguishes %s from %s', (one, other) => expect(canonical(one)).not.toBe(canonical(other)));

  it('returns an empty text without a body', () => expect(canonicalText(undefined)).toBe(''));

  it.each<[string, unknown]>([
    [
      'objects of a thousand names',
      Array.from({ length: 100 }, () =>
        Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${(index * 7_919) % 1_000}`, 1])),
      ),
    ],
    [
      'recipients',
      Array.from({ length: 20_000 }, (_, index) => ({ to: `9198${index}`, variables: ['A'], clientRef: `r${index}` })),
    ],
    ['small objects', Array.from({ length: 76_000 }, () => ({ b: 1, a: 1 }))],
    ['objects in objects', Array.from({ length: 65_536 }, () => ({ a: {} }))],
    ['phone numbers', { type: 'text', recipients: Array.from({ length: 70_000 }, () => '919812345678') }],
    ['numbers', Array.from({ length: 500_000 }, () => 1)],
    ['one text', { b: 'x'.repeat(1_000_000), a: '' }],
  ])('canonicalises 1 MB of %s in a multiple of the parsing time', (_kind, value) =>
    expect(costOf(value)).toBeLessThan(MOST_TIMES),
  );
});
