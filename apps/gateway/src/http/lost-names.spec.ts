import { countMembers, type LostName, lostNames } from './lost-names';

/** Parses as the gateway does, dropping names that would change a prototype. */
const parsed = (json: string): unknown =>
  JSON.parse(json.replace(/^\uFEFF/, ''), (_name, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !['__proto__', 'constructor'].includes(name)));
  });
const lostIn = (json: string): LostName[] => lostNames(json, parsed(json));
const repeated = (field: string): LostName => ({ field, isRepeated: true });
const leftOut = (field: string): LostName => ({ field, isRepeated: false });

describe('lostNames', () => {
  it.each<[string, LostName[]]>([
    ['{"a":1,"a":2}', [repeated('a')]],
    ['{"a":1,"\\u0061":2,"a":3}', [repeated('a')]],
    ['{"to":"1","text":{"body":"x","body":"y"}}', [repeated('text.body')]],
    ['\uFEFF{ "a" : [ 1 , { "b" : {} , "b" : "}" } ] }', [repeated('a.1.b')]],
    ['{"a":{"x":1,"y":2},"b":0,"a":{"z":1}}', [repeated('a')]],
    ['{"a":{"x":1,"x":2},"a":{"x":1,"x":2}}', [repeated('a'), repeated('a.x')]],
    ['{"__proto__":{"a":1},"b":[{"\\u005f_proto__":1}]}', [leftOut('__proto__'), leftOut('b.0.__proto__')]],
    ['{"constructor":{"prototype":{"a":1}}}', [leftOut('constructor')]],
    ['{"a":"{\\"b\\":1,\\"b\\":2}","c":[[],[1.5e3,null,true,"\\\\"]],"d":{}}', []],
    ['{"a":null}', []],
    ['[]', []],
  ])('returns the lost names of %s: %j', (json, lost) => {
    expect(lostIn(json)).toEqual(lost);
  });

  it('returns at most ten names', () => {
    expect(lostIn(`{${Array.from({ length: 40 }, (_unused, index) => `"n${index % 20}":1`).join()}}`)).toHaveLength(10);
  });
});

it.each([
  ['{"a":1,"b":{"c":[{"d":1},{}]}}', 4],
  ['[1,"x",null]', 0],
])('counts the members of %s', (json, count) => expect(countMembers(JSON.parse(json))).toBe(count));
