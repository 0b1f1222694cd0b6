import type { TemplateComponent, TemplateParameter } from '@switchboard/contracts';
import { fitToTemplate } from './template-parameters';

const BODY = { type: 'BODY', text: 'Order {{1}} ships on {{2}}.' };
const link = 'https://example.com/a';
const text = (value: string): TemplateParameter => ({ type: 'text', text: value });
const body = (...texts: string[]): TemplateComponent => ({ type: 'body', parameters: texts.map(text) });
const header = (...parameters: TemplateParameter[]): TemplateComponent => ({ type: 'header', parameters });
const button = (
  sub_type: string,
  index: string | undefined,
  ...parameters: TemplateParameter[]
): TemplateComponent => ({ type: 'button', sub_type, index, parameters });
const coupon = (coupon_code: string) => button('copy_code', '0', { type: 'coupon_code', coupon_code });
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const fit = (components: object[], given: TemplateComponent[] | undefined, category = 'UTILITY') =>
  fitToTemplate({ category, components }, { name: 'order_update', language: { code: 'en' }, components: given });
function mismatch(reason: string): Error {
  const message = `template parameters do not match the template: ${reason}`;
  return expect.objectContaining({
    code: 'TEMPLATE_PARAMS_MISMATCH',
    message,
    details: [{ field: 'template.components', message }],
  }) as Error;
}

describe('sends that match their template', () => {
  it.each([
    ['a body in one component', [BODY], [body('a', 'b')]],
    ['a body in several components, in either case', [BODY], [body('a'), { ...body('b'), type: 'BODY' }]],
    [
      'nothing, if the template has no variables',
      [{ type: 'BODY', text: 'Hello' }, buttons({ type: 'URL', url: link }, { type: 'PHONE_NUMBER' })],
      undefined,
    ],
    [
      'components without values',
      [{ type: 'HEADER', format: 'TEXT', text: 'Hi' }],
      [{ type: 'header' }, { type: 'button', parameters: [] }],
    ],
    ['a header text', [{ type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}' }], [header(text('Ana'))]],
    [
      'a header text of a template without a known format',
      [{ type: 'HEADER', text: 'Hi {{1}}' }],
      [header(text('Ana'))],
    ],
    ['a header image', [{ type: 'HEADER', format: 'IMAGE' }], [header({ type: 'image', image: { link } })]],
    [
      'a header document',
      [{ type: 'header', format: 'document' }],
      [header({ type: 'document', document: { link, filename: 'a.pdf' } })],
    ],
    ['a header video', [{ type: 'HEADER', format: 'VIDEO' }], [header({ type: 'video', video: { link } })]],
    [
      'a header location',
      [{ type: 'HEADER', format: 'LOCATION' }],
      [header({ type: 'location', location: { latitude: 12.5, longitude: 77.5, name: 'City store' } })],
    ],
    [
      'a url button',
      [buttons({ type: 'QUICK_REPLY' }, { type: 'URL', url: `${link}/{{1}}` })],
      [button('URL', '1', text('A-17'))],
    ],
    [
      'a quick reply with a payload',
      [buttons({ type: 'QUICK_REPLY' })],
      [button('quick_reply', '0', { type: 'payload', payload: 'STOP' })],
    ],
    [
      'a quick reply with its payload as text',
      [buttons({ type: 'QUICK_REPLY' })],
      [button('quick_reply', '0', text('STOP\nnow'))],
    ],
    ['a quick reply without a payload', [buttons({ type: 'QUICK_REPLY' })], undefined],
    ['a coupon code', [buttons({ type: 'COPY_CODE' })], [coupon('SAVE20')]],
    ['a coupon code of 20 characters', [buttons({ type: 'COPY_CODE' })], [coupon('x'.repeat(20))]],
    [
      'a one-time code',
      [{ type: 'BODY', text: '{{1}}' }, buttons({ type: 'OTP' })],
      [body('482913'), button('url', '0', text('482913'))],
    ],
  ])('may have %s', (_title, components, given) => {
    const content = { name: 'order_update', language: { code: 'en' }, components: given };
    expect(fit(components, given)).toEqual(content);
  });

  it('get the parameter names of named variables, in order', () => {
    const named = [
      { type: 'HEADER', text: 'Hi {{first_name}}' },
      { type: 'BODY', text: '{{order}} on {{day}}, {{order}}' },
    ];
    expect(fit(named, [header(text('Ana')), body('A-17', 'Monday')]).components).toEqual([
      { type: 'header', parameters: [{ type: 'text', text: 'Ana', parameter_name: 'first_name' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'A-17', parameter_name: 'order' },
          { type: 'text', text: 'Monday', parameter_name: 'day' },
        ],
      },
    ]);
    const linked = [...named, buttons({ type: 'URL', url: `${link}/{{1}}` })];
    const sent = fit(linked, [header(text('Ana')), body('A-17', 'Monday'), button('url', '0', text('x'))]).components;
    expect(sent?.[2]).toEqual(button('url', '0', text('x')));
    const own = { ...text('Monday'), parameter_name: 'day' };
    expect(
      fit(named, [
        header(text('Ana')),
        { type: 'body', parameters: [own, { ...text('A-17'), parameter_name: 'order' }] },
      ]).components?.[1]?.parameters?.[0],
    ).toEqual(own);
  });
});

describe('sends that do not match their template', () => {
  it.each([
    ['too few values for the body', [BODY], [body('a')], 'the body expects 2, 1 given'],
    ['no values for the body', [BODY], undefined, 'the body expects 2, 0 given'],
    ['too many values for the body', [BODY], [body('a', 'b', 'c')], 'the body expects 2, 3 given'],
    [
      'values for a body without variables',
      [{ type: 'BODY', text: 'Hello' }],
      [body('a')],
      'the template has no variable in the body, 1 given',
    ],
    [
      'values for a footer',
      [BODY],
      [body('a', 'b'), { type: 'footer', parameters: [text('a')] }],
      'the template has no variable in footer, 1 given',
    ],
    [
      'a file in the body',
      [{ type: 'BODY', text: '{{1}}' }],
      [{ type: 'body', parameters: [{ type: 'image' as const, image: { link } }] }],
      'the body expects text, image given',
    ],
    ['no header text', [{ type: 'HEADER', text: 'Hi {{1}}' }], undefined, 'the header expects 1, 0 given'],
    ['no header image', [{ type: 'HEADER', format: 'IMAGE' }], undefined, 'the header expects 1 image, 0 given'],
    [
      'a text for a header image',
      [{ type: 'HEADER', format: 'IMAGE' }],
      [header(text('a'))],
      'the header expects image, text given',
    ],
    [
      'a header image without a link',
      [{ type: 'HEADER', format: 'IMAGE' }],
      [header({ type: 'image' })],
      'the header expects image.link, none given',
    ],
    [
      'a header that cannot be sent here',
      [{ type: 'HEADER', format: 'STICKER' }],
      [header(text('a'))],
      'the header expects other, text given',
    ],
    [
      'no header location',
      [{ type: 'HEADER', format: 'LOCATION' }],
      undefined,
      'the header expects 1 location, 0 given',
    ],
    [
      'a text for a header location',
      [{ type: 'HEADER', format: 'LOCATION' }],
      [header(text('a'))],
      'the header expects location, text given',
    ],
    [
      'a header location without coordinates',
      [{ type: 'HEADER', format: 'LOCATION' }],
      [header({ type: 'location' })],
      'the header expects location.latitude and location.longitude, none given',
    ],
    [
      'names that the template does not have',
      [{ type: 'BODY', text: '{{order}} on {{day}}' }],
      [
        {
          type: 'body',
          parameters: ['order', 'date'].map((name) => ({ ...text('a'), parameter_name: name })),
        },
      ],
      'the body expects the parameter_name order, day, order, date given',
    ],
    ['no url suffix', [buttons({ type: 'URL', url: `${link}/{{1}}` })], undefined, 'button 0 expects 1, 0 given'],
    [
      'a suffix for a fixed url',
      [buttons({ type: 'URL', url: link })],
      [button('url', '0', text('a'))],
      'the template has no variable in button 0, 1 given',
    ],
    [
      'a button that does not exist',
      [BODY],
      [body('a', 'b'), button('url', '3', text('a'))],
      'the template has no variable in button 3, 1 given',
    ],
    [
      'a button without an index',
      [buttons({ type: 'COPY_CODE' })],
      [button('copy_code', undefined, text('a'))],
      'the template has no variable in button without an index, 1 given',
    ],
    [
      'another type of button',
      [buttons({ type: 'COPY_CODE' })],
      [button('url', '0', text('a'))],
      'button 0 expects sub_type copy_code, url given',
    ],
    [
      'a coupon code that is too long',
      [buttons({ type: 'COPY_CODE' })],
      [coupon('x'.repeat(21))],
      'button 0 expects at most 20 characters, 21 given',
    ],
    ['no coupon code', [buttons({ type: 'COPY_CODE' })], undefined, 'button 0 expects 1 coupon_code, 0 given'],
    ['an empty text', [{ type: 'BODY', text: '{{1}}' }], [body('')], 'the body expects a text that is not empty'],
    ['blanks', [{ type: 'BODY', text: '{{1}}' }], [body(' \u00A0')], 'the body expects a text that is not empty'],
    [
      'a blank coupon code',
      [buttons({ type: 'COPY_CODE' })],
      [coupon(' ')],
      'button 0 expects a coupon_code that is not empty',
    ],
    [
      'a line break in a text',
      [{ type: 'BODY', text: '{{1}}' }],
      [body('a\nb')],
      'the body expects text without line breaks, tabs or more than 4 spaces in a row',
    ],
    [
      'a tab',
      [{ type: 'BODY', text: '{{1}}' }],
      [body('a\tb')],
      'the body expects text without line breaks, tabs or more than 4 spaces in a row',
    ],
    [
      'five spaces',
      [{ type: 'BODY', text: '{{1}}' }],
      [body('a     b')],
      'the body expects text without line breaks, tabs or more than 4 spaces in a row',
    ],
  ])('are rejected: %s', (_title, components, given, reason) =>
    expect(() => fit(components, given)).toThrow(mismatch(reason)),
  );

  it('are rejected for an authentication code above 15 characters', () => {
    const components = [{ type: 'BODY', text: '{{1}} is your code' }];
    expect(() => fit(components, [body('1234567890123456')], 'AUTHENTICATION')).toThrow(
      mismatch('the body expects at most 15 characters, 16 given'),
    );
    expect(() => fit(components, [body('123456789012345')], 'AUTHENTICATION')).not.toThrow();
    expect(() => fit(components, [body('1234567890123456')])).not.toThrow();
    expect(() => fit([{ type: 'BODY', text: '{{1}}' }], [body('a    b')])).not.toThrow();
  });
});

describe('named variables', () => {
  const components = [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: '{{order}} on {{day}}' },
    buttons({ type: 'QUICK_REPLY' }, { type: 'URL', url: `${link}/{{1}}` }),
  ];
  const content = { name: 'order_update', language: { code: 'en' } };
  const values = { day: 'Monday', order: 'A-17', 'header link': link, 'button 2': 'x' };
  const given = (more: object) => fitToTemplate({ category: 'UTILITY', components }, { ...content, ...more });

  it('become template components', () =>
    expect(given({ variables: values })).toEqual({
      ...content,
      components: [
        header({ type: 'image', image: { link } }),
        {
          type: 'body',
          parameters: [
            { ...text('A-17'), parameter_name: 'order' },
            { ...text('Monday'), parameter_name: 'day' },
          ],
        },
        button('url', '1', text('x')),
      ],
    }));

  it('may be a list for the body', () => {
    const body = [{ type: 'BODY', text: '{{2}} on {{1}}' }];
    expect(fitToTemplate({ category: 'UTILITY', components: body }, { ...content, variables: ['a', 'b'] })).toEqual({
      ...content,
      components: [{ type: 'body', parameters: [text('a'), text('b')] }],
    });
  });

  it.each([
    [{ variables: { ...values, 'button 2': '' } }, 'TEMPLATE_PARAMS_MISMATCH', /variable button 2 is empty$/],
    [
      { variables: { ...values, 'button 3': 'x' } },
      'TEMPLATE_PARAMS_MISMATCH',
      /no variable button 3; its variables are/,
    ],
    [
      { variables: { ...values, 'header link': 'ftp://x' } },
      'INVALID_LINK',
      /^variable header link must be an https URL/,
    ],
    [{ variables: values, components: [body('a')] }, 'INVALID_PARAMETER', /not both$/],
  ])('%j are rejected with %s', (more, code, message) =>
    expect(() => given(more)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) as string }),
    ),
  );
});

describe('named variables for cards and buttons', () => {
  const card = {
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Only {{1}} now.' },
      buttons({ type: 'QUICK_REPLY' }, { type: 'URL', url: `${link}/{{1}}` }),
    ],
  };
  const ofCard = (number: number, price: string) => ({
    [`card ${number} header link`]: link,
    [`card ${number} 1`]: price,
    [`card ${number} button 2`]: 'x',
  });
  const cardSent = (card_index: number, price: string) => ({
    card_index,
    components: [header({ type: 'image', image: { link } }), body(price), button('url', '1', text('x'))],
  });
  const products = {
    thumbnail_product_retailer_id: 'a',
    sections: [{ product_items: [{ product_retailer_id: 'a' }] }],
  };
  const withProducts = button('mpm', '0', { type: 'action', action: products });
  const given = (components: object[], variables: Record<string, unknown>, own?: TemplateComponent[]) =>
    fitToTemplate(
      { category: 'MARKETING', components },
      { name: 'news', language: { code: 'en' }, variables, ...(own && { components: own }) },
    ).components;
  const refusedWith = (code: string, message: RegExp): Error =>
    expect.objectContaining({ code, message: expect.stringMatching(message) as string }) as Error;

  it('fill each carousel card', () => {
    const carousel = [BODY, { type: 'CAROUSEL', cards: [card, card] }];
    const values = { '1': 'A-17', '2': 'Monday', ...ofCard(1, '$1'), ...ofCard(2, '$2') };
    expect(given(carousel, values)).toEqual([
      body('A-17', 'Monday'),
      { type: 'carousel', cards: [cardSent(0, '$1'), cardSent(1, '$2')] },
    ]);
    expect(() => given(carousel, { ...values, 'card 2 header link': '' })).toThrow(
      refusedWith('TEMPLATE_PARAMS_MISMATCH', /variable card 2 header link is empty$/),
    );
    expect(() => given(carousel, { ...values, 'card 3 1': 'x' })).toThrow(
      refusedWith('TEMPLATE_PARAMS_MISMATCH', /no variable card 3 1; its variables are/),
    );
  });

  it("fill the template's product cards", () => {
    const product = { components: [{ type: 'HEADER', format: 'PRODUCT' }] };
    const shown = (id: string) => header({ type: 'product', product: { product_retailer_id: id, catalog_id: '194' } });
    const carousel = [{ type: 'CAROUSEL', cards: [product, product] }];
    const values = {
      'card 1 header product': 'a',
      'card 1 header catalog': '194',
      'card 2 header product': 'b',
      'card 2 header catalog': '194',
    };
    expect(() => given(carousel, { ...values, 'card 3 header product': 'c', 'card 3 header catalog': '194' })).toThrow(
      refusedWith('TEMPLATE_PARAMS_MISMATCH', /no variable card 3 header product, card 3 header catalog;/),
    );
    expect(given(carousel, values)).toEqual([
      {
        type: 'carousel',
        cards: [
          { card_index: 0, components: [shown('a')] },
          { card_index: 1, components: [shown('b')] },
        ],
      },
    ]);
  });

  it('may be combined only with button actions', () => {
    const components = [BODY, buttons({ type: 'MPM' })];
    const values = { '1': 'A-17', '2': 'Monday' };
    expect(given(components, values, [withProducts])).toEqual([body('A-17', 'Monday'), withProducts]);
    expect(() => given(components, values)).toThrow(
      refusedWith('TEMPLATE_PARAMS_MISMATCH', /button 1 opens a list of products/),
    );
    expect(() => given(components, values, [withProducts, body('a', 'b')])).toThrow(
      refusedWith('INVALID_PARAMETER', /not both$/),
    );
    const flow = [BODY, buttons({ type: 'FLOW' })];
    const action = button('flow', '0', { type: 'action', action: { flow_action_data: { a: 1 } } });
    expect(given(flow, values, [action])).toEqual([body('A-17', 'Monday'), action]);
    expect(() => given(flow, { ...values, 'button 1': 't' }, [action])).toThrow(
      refusedWith('INVALID_PARAMETER', /not both$/),
    );
    const catalogue = [BODY, buttons({ type: 'CATALOG' })];
    const picture = button('catalog', '0', { type: 'action', action: { thumbnail_product_retailer_id: 'a' } });
    expect(given(catalogue, values, [picture])).toEqual([body('A-17', 'Monday'), picture]);
    expect(() => given(catalogue, { ...values, 'button 1': 'b' }, [picture])).toThrow(
      refusedWith('INVALID_PARAMETER', /not both$/),
    );
  });

  it('add an unused token to a flow button by default', () => {
    const flow = [BODY, buttons({ type: 'FLOW' })];
    const values = { '1': 'A-17', '2': 'Monday' };
    const unused = button('flow', '0', { type: 'action', action: { flow_token: 'unused' } });
    expect(given(flow, values)).toEqual([body('A-17', 'Monday'), unused]);
    expect(given(flow, { ...values, 'button 1': '' })).toEqual([body('A-17', 'Monday'), unused]);
  });
});
