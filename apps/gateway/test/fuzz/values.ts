import fc from 'fast-check';

/** JSON text without a JavaScript equivalent: excessive precision, repeated names, endless nesting. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** Serializes like JSON.stringify, but inserts raw text unchanged. */
export function toJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(toJson).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${toJson(member)}`)
    .join()}}`;
}

const nested = (depth: number): RawJson => new RawJson('['.repeat(depth) + ']'.repeat(depth));
const nestedObjects = (depth: number): RawJson => new RawJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

/** Texts that often break servers. */
export const hostileText = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfff',
  '\uFEFF',
  '\u202Egnp',
  '٩١٩٨١٢٣٤٥٦٧٨',
  '😀'.repeat(20),
  'e\u0301'.repeat(50),
  'null',
  'undefined',
  'NaN',
  '-0',
  '1e309',
  '0x10',
  'true',
  '__proto__',
  'constructor',
  'toString',
  '%00',
  '%',
  '../..',
  '..%2f',
  '${7*7}',
  '{{1}}',
  "' OR 1=1 --",
  '"; DROP TABLE messages; --',
  '<script>alert(1)</script>',
  '\r\nX-Evil: 1',
  '+919812345678',
  '919812345678 ',
  '9'.repeat(16),
  '9'.repeat(400),
  'x'.repeat(4096),
  'x'.repeat(4097),
  'x'.repeat(100_000),
  '👍'.repeat(2048),
  'http://127.0.0.1/',
  'https://[::1]/a',
  'file:///etc/passwd',
  'https://' + 'a'.repeat(3000),
);

export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      2 ** 31,
      2 ** 53,
      -(2 ** 63),
      1e308,
      [],
      {},
      [[]],
      [null],
      [{}],
      { length: 1e9 },
      { toString: 'x' },
      { $gt: '' },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      ...[
        '9007199254740993',
        '9223372036854775808',
        '-9223372036854775809',
        '1e400',
        `${'9'.repeat(1000)}`,
        '0.1e-400',
        '"\\ud800"',
        '"\\u0000"',
        '{"__proto__":{"polluted":1}}',
      ].map((text) => new RawJson(text)),
      nested(62),
      nested(63),
      nested(64),
      nested(65),
      nested(20_000),
      nestedObjects(63),
      nestedObjects(64),
      nestedObjects(20_000),
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** Removes one position of a value or replaces it with a hostile value. */
export function mutated(value: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.nat(), hostileValue, fc.constantFrom('replace', 'replace', 'remove', 'add', 'repeat'))
    .map(([choice, hostile, how]) => {
      const places = placesIn(value);
      const place = places[choice % places.length] ?? [];
      return changed(value, place, { how, hostile });
    });
}

type Place = string[];

function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== 'object' || value === null || value instanceof RawJson) return [at];
  return [at, ...Object.entries(value).flatMap(([name, member]) => placesIn(member, [...at, name]))];
}

function changed(value: unknown, [name, ...rest]: Place, change: { how: string; hostile: unknown }): unknown {
  if (name === undefined) return changedHere(value, change);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === name ? changed(item, rest, change) : item));
  const record = value as Record<string, unknown>;
  if (rest.length === 0 && change.how === 'remove')
    return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
  return Object.fromEntries(
    Object.entries(record).map(([key, member]) => [key, key === name ? changed(member, rest, change) : member]),
  );
}

function changedHere(value: unknown, { how, hostile }: { how: string; hostile: unknown }): unknown {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RawJson);
  if (!isRecord || how === 'replace' || how === 'remove') return hostile;
  const inner = toJson(value).slice(1, -1);
  const name = how === 'add' ? '"__proto__"' : ((/^("[^"]*")/.exec(inner) ?? [])[1] ?? '"to"');
  return new RawJson(`{${[inner, `${name}:${toJson(hostile)}`].filter(Boolean).join()}}`);
}
