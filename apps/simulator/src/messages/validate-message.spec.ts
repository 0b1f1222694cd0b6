import { GraphError } from '../graph-error';
import type { JsonObject } from '../json';
import type { StoredMedia } from '../media/media-store';
import { NumberStore } from '../numbers/number-store';
import { TemplateStore } from '../templates/template-store';
import { checkSend } from './validate-message';

const templates = new TemplateStore();
const number = new NumberStore().all()[0]!;
const text = { messaging_product: 'whatsapp', to: '+919812345678', type: 'text', text: { body: 'Hello' } };

const uploaded = (mimeType: string): StoredMedia => ({
  id: '7',
  phoneNumberId: number.id,
  mimeType,
  byteLength: 1,
  sha256: Buffer.alloc(32),
  expiresAtMs: Infinity,
});
const media = { find: (id: string): StoredMedia | undefined => (id === '7' ? uploaded('image/png') : undefined) };

const check = (body: JsonObject) => checkSend(body, number, { templates, media });

function refusalOf(body: JsonObject): { code: number; httpStatus: number; says: string } {
  try {
    check(body);
  } catch (error) {
    if (error instanceof GraphError)
      return { code: error.code, httpStatus: error.httpStatus, says: JSON.stringify(error.toBody()) };
    throw error;
  }
  throw new Error('a refusal was expected');
}

describe('a text message', () => {
  it('is sent to the digits after the plus', () => {
    expect(check({ ...text, biz_opaque_callback_data: 'msg_1' })).toEqual({
      input: '+919812345678',
      waId: '919812345678',
      misrouted: false,
      byUserId: false,
      type: 'text',
      opaque: 'msg_1',
    });
  });

  it('accepts separators in the number', () =>
    expect(check({ ...text, to: '+91 (98) 1234-5678' }).waId).toBe('919812345678'));

  it("is misrouted to the business's country when the plus is missing", () => {
    expect(check({ ...text, to: '9812345678' })).toMatchObject({ waId: '19812345678', misrouted: true });
  });

  it.each<[string, JsonObject, number]>([
    ['no product', { messaging_product: undefined }, 100],
    ['another product', { messaging_product: 'sms' }, 100],
    ['no recipient', { to: undefined }, 100],
    ['a number as recipient', { to: 919812345678 }, 100],
    ['a recipient of letters', { to: '+abcdefgh' }, 131009],
    ['a recipient that is too long', { to: '+1234567890123456' }, 131009],
    ['the business itself as recipient', { to: '+15550783881' }, 131021],
    ['an unknown type', { type: 'poll' }, 100],
    ['a group', { recipient_type: 'group' }, 100],
    ['no text', { text: undefined }, 100],
    ['an empty text', { text: { body: ' ' } }, 100],
    ['a text that is too long', { text: { body: 'x'.repeat(4_097) } }, 100],
    ['an unknown field in the text', { text: { body: 'x', colour: 'red' } }, 100],
    ['an opaque id that is too long', { biz_opaque_callback_data: 'x'.repeat(513) }, 100],
    ['a context without a message id', { context: {} }, 131009],
  ])('is rejected with %s', (_name, change, code) => {
    expect(refusalOf({ ...text, ...change })).toMatchObject({ code, httpStatus: 400 });
  });

  it('accepts a text of 4,096 characters', () =>
    expect(check({ ...text, text: { body: 'x'.repeat(4_096) } }).type).toBe('text'));
});

describe('a media message', () => {
  const link = 'https://example.com/a.png';
  const sendOf = (type: string, content: unknown): JsonObject => ({
    messaging_product: 'whatsapp',
    to: '+919812345678',
    type,
    [type]: content,
  });

  it.each([
    ['image', { link, caption: 'c' }],
    ['document', { link, filename: 'a.pdf', caption: 'c' }],
    ['video', { link }],
    ['audio', { link, voice: true }],
  ])('is accepted by link for the media type %s', (type, content) =>
    expect(check(sendOf(type, content)).type).toBe(type),
  );

  it.each<[string, string, unknown]>([
    ['Either one of media ID or link', 'image', {}],
    ['Either one of media ID or link', 'image', { link, id: '1' }],
    ['not a valid URI', 'image', { link: 'ftp://example.com/a' }],
    ['not a valid whatsapp business account media attachment ID', 'image', { id: '1' }],
    ['Unexpected key', 'audio', { link, caption: 'no' }],
    ['Unexpected key', 'image', { link, filename: 'no' }],
    ['at most 1024 characters', 'image', { link, caption: 'x'.repeat(1_025) }],
    ['is required', 'video', undefined],
  ])('is rejected with "%s" for %s %j', (says, type, content) => {
    const refusal = refusalOf(sendOf(type, content));
    expect(refusal.code).toBe(100);
    expect(refusal.says).toContain(says);
  });
});

describe('a template message', () => {
  const body = (...values: string[]) => ({
    type: 'body',
    parameters: values.map((value) => ({ type: 'text', text: value })),
  });
  const button = { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] };
  const send = (components: unknown, name = 'order_update', code = 'en_US'): JsonObject => ({
    messaging_product: 'whatsapp',
    to: '+919812345678',
    type: 'template',
    template: { name, language: { code }, components },
  });

  it('is accepted with all parameters', () => {
    expect(check(send([body('A-17', 'Monday'), button])).template?.name).toBe('order_update');
    expect(check(send([body('482913'), button], 'verification_code')).template?.category).toBe('AUTHENTICATION');
    expect(check(send(undefined, 'hello_world')).template?.name).toBe('hello_world');
    expect(check(send([body('A-17', 'Monday'), { ...button, index: 0 }])).template?.name).toBe('order_update');
  });

  it.each<[string, number, number, JsonObject]>([
    ['template name (no_such) does not exist in en_US', 132001, 404, send([], 'no_such')],
    ['template name (order_update) does not exist in de', 132001, 404, send([], 'order_update', 'de')],
    ['template name (spring_sale) does not exist in en_US', 132001, 404, send([body('Ana')], 'spring_sale')],
    [
      'body: number of localizable_params (1) does not match the expected number of params (2)',
      132000,
      400,
      send([body('A-17'), button]),
    ],
    [
      'body: number of localizable_params (1) does not match the expected number of params (0)',
      132000,
      400,
      send([body('x')], 'hello_world'),
    ],
    [
      'header: number of localizable_params (1)',
      132000,
      400,
      send([{ ...body('x'), type: 'header' }, body('a', 'b'), button]),
    ],
    ['buttons: Button at index 0 of type Url requires a parameter', 131008, 400, send([body('A-17', 'Monday')])],
    [
      'buttons: Button at index 0 of type Url requires a parameter',
      131008,
      400,
      send([body('482913')], 'verification_code'),
    ],
    ['buttons: no button at index 1', 132012, 400, send([body('a', 'b'), button, { ...button, index: '1' }])],
    [
      'buttons: Format mismatch at index 0, expected URL',
      132012,
      400,
      send([body('a', 'b'), { ...button, sub_type: 'quick_reply' }]),
    ],
    [
      'body: Format mismatch, expected TEXT, received IMAGE',
      132012,
      400,
      send([{ type: 'body', parameters: [{ type: 'image' }, { type: 'text', text: 'b' }] }, button]),
    ],
    ['new-line/tab', 132018, 400, send([body('a\nb', 'c'), button])],
    ['4 consecutive spaces', 132018, 400, send([body('a     b', 'c'), button])],
    ['too long', 132005, 400, send([body('x'.repeat(1_000), 'c'), button])],
    ['at most 15 characters', 100, 400, send([body('1234567890123456'), button], 'verification_code')],
    ['must be one of {HEADER, BODY, BUTTON, LIMITED_TIME_OFFER, CAROUSEL}', 100, 400, send([{ type: 'footer' }])],
    ["template['language']['code']", 100, 400, { ...send([]), template: { name: 'order_update' } }],
  ])('is rejected with "%s"', (says, code, httpStatus, wrong) => {
    const refusal = refusalOf(wrong);
    expect(refusal).toMatchObject({ code, httpStatus });
    expect(refusal.says).toContain(says);
  });

  it('is rejected with specific codes while paused or disabled', () => {
    const order = templates.find('order_update')!;
    for (const [event, code] of [
      ['PAUSED', 132015],
      ['DISABLED', 132016],
      ['REJECTED', 132001],
    ] as const) {
      templates.apply(order, event, null);
      expect(refusalOf(send([])).code).toBe(code);
    }
    templates.apply(order, 'REINSTATED', null);
    expect(check(send([body('a', 'b'), button])).template?.status).toBe('APPROVED');
  });

  it('is accepted when its template is only flagged', () => {
    templates.apply(templates.find('order_update')!, 'FLAGGED', null);
    expect(check(send([body('a', 'b'), button])).template?.name).toBe('order_update');
  });
});
