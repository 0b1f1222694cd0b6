import type { JsonObject } from '../json';
import type { StoredTemplate } from './seed';
import { checkTemplateSend } from './validate-template';

const stored = (components: StoredTemplate['components'], more: Partial<StoredTemplate> = {}): StoredTemplate => ({
  id: '1',
  name: 'news',
  language: 'en_US',
  status: 'APPROVED',
  category: 'MARKETING',
  parameter_format: 'POSITIONAL',
  components: [...components, { type: 'BODY', text: 'News.' }],
  ...more,
});

/** Returns the media that the check requested; throws its errors. */
function check(template: StoredTemplate, components: JsonObject[]): unknown[] {
  const media: unknown[] = [];
  checkTemplateSend(
    { name: 'news', language: { code: 'en_US' }, components },
    { find: () => template },
    (kind, given) => media.push([kind, given]),
  );
  return media;
}

const code = (wanted: number) => expect.objectContaining({ code: wanted }) as Error;
const header = (...parameters: JsonObject[]): JsonObject => ({ type: 'header', parameters });
const button = (subType: string, ...parameters: JsonObject[]): JsonObject => ({
  type: 'button',
  sub_type: subType,
  index: '0',
  parameters,
});
const link = 'https://example.com/a.png';

describe('template send header', () => {
  it("needs media of the template's kind", () => {
    const template = stored([{ type: 'HEADER', format: 'IMAGE' }]);
    expect(check(template, [header({ type: 'image', image: { link } })])).toEqual([['image', { link }]]);
    expect(() => check(template, [])).toThrow(code(132012));
    expect(() => check(template, [header({ type: 'video', video: { link } })])).toThrow(code(132012));
    expect(() =>
      check(template, [header({ type: 'image', image: { link } }, { type: 'image', image: { link } })]),
    ).toThrow(code(132000));
  });

  it('accepts a location or a text', () => {
    expect(
      check(stored([{ type: 'HEADER', format: 'LOCATION' }]), [
        header({ type: 'location', location: { latitude: 1, longitude: 2 } }),
      ]),
    ).toEqual([]);
    expect(() => check(stored([{ type: 'HEADER', format: 'LOCATION' }]), [header({ type: 'location' })])).toThrow(
      code(100),
    );
    expect(
      check(stored([{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' }]), [header({ type: 'text', text: 'Ana' })]),
    ).toEqual([]);
    expect(() => check(stored([{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' }]), [])).toThrow(code(132000));
  });
});

describe('template send body', () => {
  const named = stored([], {
    parameter_format: 'NAMED',
    components: [{ type: 'BODY', text: 'Hello {{name}}, {{what}} is ready.' }],
  });
  const values = (...names: (string | undefined)[]): JsonObject => ({
    type: 'body',
    parameters: names.map((name) => ({ type: 'text', text: 'x', ...(name && { parameter_name: name }) })),
  });

  it('accepts named values in any order', () => {
    expect(check(named, [values('what', 'name')])).toEqual([]);
    for (const wrong of [values('name', undefined), values('name', 'name'), values('name', 'other')])
      expect(() => check(named, [wrong])).toThrow(code(132012));
    const positional = stored([], { components: [{ type: 'BODY', text: 'Hello {{1}}, how are you?' }] });
    expect(() => check(positional, [values('name')])).toThrow(code(132012));
  });

  it('accepts a currency or a date with its fallback', () => {
    const template = stored([], { components: [{ type: 'BODY', text: 'You paid {{1}} in time.' }] });
    expect(
      check(template, [
        {
          type: 'body',
          parameters: [{ type: 'currency', currency: { fallback_value: '$1', code: 'USD', amount_1000: 1_000 } }],
        },
      ]),
    ).toEqual([]);
    expect(() => check(template, [{ type: 'body', parameters: [{ type: 'currency', currency: {} }] }])).toThrow(
      code(100),
    );
  });

  it('is rejected when given twice', () =>
    expect(() => check(named, [values('what', 'name'), values('what', 'name')])).toThrow(code(100)));
});

describe('template send button', () => {
  const withButton = (type: string): StoredTemplate =>
    stored([
      { type: 'BUTTONS', buttons: [{ type, text: 'B', ...(type === 'URL' && { url: 'https://example.com/{{1}}' }) }] },
    ]);

  it('requires the coupon for a copy-code button', () => {
    expect(
      check(withButton('COPY_CODE'), [button('copy_code', { type: 'coupon_code', coupon_code: 'SAVE10' })]),
    ).toEqual([]);
    expect(() => check(withButton('COPY_CODE'), [])).toThrow(code(131008));
    expect(() => check(withButton('COPY_CODE'), [button('copy_code', { type: 'text', text: 'SAVE10' })])).toThrow(
      code(132012),
    );
  });

  it('has no parameter name even if the body variables do', () => {
    const named = stored(
      [{ type: 'BUTTONS', buttons: [{ type: 'URL', text: 'B', url: 'https://example.com/{{1}}' }] }],
      { parameter_format: 'NAMED' },
    );
    expect(check(named, [button('url', { type: 'text', text: 'a' })])).toEqual([]);
    expect(() => check(named, [button('url', { type: 'text', text: 'a', parameter_name: '1' })])).toThrow(code(132012));
  });

  it('accepts codes of at most 20 characters', () => {
    const coupon = (length: number) => button('copy_code', { type: 'coupon_code', coupon_code: 'x'.repeat(length) });
    expect(check(withButton('COPY_CODE'), [coupon(20)])).toEqual([]);
    expect(() => check(withButton('COPY_CODE'), [coupon(21)])).toThrow(code(100));
  });

  it('may omit the payload of a quick reply', () => {
    expect(check(withButton('QUICK_REPLY'), [])).toEqual([]);
    expect(check(withButton('QUICK_REPLY'), [button('quick_reply', { type: 'payload', payload: 'STOP' })])).toEqual([]);
    expect(() => check(withButton('QUICK_REPLY'), [button('quick_reply', { type: 'text', text: 'STOP' })])).toThrow(
      code(132012),
    );
  });

  it('rejects a parameter for a call button, and a repeated component', () => {
    expect(() => check(withButton('PHONE_NUMBER'), [button('phone_number', { type: 'text', text: '1' })])).toThrow(
      code(132000),
    );
    const twice = button('url', { type: 'text', text: 'a' });
    expect(() => check(withButton('URL'), [twice, twice])).toThrow(code(100));
  });
});
