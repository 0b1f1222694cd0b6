import fc from 'fast-check';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  pattern?: string;
  format?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
}

export interface Sources {
  resolve(ref: string): JsonSchema;
  /** Meaningful values by field name. */
  known: Record<string, string[]>;
  /** Meaningful file contents by field name. */
  files?: Record<string, Buffer>;
}

const LINKS = ['https://example.com/a.png', 'https://example.org/b/c.pdf?d=1', 'https://media.example.net:8443/x.mp4'];
const MAX_ITEMS = 3;

/** Generates values that match a schema, including its bounds. */
export function valuesOf(schema: JsonSchema, sources: Sources, field = ''): fc.Arbitrary<unknown> {
  if (schema.$ref) return valuesOf(sources.resolve(schema.$ref), sources, field);
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices) return fc.oneof(...choices.map((choice) => valuesOf(choice, sources, field)));
  const type = [schema.type].flat()[0];
  if (type === 'object') return objectsOf(schema, sources);
  if (type === 'array') return fc.array(valuesOf(schema.items ?? {}, sources, field), { maxLength: MAX_ITEMS });
  if (type === 'integer') return integersOf(schema);
  if (type === 'boolean') return fc.boolean();
  const known = sources.known[field] ?? [];
  const texts = textsOf(schema);
  return known.length > 0
    ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: texts })
    : texts;
}

function objectsOf({ properties = {}, required = [] }: JsonSchema, sources: Sources): fc.Arbitrary<object> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, valuesOf(member, sources, name)]),
  );
  return fc.record(members, { requiredKeys: required.filter((name) => name in members) });
}

function integersOf({ minimum = 0, maximum = 1000 }: JsonSchema): fc.Arbitrary<number> {
  return fc.oneof(fc.constant(minimum), fc.constant(maximum), fc.integer({ min: minimum, max: maximum }));
}

function textsOf({ pattern, format, minLength = 0, maxLength = 200 }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'uri') return fc.constantFrom(...LINKS);
  if (format === 'date-time')
    return fc
      .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  const characters = fc.constantFrom(...'abc XYZ019_-.,é中'.split(''));
  const limits = [minLength, maxLength].map((length) => fc.constant('x'.repeat(length)));
  return fc.oneof(
    { weight: 1, arbitrary: fc.oneof(...limits) },
    { weight: 3, arbitrary: fc.string({ unit: characters, minLength, maxLength: Math.min(maxLength, 60) }) },
  );
}
