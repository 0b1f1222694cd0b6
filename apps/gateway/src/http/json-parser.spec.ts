import { boundExceeded, type JsonBounds, withoutNulls } from './json-parser';

const exceeded = (json: string, bounds?: JsonBounds): keyof JsonBounds | undefined =>
  boundExceeded(Buffer.from(json), bounds);
const tooDeep = (json: string, depth?: number): boolean => exceeded(json, { depth }) === 'depth';

describe('JSON depth', () => {
  it.each([
    ['{}', 1, false],
    ['[[]]', 1, true],
    ['{"a":[{}]}', 3, false],
    ['{"a":[{}]}', 2, true],
    ['["[[[[[["]', 1, false],
    ['["\\"[[[["]', 1, false],
    ['["\\\\",[]]', 1, true],
    ['[[],[],[]]', 2, false],
    ['', 1, false],
    ['"never closed [[[[', 1, false],
  ])('checks that %s is deeper than %s levels: %s', (json, maxDepth, deeper) => {
    expect(tooDeep(json, maxDepth)).toBe(deeper);
  });

  it('allows up to 64 levels', () => {
    expect(tooDeep('['.repeat(64))).toBe(false);
    expect(tooDeep('['.repeat(20_000))).toBe(true);
  });
});

describe('JSON bounds', () => {
  it.each([
    ['{"a":1,"b":2}', { members: 2 }, undefined],
    ['{"a":1,"b":2,"c":3}', { members: 2 }, 'members'],
    ['{"a":1,"a":2,"a":3}', { members: 2 }, 'members'],
    ['{"__proto__":1,"1":2,"2":3}', { members: 2 }, 'members'],
    ['{"a":{"b":1,"c":2},"d":{"e":1,"f":2}}', { members: 2 }, undefined],
    ['{"a":[{"b":1},{"b":1},{"b":1}]}', { members: 1 }, undefined],
    ['{"a":[{"b":1,"c":1}]}', { members: 1 }, 'members'],
    ['{"a":[1,2,3,4],"b":":::::"}', { members: 2 }, undefined],
    ['{"a":{},"b":1,"c":1}', { members: 2 }, 'members'],
    ['{"\\":":","\\"":":"}', { members: 2 }, undefined],
    ['[[],{},[]]', { containers: 4 }, undefined],
    ['[[],{},[]]', { containers: 3 }, 'containers'],
    ['["[","{"]', { containers: 1 }, undefined],
    [']]]{"a":1}', { depth: 1, members: 1 }, undefined],
  ] satisfies [string, JsonBounds, keyof JsonBounds | undefined][])(
    'finds that %s with the bounds %j exceeds %s',
    (json, bounds, bound) => {
      expect(exceeded(json, bounds)).toBe(bound);
    },
  );
});

describe('withoutNulls', () => {
  it.each([
    ['{"a":null,"b":{"c":null,"d":0},"e":[null,{"f":null}],"g":""}', '{"b":{"d":0},"e":[null,{}],"g":""}'],
    ['null', 'null'],
    ['[null]', '[null]'],
    ['"x"', '"x"'],
  ])('converts %s to %s', (given, read) => {
    expect(JSON.stringify(withoutNulls(JSON.parse(given)))).toBe(read);
  });
});
