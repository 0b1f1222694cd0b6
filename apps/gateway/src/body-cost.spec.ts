import './app.module';
import './openapi/common-bodies';
import { AppError, type BodyClass, parseBody } from '@switchboard/contracts';
import { getMetadataStorage } from 'class-validator';

const BYTES = 524_288;
/** Maximum CPU time in milliseconds per half megabyte. The usual cost is 25 ms; a quadratic step would take seconds. */
const MOST_MS = 100;

/** Builds a list that fills the size budget. */
function listOf(element: (index: number) => unknown): unknown[] {
  return Array.from({ length: Math.floor(BYTES / (JSON.stringify(element(99_999)).length + 1)) }, (_, index) =>
    element(index),
  );
}

/** Builds an object that fills the size budget. */
function objectOf(nameOf: (index: number) => string): Record<string, unknown> {
  return Object.fromEntries(listOf((index) => [nameOf(index), 1]) as [string, number][]);
}

const HOSTILE: Record<string, unknown> = {
  'unknown keys': objectOf((index) => `k${index}`),
  'numeric keys': objectOf((index) => String(index * 7_919)),
  'keys named __proto__ in a list': listOf(() => JSON.parse('{"__proto__":{"admin":true}}')),
  'keys named constructor in a list': listOf(() => ({ constructor: 'x', toString: 1 })),
  'a list of objects with unknown keys': listOf((index) => ({
    [`k${index}`]: 1,
    to: '919812345678',
    type: 'text',
    text: { body: 'x' },
  })),
  'a list of objects of a thousand keys': Array.from({ length: 40 }, (_, list) =>
    Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`k${list}_${index}`, 1])),
  ),
  'recipients with 30,000 variables': [
    {
      to: '919812345678',
      variables: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`v${index}`, 'x'])),
    },
  ],
  'empty objects': Array.from({ length: 50_000 }, () => ({})),
  // The parser rejects bodies with deeper nesting than this.
  'lists in lists': Array.from({ length: 10_000 }, () => [[[[]]]]),
  numbers: listOf(() => 1),
  'phone numbers': listOf(() => '919812345678'),
  'deep lists': Array.from({ length: 1_000 }, () => JSON.parse('['.repeat(50) + ']'.repeat(50))),
  'a long text': 'x'.repeat(BYTES),
  'a long text of digits': '9'.repeat(BYTES),
  'a long text of emoji': '👋'.repeat(BYTES / 4),
  'a long text of white space': ' '.repeat(BYTES),
  'a long link': `https://example.com/${'a/'.repeat(BYTES / 2)}`,
  'a long time': `2026-01-01T00:00:00.${'0'.repeat(BYTES)}`,
};

const KEYS = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));

/** All decorated classes that the gateway loads, for bodies of the API, the console and messages. */
const CLASSES = [
  ...(getMetadataStorage() as unknown as { validationMetadatas: Map<BodyClass, unknown> }).validationMetadatas.keys(),
];
/** Classes with the most fields, or with rules that scan every character. */
const RICH = ['SignInBody', 'ReplayDroppedBody', 'SendMessageRequest', 'TemplateContent', 'CreateJobCommand'];

function propertiesOf(type: BodyClass): string[] {
  return [
    ...new Set(
      getMetadataStorage()
        .getTargetValidationMetadatas(type, '', false, false)
        .map(({ propertyName }) => propertyName),
    ),
  ];
}

/**
 * Measures the CPU time of validating a body, in milliseconds. Returns the best of several tries to exclude other load.
 */
function costOf(type: BodyClass, body: object, tries = 4): number {
  let best = Infinity;
  for (let left = tries; left > 0 && (left === tries || best > MOST_MS); left -= 1) {
    const before = process.cpuUsage();
    judge(type, body);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

function judge(type: BodyClass, body: object): void {
  try {
    parseBody(type, body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(JSON.stringify(error.toBody()).length).toBeLessThan(65_536);
  }
}

interface Place {
  type: BodyClass;
  where: string;
  body: object;
}

/** Lists the positions for the hostile value: the root, an unknown field and each property. */
function placesOf(type: BodyClass, hostile: unknown): Place[] {
  const inside = ['unknownField', ...propertiesOf(type)].map((name) => ({
    type,
    where: `${type.name}.${name}`,
    body: { type: 'template', [name]: hostile },
  }));
  return typeof hostile === 'object' && !Array.isArray(hostile)
    ? [{ type, where: type.name, body: hostile as object }, ...inside]
    : inside;
}

function expensive(places: readonly Place[]): object[] {
  return places.map(({ type, where, body }) => ({ where, ms: costOf(type, body) })).filter(({ ms }) => ms > MOST_MS);
}

describe('body validation cost', () => {
  it.each([...CLASSES.map((type) => [type.name, type] as const)])(
    'validates %s with 20,000 keys within the limit',
    (_name, type) => {
      expect(expensive(placesOf(type, KEYS).slice(1, 3))).toEqual([]);
    },
  );

  it.each(Object.keys(HOSTILE))('validates half a megabyte of %s within the limit', (kind) => {
    const types = CLASSES.filter(({ name }) => RICH.includes(name));
    expect(types).toHaveLength(RICH.length);
    expect(expensive(types.flatMap((type) => placesOf(type, HOSTILE[kind])))).toEqual([]);
  });
});
