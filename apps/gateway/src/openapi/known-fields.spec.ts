import type { Schema } from '@switchboard/contracts';
import { knownFieldsOf, unknownFieldsOf, unusedFieldsOf } from './known-fields';
import { refToName as ref } from './schema-registry';

const text: Schema = { type: 'string' };
const list = (items: Schema): Schema => ({ type: 'array', items });
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });

const schemas = {
  Text: object({ type: text, text: object({ body: text }) }),
  Image: object({
    type: text,
    image: object({ link: text }),
    variables: { type: 'object', additionalProperties: true },
  }),
  Send: { oneOf: [ref('Text'), ref('Image')] },
  Bulk: object({
    recipients: list({
      oneOf: [
        text,
        object({ to: text, variables: { oneOf: [list(text), { type: 'object', additionalProperties: true }] } }),
      ],
    }),
  }),
};
const send = knownFieldsOf(ref('Send'), schemas);
const bulk = knownFieldsOf(ref('Bulk'), schemas);

it.each([
  [{ type: 'text', text: { body: 'x' } }, []],
  [{ type: 'text', image: { link: 'x' }, variables: { anything: { goes: 1 } } }, []],
  [{ typ: 'text', text: { boddy: 'x', body: 'y' }, 1: 2 }, ['1', 'typ', 'text.boddy']],
  [{ text: 'not an object', image: [{ link: 'x', size: 1 }] }, []],
  [JSON.parse('{"__proto__":{"x":1},"constructor":1,"toString":2}'), ['__proto__', 'constructor', 'toString']],
  [[{ x: 1 }], []],
  ['text', []],
  [null, []],
])('finds the unknown fields of %j: %j', (value, unknown) => expect(unknownFieldsOf(value, send)).toEqual(unknown));

it("accepts only the fields of an object's kind", () => {
  const mapping = { text: '#/components/schemas/Text', image: '#/components/schemas/Image' };
  const kinds = knownFieldsOf(ref('Kinds'), {
    ...schemas,
    Kinds: { oneOf: [ref('Text'), ref('Image')], discriminator: { propertyName: 'type', mapping } },
  });
  expect(unknownFieldsOf({ type: 'text', text: { body: 'x' }, image: { link: 'x' } }, kinds)).toEqual(['image']);
  expect(unknownFieldsOf({ type: 'image', image: { link: 'x', body: 'y' }, template: 7 }, kinds)).toEqual([
    'image.body',
    'template',
  ]);
  expect(unknownFieldsOf({ type: 'other', text: { body: 'x' }, image: { link: 'x' } }, kinds)).toEqual([]);
});

it('suggests the known field for a misspelt one', () => {
  const { meant } = unusedFieldsOf({ recipients: [{ to: 'x', To: 'y', t_o: 'z', two: 'w' }] }, bulk);
  expect([...meant]).toEqual([
    ['recipients.0.To', 'recipients.0.to'],
    ['recipients.0.t_o', 'recipients.0.to'],
  ]);
});

it('suggests nothing for names far longer than a field', () => {
  const endless = '_'.repeat(10_000_000);
  const startedAt = process.cpuUsage();
  const { unknown, meant } = unusedFieldsOf({ [`t${endless}o`]: 'x' }, bulk);
  expect([unknown.length, meant.size]).toEqual([1, 0]);
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
});

it('reports the position within a list', () => {
  const recipients = ['919812345678', { to: 'x', variables: { '1': 'a' } }, { to: 'x', fone: 'y', variables: ['a'] }];
  expect(unknownFieldsOf({ recipients }, bulk)).toEqual(['recipients.2.fone']);
});

it('reports at most ten fields', () => {
  const recipients = Array.from({ length: 200_000 }, () => ({ to: 'x' }));
  const startedAt = process.cpuUsage();
  expect(unknownFieldsOf({ recipients }, bulk)).toEqual([]);
  expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
  expect(unknownFieldsOf({ recipients: recipients.map((each) => ({ ...each, x: 1, y: 2 })) }, bulk)).toHaveLength(10);
});
