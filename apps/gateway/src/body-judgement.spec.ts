import './users/user.bodies';
import './webhooks/webhook.bodies';
import './templates/template.bodies';
import './jobs/excel-fields';
import './templates/templates.controller';
import {
  type BodyClass,
  type BodyProperty,
  faultsOf,
  isObject,
  MAX_FAULTS,
  propertiesOf,
  readBody,
} from '@switchboard/contracts';
import { getMetadataStorage, type ValidationError, validateSync } from 'class-validator';
import fc from 'fast-check';

const CLASSES = [
  ...(getMetadataStorage() as unknown as { validationMetadatas: Map<BodyClass, unknown> }).validationMetadatas.keys(),
];
/** Maximum nesting depth of generated values, since record classes refer to each other. */
const MAX_DEPTH = 3;

/** Values of unexpected types. */
const STRANGE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    '',
    ' ',
    0,
    -1,
    1.5,
    true,
    false,
    'text',
    '919812345678',
    '+91 98',
    'a\u0000b',
    '\uD800',
  ),
  fc.constantFrom([], {}, [null], [[]], ['x', 1], { a: 1 }, [{}], { length: 2 }, 'x'.repeat(5_000), [{}, {}, {}]),
  fc.constantFrom(
    '2026-03-02T10:15:00.000Z',
    'https://example.com/a',
    'http://10.0.0.1/',
    'IN',
    'en_US',
    'text',
    'template',
  ),
);

/** Generates bodies of a class, mostly valid, with some invalid values. */
function bodiesOf(type: BodyClass, depth = 0): fc.Arbitrary<Record<string, unknown>> {
  const members = propertiesOf(type).map((property) => [property.name, valuesOf(property, depth)] as const);
  return fc.record({ ...Object.fromEntries(members), unknownField: fc.constant(1) }, { requiredKeys: [] });
}

function valuesOf(property: BodyProperty, depth: number): fc.Arbitrary<unknown> {
  const right = rightValuesOf(property, depth);
  const isList = property.rules.some(({ name, each }) => name === 'isArray' || each);
  const value = isList ? fc.array(fc.oneof({ weight: 6, arbitrary: right }, STRANGE), { maxLength: 3 }) : right;
  return fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: STRANGE });
}

function rightValuesOf({ rules, typeOf }: BodyProperty, depth: number): fc.Arbitrary<unknown> {
  if (typeOf) return depth < MAX_DEPTH ? bodiesOf(typeOf({}), depth + 1) : fc.constant({});
  const has = (wanted: string): boolean => rules.some((rule) => rule.name === wanted);
  const listed = rules.find((rule) => rule.name === 'isIn' || rule.name === 'equals')?.constraints[0];
  if (listed !== undefined) return fc.constantFrom(...([listed].flat() as unknown[]));
  if (has('isInt')) return fc.integer({ min: -2, max: 1_200 });
  if (has('isNumber')) return fc.double();
  if (has('isBoolean')) return fc.boolean();
  if (has('isObject') || has('isObjectOrList')) return fc.dictionary(fc.string(), fc.integer(), { maxKeys: 3 });
  if (has('isRecipient')) return fc.constantFrom('919812345678', 'US.10000000000000000001', '123', 'us.1');
  if (has('isPhoneNumber')) return fc.constantFrom('919812345678', '15550783881', '123', '+919812345678');
  return fc.oneof(STRANGE, fc.string());
}

/** Returns the result of class-validator, the reference implementation. */
function referenceOf(type: BodyClass, plain: Record<string, unknown>): { faults: object; body: unknown } {
  const body = instanceOf(type, plain);
  const faults = Object.fromEntries(validateSync(body, { whitelist: true }).flatMap((error) => entriesOf(error, '')));
  return { faults, body };
}

/** Creates an instance with all given properties; class-validator then removes undeclared ones. */
function instanceOf(type: BodyClass, plain: Record<string, unknown>): object {
  const body: Record<string, unknown> = { ...plain };
  for (const { name, typeOf, transform } of propertiesOf(type)) {
    if (!Object.hasOwn(plain, name)) continue;
    const value = typeOf ? instancesOf(typeOf(plain), plain[name]) : plain[name];
    body[name] = transform ? transform(value) : value;
  }
  return Object.assign(new type(), body);
}

function instancesOf(type: BodyClass, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => instancesOf(type, element));
  return isObject(value) ? instanceOf(type, value) : value;
}

function entriesOf(
  { property, value, constraints, children = [] }: ValidationError,
  path: string,
): [string, string[]][] {
  const field = path + property;
  // The validator skips the elements of a list that exceeds its maximum length.
  const isTooLong = Array.isArray(value) && constraints?.['arrayMaxSize'] !== undefined;
  const inner = isTooLong ? [] : children.flatMap((child) => entriesOf(child, `${field}.`));
  return constraints ? [[field, Object.values(constraints).sort()], ...inner] : inner;
}

function judgedHere(type: BodyClass, plain: Record<string, unknown>): { faults: object; body: unknown } {
  const body = readBody(type, plain);
  const faults = new Map(faultsOf(body).map(({ field, broken }) => [field, broken.map(({ message }) => message())]));
  return { faults: Object.fromEntries([...faults].map(([field, messages]) => [field, messages.sort()])), body };
}

/** Keeps only the expected faults that validation can find before it stops at `MAX_FAULTS`. */
function firstOf(expected: object, found: object): object {
  const isCutOff = Object.keys(expected).length > MAX_FAULTS && Object.keys(found).length >= MAX_FAULTS;
  return isCutOff ? Object.fromEntries(Object.entries(expected).filter(([field]) => field in found)) : expected;
}

/** Drops values that no rule covers, such as content of another message type. class-validator leaves them unchanged. */
function judgedPartOf(type: BodyClass, body: unknown): unknown {
  const values = body as Record<string, unknown>;
  const judged = propertiesOf(type).filter(({ name, conditions }) =>
    conditions.every((holds) => holds(values, values[name])),
  );
  return asJson(Object.fromEntries(judged.map(({ name }) => [name, values[name]])));
}

const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, inner: unknown) => (name === 'unknownField' ? undefined : inner)));

describe('body validation', () => {
  it.each(CLASSES.map((type) => [type.name, type] as const))('agrees with class-validator on %s', (_name, type) => {
    fc.assert(
      fc.property(bodiesOf(type), (plain) => {
        const expected = referenceOf(type, structuredClone(plain));
        const found = judgedHere(type, structuredClone(plain));
        expect(found.faults).toEqual(firstOf(expected.faults, found.faults));
        if (Object.keys(expected.faults).length === 0)
          expect(judgedPartOf(type, found.body)).toEqual(judgedPartOf(type, expected.body));
      }),
      { numRuns: 60, seed: 20261124 },
    );
  });
});
