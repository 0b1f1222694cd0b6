import { isNestedTooDeeply, withoutNulls } from './json-parser';

const tooDeep = (json: string, maxDepth?: number): boolean => isNestedTooDeeply(Buffer.from(json), maxDepth);

describe('the depth of JSON', () => {
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
  ])('%s is deeper than %s: %s', (json, maxDepth, deeper) => {
    expect(tooDeep(json, maxDepth)).toBe(deeper);
  });

  it('stops at 64 levels', () => {
    expect(tooDeep('['.repeat(64))).toBe(false);
    expect(tooDeep('['.repeat(20_000))).toBe(true);
  });
});

describe('nulls in a request', () => {
  it.each([
    ['{"a":null,"b":{"c":null,"d":0},"e":[null,{"f":null}],"g":""}', '{"b":{"d":0},"e":[null,{}],"g":""}'],
    ['null', 'null'],
    ['[null]', '[null]'],
    ['"x"', '"x"'],
  ])('%s is read as %s', (given, read) => {
    expect(JSON.stringify(withoutNulls(JSON.parse(given)))).toBe(read);
  });
});
