import { GraphError } from '../graph-error';
import type { JsonObject } from '../json';
import { readNewTemplate } from './new-template';

const body = {
  type: 'BODY',
  text: 'Order {{1}} ships on {{2}} as planned.',
  example: { body_text: [['A-17', 'Monday']] },
};
const create = (components: unknown[], change: JsonObject = {}): JsonObject => ({
  name: 'order_news',
  language: 'en_US',
  category: 'UTILITY',
  components,
  ...change,
});
const noSample = (): string => '';
const withButtons = (...buttons: JsonObject[]): JsonObject => create([body, { type: 'buttons', buttons }]);
const quickReply = { type: 'QUICK_REPLY', text: 'Stop' };
const url = { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['A-17'] };

function refusalOf(given: JsonObject): { code: number; subcode?: number } {
  try {
    readNewTemplate(given, '1', noSample);
  } catch (error) {
    if (error instanceof GraphError)
      return {
        code: error.code,
        subcode: (error.toBody() as { error: { error_subcode?: number } }).error.error_subcode,
      };
    throw error;
  }
  throw new Error('a refusal was expected');
}

describe('a new template', () => {
  it('is pending, with its types in uppercase', () => {
    const header = { type: 'header', format: 'text', text: 'Hi {{1}}', example: { header_text: ['Ana'] } };
    const template = readNewTemplate(
      create(
        [
          header,
          { ...body, type: 'body' },
          { type: 'footer', text: 'Demo' },
          { type: 'buttons', buttons: [url, quickReply] },
        ],
        { category: 'utility' },
      ),
      '7',
      noSample,
    );
    expect(template).toMatchObject({ id: '7', status: 'PENDING', category: 'UTILITY', parameter_format: 'POSITIONAL' });
    expect(template.components.map(({ type, format }) => [type, format].join())).toEqual([
      'HEADER,TEXT',
      'BODY,',
      'FOOTER,',
      'BUTTONS,',
    ]);
  });

  it('accepts named variables', () => {
    const named = {
      type: 'BODY',
      text: 'Hello {{first_name}}, your order is ready.',
      example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ana' }] },
    };
    expect(readNewTemplate(create([named], { parameter_format: 'named' }), '1', noSample).parameter_format).toBe(
      'NAMED',
    );
    expect(refusalOf(create([named])).subcode).toBe(2388072);
    expect(
      refusalOf(create([{ ...named, text: 'Hello {{First}}, your order is ready.' }], { parameter_format: 'NAMED' }))
        .subcode,
    ).toBe(2388072);
  });

  it("has the platform's text and a URL button for authentication", () => {
    const components = [
      { type: 'body', add_security_recommendation: true },
      { type: 'footer', code_expiration_minutes: 5 },
      { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Copy Code' }] },
    ];
    const { components: listed } = readNewTemplate(create(components, { category: 'authentication' }), '1', noSample);
    expect(listed.map(({ text }) => text)).toEqual([
      '*{{1}}* is your verification code. For your security, do not share this code.',
      'This code expires in 5 minutes.',
      undefined,
    ]);
    expect(listed[2]?.buttons?.[0]).toMatchObject({
      type: 'URL',
      text: 'Copy Code',
      url: expect.stringMatching(/otp_type=COPY_CODE&code=otp\{\{1\}\}$/),
    });
    expect(
      refusalOf(
        create([...components.slice(0, 1), { type: 'footer', code_expiration_minutes: 91 }, components[2]], {
          category: 'AUTHENTICATION',
        }),
      ).code,
    ).toBe(100);
    expect(refusalOf(create([{ type: 'BODY', text: 'x' }], { category: 'AUTHENTICATION' })).code).toBe(100);
  });

  it('lists the apps of one-tap autofill in the link', () => {
    const apps = [
      { package_name: 'com.example.one', signature_hash: 'K8a/AINcGX7' },
      { package_name: 'com.example.two', signature_hash: 'L9b+AINcGX8' },
    ];
    const withApps = (supported_apps?: object[]) =>
      create(
        [
          { type: 'body' },
          {
            type: 'buttons',
            buttons: [{ type: 'otp', otp_type: 'one_tap', autofill_text: 'Fill in', supported_apps }],
          },
        ],
        { category: 'authentication' },
      );
    const { components } = readNewTemplate(withApps(apps), '1', noSample);
    const { searchParams } = new URL(String(components[1]?.buttons?.[0]?.url));
    expect(Object.fromEntries(searchParams)).toEqual({
      otp_type: 'ONE_TAP',
      cta_display_name: 'Fill in',
      package_name: 'com.example.one,com.example.two',
      signature_hash: 'K8a/AINcGX7,L9b+AINcGX8',
      code: 'otp{{1}}',
    });
    expect(refusalOf(withApps()).code).toBe(100);
  });

  it.each<[string, JsonObject, number | undefined]>([
    ['too long a coupon', withButtons({ type: 'COPY_CODE', example: 'x'.repeat(21) }), 2388040],
    ['a name in capitals', create([body], { name: 'Order' }), undefined],
    ['a language that is none', create([body], { language: 'english' }), undefined],
    ['an unknown category', create([body], { category: 'NEWS' }), undefined],
    ['no body', create([{ type: 'FOOTER', text: 'x' }]), 2388072],
    ['two bodies', create([body, body]), undefined],
    ['a body that is too long', create([{ type: 'BODY', text: 'x'.repeat(1_025) }]), 2388040],
    ['a variable at the start', create([{ ...body, text: '{{1}} is the order that ships on {{2}} today' }]), 2388299],
    ['a variable at the end', create([{ ...body, text: 'This is the order {{1}} that ships on {{2}}' }]), 2388299],
    ['a gap in its variables', create([{ ...body, text: 'Order {{1}} ships on {{3}} as planned.' }]), 2388072],
    ['too many variables for its words', create([{ ...body, text: 'Order {{1}} ships {{2}} today.' }]), 2388293],
    ['a variable without an example', create([{ ...body, example: { body_text: [['A-17']] } }]), 2388072],
    ['a header that is too long', create([{ type: 'HEADER', format: 'TEXT', text: 'x'.repeat(61) }, body]), 2388040],
    [
      'two variables in the header',
      create([{ type: 'HEADER', format: 'TEXT', text: '{{1}} and {{2}}', example: { header_text: ['a', 'b'] } }, body]),
      2388047,
    ],
    ['an unknown header', create([{ type: 'HEADER', format: 'AUDIO' }, body]), 2388047],
    ['a variable in the footer', create([body, { type: 'FOOTER', text: 'Hi {{1}}' }]), 2388073],
    ['an unknown component', create([body, { type: 'LIST' }]), undefined],
    ['three URL buttons', withButtons(url, url, url), undefined],
    ['a button text that is too long', withButtons({ ...quickReply, text: 'x'.repeat(26) }), 2388040],
    ['a variable in the middle of a URL', withButtons({ ...url, url: 'https://example.com/{{1}}/x' }), undefined],
    ['a URL button without an example', withButtons({ ...url, example: undefined }), undefined],
    ['quick replies on both sides', withButtons(quickReply, url, quickReply), undefined],
    ['eleven buttons', withButtons(...Array.from({ length: 11 }, () => quickReply)), undefined],
  ])('is rejected with %s', (_name, given, subcode) => expect(refusalOf(given)).toEqual({ code: 100, subcode }));
});

describe('a new carousel, offer or flow template', () => {
  const header = { type: 'header', format: 'image', example: { header_handle: ['4::aW'] } };
  const buy = { type: 'url', text: 'Buy', url: 'https://example.com/{{1}}', example: ['a'] };
  const product = { type: 'header', format: 'product' };
  const plain = { type: 'BODY', text: 'Our news.' };
  const card = (...more: JsonObject[]): JsonObject => ({ components: [header, ...more] });
  const one = card({ type: 'buttons', buttons: [buy] });
  const carousel = (...cards: unknown[]): JsonObject =>
    create([plain, { type: 'carousel', cards }], { category: 'MARKETING' });
  const marketing = (...components: JsonObject[]): JsonObject => create(components, { category: 'MARKETING' });
  const withButton = (...buttons: JsonObject[]): JsonObject => ({ type: 'BUTTONS', buttons });
  const offer = (has_expiration?: boolean): JsonObject => ({
    type: 'limited_time_offer',
    limited_time_offer: { text: 'Soon', has_expiration },
  });
  const code = { type: 'COPY_CODE', example: 'SAVE10' };
  const listed = (given: JsonObject) => readNewTemplate(given, '1', () => 'https://sample').components;

  it('lists the samples of cards as URLs', () =>
    expect(listed(carousel(one, one))[1]).toMatchObject({
      type: 'CAROUSEL',
      cards: [
        { components: [{ type: 'HEADER', example: { header_handle: ['https://sample'] } }, { type: 'BUTTONS' }] },
        {},
      ],
    }));

  it('lists a flow by its id, even if given as JSON', () => {
    const flowOf = (more: JsonObject) =>
      listed(create([plain, withButton({ type: 'FLOW', text: 'Book', ...more })]))[1]?.buttons?.[0];
    expect(flowOf({ flow_id: '7', navigate_screen: 'A' })).toEqual({
      type: 'FLOW',
      text: 'Book',
      flow_id: 7,
      flow_action: 'NAVIGATE',
      navigate_screen: 'A',
    });
    expect(flowOf({ flow_json: '{}' })).toEqual(flowOf({ flow_json: '{}' }));
    expect(flowOf({ flow_name: 'book' })).toMatchObject({ flow_id: expect.any(Number) as number });
  });

  it.each<[string, JsonObject]>([
    ['an offer that ends', marketing(offer(true), plain, withButton(code, buy))],
    ['an offer that does not end', marketing(offer(), plain, withButton(buy))],
    ['a catalogue', marketing(plain, withButton({ type: 'CATALOG', text: 'View catalog' }))],
    ['a list of products', marketing(plain, withButton({ type: 'MPM', text: 'View items' }))],
    ['a product', marketing(product, plain, withButton({ type: 'SPM', text: 'View' }))],
    ['a GIF', marketing({ ...header, format: 'GIF' }, plain)],
  ])('is accepted with %s', (_what, given) => expect(() => listed(given)).not.toThrow());

  it.each<[string, JsonObject]>([
    ['one card', carousel(one)],
    ['eleven cards', carousel(...Array.from({ length: 11 }, () => one))],
    ['a card without a header', carousel(one, { components: [{ type: 'buttons', buttons: [buy] }] })],
    ['a card without a button', carousel(one, card())],
    ['cards that differ', carousel(one, card(plain, { type: 'buttons', buttons: [buy] }))],
    [
      'a text of 161 characters on a card',
      carousel(one, card({ type: 'BODY', text: 'x'.repeat(161) }, withButton(buy))),
    ],
    [
      'a carousel with a footer',
      marketing(plain, { type: 'FOOTER', text: 'x' }, { type: 'carousel', cards: [one, one] }),
    ],
    ['a carousel for utility', create([plain, { type: 'carousel', cards: [one, one] }])],
    ['an offer that ends without a code', marketing(offer(true), plain, withButton(buy))],
    ['an offer with a footer', marketing(offer(true), plain, { type: 'FOOTER', text: 'x' }, withButton(code, buy))],
    ['a catalogue with a header', marketing(header, plain, withButton({ type: 'CATALOG', text: 'x' }))],
    ['a list of products with a picture', marketing(header, plain, withButton({ type: 'MPM', text: 'x' }))],
    ['a catalogue beside a reply', marketing(plain, withButton({ type: 'CATALOG', text: 'x' }, quickReply))],
    ['a product without its button', marketing(product, plain)],
    ['the button of a product alone', marketing(plain, withButton({ type: 'SPM', text: 'x' }))],
    ['a product beside a reply', marketing(product, plain, withButton({ type: 'SPM', text: 'x' }, quickReply))],
    ['a product for utility', create([product, plain, withButton({ type: 'SPM', text: 'x' })])],
    ['a flow without a source', create([plain, withButton({ type: 'FLOW', text: 'x' })])],
    ['a GIF for utility', create([{ ...header, format: 'GIF' }, plain])],
  ])('is rejected with %s', (_what, given) => expect(() => listed(given)).toThrow(GraphError));
});
