import type { TemplateComponent, TemplateParameter } from '@switchboard/contracts';
import { fitToTemplate } from './template-parameters';

const link = 'https://example.com/a.png';
const text = (value: string): TemplateParameter => ({ type: 'text', text: value });
const header = (...parameters: TemplateParameter[]): TemplateComponent => ({ type: 'header', parameters });
const body = (...values: string[]): TemplateComponent => ({ type: 'body', parameters: values.map(text) });
const button = (sub_type: string, ...parameters: TemplateParameter[]): TemplateComponent => ({
  type: 'button',
  sub_type,
  index: '0',
  parameters,
});
const fit = (components: object[], given: TemplateComponent[] | undefined) =>
  fitToTemplate({ category: 'MARKETING', components }, { name: 'news', language: { code: 'en' }, components: given })
    .components;
const refused = (reason: string): Error =>
  expect.objectContaining({
    code: 'TEMPLATE_PARAMS_MISMATCH',
    message: `template parameters do not match the template: ${reason}`,
  }) as Error;

const BODY = { type: 'BODY', text: 'Our news.' };
const picture: TemplateParameter = { type: 'image', image: { link } };

describe('carousel cards', () => {
  const card = {
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'Only {{1}} now.' },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}' }] },
    ],
  };
  const template = [BODY, { type: 'CAROUSEL', cards: [card, card] }];
  const parts = (): TemplateComponent[] => [header(picture), body('$1'), button('url', text('a'))];
  const given = (card_index: number, components = parts()) => ({ card_index, components });
  const carousel = (...cards: { card_index: number; components: TemplateComponent[] }[]): TemplateComponent[] => [
    { type: 'CAROUSEL', cards },
  ];

  it('are accepted in any order', () => {
    const components = carousel(given(1), given(0));
    expect(fit(template, components)).toEqual(components);
  });

  it('get parameter names for named variables', () => {
    const named = { components: [card.components[0]!, { type: 'BODY', text: 'Only {{price}} now.' }] };
    const two = [header(picture), body('$1')];
    const [sent] = fit([BODY, { type: 'CAROUSEL', cards: [named, named] }], carousel(given(0, two), given(1, two)))!;
    expect(sent?.cards?.map((one) => one.components[1]?.parameters)).toEqual([
      [{ ...text('$1'), parameter_name: 'price' }],
      [{ ...text('$1'), parameter_name: 'price' }],
    ]);
  });

  it.each<[string, TemplateComponent[] | undefined, string]>([
    ['none', undefined, 'the carousel expects 2 cards, 0 given'],
    ['no cards', [{ type: 'carousel' }], 'the carousel expects 2 cards, 0 given'],
    ['one', carousel(given(0)), 'the carousel expects 2 cards, 1 given'],
    ['the same card twice', carousel(given(0), given(0)), 'the carousel expects a card of card_index 1, none given'],
    [
      'a card without its image',
      carousel(given(0), given(1, parts().slice(1))),
      'card 1: the header expects 1 image, 0 given',
    ],
    [
      'a card with two values',
      carousel(given(0, [parts()[0]!, body('a', 'b'), parts()[2]!]), given(1)),
      'card 0: the body expects 1, 2 given',
    ],
    [
      'a card with an unsupported component',
      carousel(given(0, [...parts(), { type: 'footer' }]), given(1)),
      'card 0: component 3 is of type footer, expected is one of header, body, button, limited_time_offer, carousel',
    ],
    ['two carousels', [...carousel(given(0)), ...carousel(given(1))], 'one carousel can be given'],
    [
      'parameters of its own',
      [{ type: 'carousel', parameters: [text('a')] }],
      'the carousel expects cards, 1 parameters given',
    ],
  ])('are rejected on mismatch: %s', (_case, components, reason) =>
    expect(() => fit(template, components)).toThrow(refused(reason)),
  );

  it('can be 2 to 10 product cards', () => {
    const product = { components: [{ type: 'HEADER', format: 'PRODUCT' }] };
    const shown = (index: number) =>
      given(index, [header({ type: 'product', product: { product_retailer_id: 'a', catalog_id: '1' } })]);
    const ofProducts = [BODY, { type: 'CAROUSEL', cards: [product, product] }];
    const sent = (count: number) =>
      fit(ofProducts, carousel(...Array.from({ length: count }, (_, index) => shown(index))));
    for (const count of [2, 3, 10]) expect(() => sent(count)).not.toThrow();
    expect(() => sent(1)).toThrow(refused('the carousel expects 2 to 10 cards, 1 given'));
    expect(() => fit(ofProducts, carousel(shown(0), given(1, [header(picture)])))).toThrow(
      refused('card 1: the header expects product, image given'),
    );
  });

  it('are rejected when the template has no carousel', () =>
    expect(() => fit([BODY], carousel(given(0)))).toThrow(refused('the template has no carousel, 1 cards given')));
});

describe('unknown components', () => {
  it.each<[string, TemplateComponent, string]>([
    [
      'an unknown component type',
      { type: 'list' },
      'component 0 is of type list, expected is one of header, body, button, limited_time_offer, carousel',
    ],
    [
      'cards beside a body',
      { type: 'body', cards: [] },
      'component 0 has cards, which belong to a carousel, and is of type body',
    ],
    [
      'an unknown button type',
      { type: 'button', sub_type: 'spin', index: '0' },
      'component 0 is a button of sub_type spin, expected is one of url, quick_reply, copy_code, catalog, mpm, flow, phone_number',
    ],
  ])('are rejected: %s', (_case, component, reason) => expect(() => fit([BODY], [component])).toThrow(refused(reason)));

  it('are accepted without values', () =>
    expect(() => fit([BODY], [{ type: 'header' }, { type: 'button', parameters: [] }])).not.toThrow());
});

describe('offers and action buttons', () => {
  const offer = (has_expiration: boolean) => [
    BODY,
    { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon', has_expiration } },
  ];
  const end: TemplateComponent = {
    type: 'limited_time_offer',
    parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_767_225_600_000 } }],
  };
  const withButton = (type: string) => [BODY, { type: 'BUTTONS', buttons: [{ type, text: 'Open' }] }];
  const action = (value: object): TemplateParameter => ({ type: 'action', action: value });
  const section = (count: number, title?: string) => ({
    ...(title !== undefined && { title }),
    product_items: Array.from({ length: count }, () => ({ product_retailer_id: 'a' })),
  });
  const products = (...sections: object[]) => button('mpm', action({ thumbnail_product_retailer_id: 'a', sections }));

  it.each<[string, object[], TemplateComponent[] | undefined]>([
    ['an offer with an expiry', offer(true), [end]],
    ['an offer without an expiry', offer(false), undefined],
    ['a catalogue', withButton('CATALOG'), [button('catalog', action({ thumbnail_product_retailer_id: 'a' }))]],
    ['a catalogue with its first product', withButton('CATALOG'), undefined],
    ['products', withButton('MPM'), [products(section(10, 'New'), section(20, 'Old'))]],
    ['a flow', withButton('FLOW'), [button('FLOW', action({ flow_token: 't', flow_action_data: { a: 1 } }))]],
    ['a GIF', [BODY, { type: 'HEADER', format: 'GIF' }], [header({ type: 'gif', gif: { link } })]],
  ])('are accepted: %s', (_case, template, components) => expect(fit(template, components)).toEqual(components));

  it.each<[string, object[], TemplateComponent[] | undefined]>([
    ['nothing', withButton('FLOW'), undefined],
    ['the button alone', withButton('FLOW'), [{ type: 'button', sub_type: 'flow', index: '0' }]],
    [
      'only the other components',
      [{ type: 'BODY', text: 'Hello {{name}}.' }, ...withButton('FLOW').slice(1)],
      [{ type: 'body', parameters: [text('Asha')] }],
    ],
  ])('add a flow button with an unused token when given %s', (_case, template, components) =>
    expect(fit(template, components)?.at(-1)).toEqual(button('flow', action({ flow_token: 'unused' }))),
  );

  it('add a missing flow button to each card', () => {
    const stored = { components: withButton('FLOW') };
    const own = button('flow', action({ flow_token: 't' }));
    const cards = [[own], []].map((components, card_index) => ({ card_index, components }));
    expect(fit([BODY, { type: 'CAROUSEL', cards: [stored, stored] }], [{ type: 'carousel', cards }])).toEqual([
      {
        type: 'carousel',
        cards: [
          { card_index: 0, components: [own] },
          { card_index: 1, components: [button('flow', action({ flow_token: 'unused' }))] },
        ],
      },
    ]);
  });

  it.each<[string, object[], TemplateComponent[] | undefined, string]>([
    ['no expiry', offer(true), undefined, 'the limited-time offer expects 1 limited_time_offer, 0 given'],
    [
      'an expiry for an offer without one',
      offer(false),
      [end],
      'the template has no variable in the limited-time offer, 1 given',
    ],
    [
      'a text for the expiry',
      offer(true),
      [{ type: 'limited_time_offer', parameters: [text('soon')] }],
      'the limited-time offer expects limited_time_offer, text given',
    ],
    [
      'an expiry without its time',
      offer(true),
      [{ type: 'limited_time_offer', parameters: [{ type: 'limited_time_offer' }] }],
      'the limited-time offer expects limited_time_offer.limited_time_offer, none given',
    ],
    [
      'a catalogue without a product name',
      withButton('CATALOG'),
      [button('catalog', action({}))],
      'button 0 expects action.thumbnail_product_retailer_id, none given',
    ],
    ['no products', withButton('MPM'), undefined, 'button 0 expects 1 action, 0 given'],
    [
      'no sections',
      withButton('MPM'),
      [button('mpm', action({ thumbnail_product_retailer_id: 'a' }))],
      'button 0 expects action.sections, none given',
    ],
    [
      'no image',
      withButton('MPM'),
      [button('mpm', action({ sections: [section(1)] }))],
      'button 0 expects action.thumbnail_product_retailer_id, none given',
    ],
    [
      '31 products',
      withButton('MPM'),
      [products(section(16, 'a'), section(15, 'b'))],
      'button 0 expects at most 30 products, 31 given',
    ],
    [
      'a section without a title',
      withButton('MPM'),
      [products(section(1, 'a'), section(1))],
      'button 0 expects a title for each of several sections, 1 without one given',
    ],
    [
      'another type of button',
      withButton('FLOW'),
      [button('mpm', action({}))],
      'button 0 expects sub_type flow, mpm given',
    ],
    [
      'an image for a GIF',
      [BODY, { type: 'HEADER', format: 'GIF' }],
      [header(picture)],
      'the header expects gif, image given',
    ],
  ])('are rejected: %s', (_case, template, components, reason) =>
    expect(() => fit(template, components)).toThrow(refused(reason)),
  );
});
