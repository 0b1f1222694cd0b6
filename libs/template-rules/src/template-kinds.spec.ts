import { contentFaults } from './content-faults';
import { toDraftContent } from './draft-content';

const PLAIN = { type: 'BODY', text: 'Our news of this week.' };
const HANDLE = { header_handle: ['4::aW'] };

const fields = (components: object[], category = 'MARKETING'): string[] =>
  contentFaults(toDraftContent({ name: 'news', language: 'en_US', category, components })).map(({ field }) => field);

describe('named variables', () => {
  const named = (text: string, ...names: string[]) => ({
    type: 'BODY',
    text,
    example: { body_text_named_params: names.map((name) => ({ param_name: name, example: 'Ana' })) },
  });
  const header = (text: string, example: object) => ({ type: 'HEADER', format: 'TEXT', text, example });

  it.each<[string, object[], string[]]>([
    ['in the body', [named('Hello {{first_name}}, welcome to us.', 'first_name')], []],
    [
      'in header and body, in any order of the examples',
      [
        header('For {{who}}', { header_text_named_params: [{ param_name: 'who', example: 'Ana' }] }),
        named('Order {{order_1}} comes on {{day}} as planned.', 'day', 'order_1'),
      ],
      [],
    ],
    [
      'without examples',
      [{ type: 'BODY', text: 'Hello {{who}}, welcome to us.' }],
      ['body.example.body_text_named_params'],
    ],
    [
      'with the example of another',
      [named('Hello {{who}}, welcome to us.', 'whom')],
      ['body.example.body_text_named_params'],
    ],
    [
      'with one example too many',
      [named('Hello {{who}}, hi to you.', 'who', 'a')],
      ['body.example.body_text_named_params'],
    ],
    [
      'with an empty example',
      [
        {
          type: 'BODY',
          text: 'Hello {{who}}, welcome to us.',
          example: { body_text_named_params: [{ param_name: 'who', example: '' }] },
        },
      ],
      ['body.example.body_text_named_params'],
    ],
    [
      'that begin with a digit',
      [named('Hello {{1st}}, welcome to us.', '1st')],
      ['body.text', 'body.example.body_text'],
    ],
    ['beside numbers', [named('Hello {{who}}, today {{1}} is here for you.', 'who', '1')], ['body.text']],
    [
      'in the body, and a number in the header',
      [header('For {{1}}', { header_text: ['Ana'] }), named('Hello {{who}}, welcome to us.', 'who')],
      ['header.text'],
    ],
    [
      'and an address, whose variable is a number',
      [
        named('Hello {{who}}, welcome to us.', 'who'),
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Go', url: 'https://example.com/{{1}}', example: ['a'] }] },
      ],
      [],
    ],
    [
      'and an address with a name',
      [
        named('Hello {{who}}, welcome to us.', 'who'),
        { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Go', url: 'https://example.com/{{id}}', example: ['a'] }] },
      ],
      ['buttons.0.url'],
    ],
  ])('validates named variables %s', (_case, components, expected) =>
    expect(fields(components, 'UTILITY')).toEqual(expected),
  );
});

describe('carousel', () => {
  const QUICK = { type: 'QUICK_REPLY', text: 'More' };
  const URL = { type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}', example: ['a'] };
  const HEADER = { type: 'HEADER', format: 'IMAGE', example: HANDLE };
  const TEXT = { type: 'BODY', text: 'Now at half the price.' };
  const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
  const card = (...components: object[]) => ({ components });
  const FULL = card(HEADER, TEXT, buttons(QUICK, URL));
  const carousel = (...cards: unknown[]) => fields([PLAIN, { type: 'CAROUSEL', cards }]);

  it.each<[string, unknown[], string[]]>([
    ['of two cards', [FULL, FULL], []],
    ['of ten cards', Array.from({ length: 10 }, () => FULL), []],
    ['without texts on its cards', [card(HEADER, buttons(URL)), card(HEADER, buttons(URL))], []],
    ['of one card', [FULL], ['carousel.cards']],
    ['of eleven cards', Array.from({ length: 11 }, () => FULL), ['carousel.cards']],
    ['without cards', [], ['carousel.cards']],
    ['of no cards but texts', ['a', 'b'], expect.arrayContaining(['carousel.cards.0.header.format']) as string[]],
    ['without a header', [FULL, card(TEXT, buttons(QUICK, URL))], ['carousel.cards.1.header.format']],
    [
      'with a document',
      [FULL, card({ ...HEADER, format: 'DOCUMENT' }, TEXT, buttons(QUICK, URL))],
      ['carousel.cards.1.header.format'],
    ],
    [
      'without a sample',
      [
        card({ type: 'HEADER', format: 'VIDEO' }, TEXT, buttons(URL)),
        card({ ...HEADER, format: 'VIDEO' }, TEXT, buttons(URL)),
      ],
      ['carousel.cards.0.header.example.header_handle'],
    ],
    [
      'of pictures and videos',
      [FULL, card({ ...HEADER, format: 'VIDEO' }, TEXT, buttons(QUICK, URL))],
      ['carousel.cards.1.header.format'],
    ],
    ['with a text on one card only', [FULL, card(HEADER, buttons(QUICK, URL))], ['carousel.cards.1.body']],
    ['with other buttons', [FULL, card(HEADER, TEXT, buttons(URL, QUICK))], ['carousel.cards.1.buttons']],
    [
      'without buttons',
      [card(HEADER, TEXT), card(HEADER, TEXT)],
      ['carousel.cards.0.buttons', 'carousel.cards.1.buttons'],
    ],
    ['with three buttons', [card(HEADER, TEXT, buttons(QUICK, QUICK, QUICK)), FULL], ['carousel.cards.0.buttons']],
    [
      'with a code to copy',
      [card(HEADER, TEXT, buttons({ type: 'COPY_CODE', example: 'A' })), FULL],
      ['carousel.cards.0.buttons.0.type'],
    ],
    [
      'with 161 characters on a card',
      [FULL, card(HEADER, { type: 'BODY', text: 'x'.repeat(161) }, buttons(QUICK, URL))],
      ['carousel.cards.1.body.text'],
    ],
    [
      'with three line breaks on a card',
      [card(HEADER, { type: 'BODY', text: 'a\nb\nc\nd' }, buttons(QUICK, URL)), FULL],
      ['carousel.cards.0.body.text'],
    ],
    [
      'with a variable without an example',
      [FULL, card(HEADER, { type: 'BODY', text: 'Now only {{1}} for you.' }, buttons(QUICK, URL))],
      ['carousel.cards.1.body.example.body_text'],
    ],
    [
      'with a footer on a card',
      [card(HEADER, TEXT, buttons(QUICK, URL), { type: 'FOOTER', text: 'x' }), FULL],
      ['carousel.cards.0.components.3.type'],
    ],
    [
      'with two texts on a card',
      [card(HEADER, TEXT, TEXT, buttons(QUICK, URL)), FULL],
      ['carousel.cards.0.components'],
    ],
  ])('validates a carousel %s', (_case, cards, expected) => expect(carousel(...cards)).toEqual(expected));

  it('requires MARKETING and allows only a body next to a carousel', () => {
    const cards = { type: 'CAROUSEL', cards: [FULL, FULL] };
    expect(fields([PLAIN, cards], 'UTILITY')).toEqual(['category']);
    expect(fields([cards])).toEqual(['body']);
    expect(
      fields([
        { type: 'HEADER', format: 'TEXT', text: 'x' },
        PLAIN,
        { type: 'FOOTER', text: 'x' },
        buttons(QUICK),
        cards,
      ]),
    ).toEqual(['header', 'footer', 'buttons']);
  });

  it('keeps and normalizes the card properties that WhatsApp supports', () =>
    expect(
      toDraftContent({
        name: 'a',
        language: 'en',
        category: 'marketing',
        components: [
          {
            type: 'carousel',
            cards: [{ extra: 1, components: [{ ...HEADER, type: 'header', format: 'image', extra: 1 }] }],
          },
        ],
      }).components,
    ).toEqual([{ type: 'CAROUSEL', cards: [{ components: [HEADER] }] }]));
});

describe('limited-time offer', () => {
  const CODE = { type: 'COPY_CODE', example: 'SAVE10' };
  const URL = { type: 'URL', text: 'Buy', url: 'https://example.com' };
  const offer = (text: unknown, has_expiration?: unknown) => ({
    type: 'LIMITED_TIME_OFFER',
    limited_time_offer: { text, ...(has_expiration !== undefined && { has_expiration }) },
  });
  const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
  const BOTH = buttons(CODE, URL);

  it.each<[string, object[], string[]]>([
    ['that ends', [offer('Ends soon!', true), PLAIN, BOTH], []],
    ['with a picture', [{ type: 'HEADER', format: 'IMAGE', example: HANDLE }, offer('x', true), PLAIN, BOTH], []],
    ['that does not end, with an address alone', [offer('Ends soon!'), PLAIN, buttons(URL)], []],
    ['of 16 characters', [offer('x'.repeat(16), true), PLAIN, BOTH], []],
    ['of 17 characters', [offer('x'.repeat(17), true), PLAIN, BOTH], ['limited_time_offer.text']],
    ['without a text', [offer(undefined, true), PLAIN, BOTH], ['limited_time_offer.text']],
    ['with a variable', [offer('Ends {{1}}', true), PLAIN, BOTH], ['limited_time_offer.text']],
    ['that may end', [offer('x', 'yes'), PLAIN, BOTH], ['limited_time_offer.has_expiration']],
    ['that is no object', [{ type: 'LIMITED_TIME_OFFER' }, PLAIN, BOTH], ['limited_time_offer']],
    ['that ends, without a code', [offer('x', true), PLAIN, buttons(URL)], ['buttons']],
    ['with its buttons the other way round', [offer('x', true), PLAIN, buttons(URL, CODE)], ['buttons']],
    ['without an address', [offer('x', false), PLAIN, buttons(CODE)], ['buttons']],
    ['without buttons', [offer('x', false), PLAIN], ['buttons']],
    ['with a footer', [offer('x', true), PLAIN, { type: 'FOOTER', text: 'x' }, BOTH], ['footer']],
    [
      'with a text above',
      [{ type: 'HEADER', format: 'TEXT', text: 'x' }, offer('x', true), PLAIN, BOTH],
      ['header.format'],
    ],
    ['with 601 characters', [offer('x', true), { type: 'BODY', text: 'x'.repeat(601) }, BOTH], ['body.text']],
  ])('validates a limited-time offer %s', (_case, components, expected) =>
    expect(fields(components)).toEqual(expected),
  );

  it('requires MARKETING', () => expect(fields([offer('x', true), PLAIN, BOTH], 'UTILITY')).toEqual(['category']));
});

describe('catalog and product list', () => {
  const withButton = (...buttons: object[]) => [PLAIN, { type: 'BUTTONS', buttons }];
  const CATALOG = { type: 'CATALOG', text: 'View catalog' };
  const MPM = { type: 'MPM', text: 'View items' };
  const HEAD = { type: 'HEADER', format: 'TEXT', text: 'New' };

  it.each<[string, object[], string[]]>([
    ['a catalogue', [...withButton(CATALOG), { type: 'FOOTER', text: 'x' }], []],
    ['a list of products', [HEAD, ...withButton(MPM), { type: 'FOOTER', text: 'x' }], []],
    ['a catalogue with a header', [HEAD, ...withButton(CATALOG)], ['header']],
    [
      'a list with a picture',
      [{ type: 'HEADER', format: 'IMAGE', example: HANDLE }, ...withButton(MPM)],
      ['header.format'],
    ],
    ['a catalogue beside another button', withButton(CATALOG, { type: 'QUICK_REPLY', text: 'x' }), ['buttons']],
    ['both', withButton(CATALOG, MPM), ['buttons']],
    ['a button without a text', withButton({ type: 'CATALOG' }), ['buttons.0.text']],
  ])('validates the template: %s', (_case, components, expected) => expect(fields(components)).toEqual(expected));

  it.each([CATALOG, MPM])('requires MARKETING for %j', (button) =>
    expect(fields(withButton(button), 'UTILITY')).toEqual(['category']),
  );
});

describe('product', () => {
  const HEAD = { type: 'HEADER', format: 'PRODUCT' };
  const VIEW = { type: 'SPM', text: 'View' };
  const withButtons = (...buttons: object[]) => ({ type: 'BUTTONS', buttons });

  it.each<[string, object[], string[]]>([
    ['with its button', [HEAD, PLAIN, withButtons(VIEW)], []],
    ['with a footer', [HEAD, PLAIN, { type: 'FOOTER', text: 'x' }, withButtons(VIEW)], []],
    ['without its button', [HEAD, PLAIN], ['buttons']],
    ['with another button', [HEAD, PLAIN, withButtons({ type: 'QUICK_REPLY', text: 'x' })], ['buttons']],
    ['beside another button', [HEAD, PLAIN, withButtons(VIEW, { type: 'QUICK_REPLY', text: 'x' })], ['buttons']],
    ['as a button alone', [PLAIN, withButtons(VIEW)], ['header.format']],
    ['under a text', [{ type: 'HEADER', format: 'TEXT', text: 'New' }, PLAIN, withButtons(VIEW)], ['header.format']],
    ['behind a button without a text', [HEAD, PLAIN, withButtons({ type: 'SPM' })], ['buttons.0.text']],
    ['without a body', [HEAD, withButtons(VIEW)], ['body']],
  ])('validates a product template %s', (_case, components, expected) => expect(fields(components)).toEqual(expected));

  it('requires MARKETING', () => expect(fields([HEAD, PLAIN, withButtons(VIEW)], 'UTILITY')).toEqual(['category']));

  it('keeps only the button text, in the form that WhatsApp expects', () =>
    expect(
      toDraftContent({
        name: 'news',
        language: 'en_US',
        category: 'marketing',
        components: [
          { type: 'header', format: 'product' },
          { type: 'buttons', buttons: [{ type: 'spm', text: 'View', url: 'x' }] },
        ],
      }).components,
    ).toEqual([HEAD, withButtons(VIEW)]));
});

describe('flow button', () => {
  const flow = (more: object) =>
    fields([PLAIN, { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Book', ...more }] }], 'UTILITY');

  it.each<[string, object, string[]]>([
    ['by its id', { flow_id: '1234' }, []],
    ['by its name, at a screen', { flow_name: 'book', flow_action: 'navigate', navigate_screen: 'FIRST' }, []],
    ['by its JSON', { flow_json: '{"version":"7.0","screens":[]}' }, []],
    ['as the platform lists it', { flow_id: 1234, flow_action: 'NAVIGATE', navigate_screen: 'FIRST' }, []],
    ['with screens from a server', { flow_id: '1234', flow_action: 'data_exchange' }, []],
    ['by nothing', {}, ['buttons.0.flow_id']],
    ['by two things', { flow_id: '1', flow_name: 'a' }, ['buttons.0.flow_id']],
    ['by an id of letters', { flow_id: 'abc' }, ['buttons.0.flow_id']],
    ['by an empty name', { flow_name: ' ' }, ['buttons.0.flow_name']],
    ['by JSON that is none', { flow_json: '{' }, ['buttons.0.flow_json']],
    ['with an unknown action', { flow_id: '1', flow_action: 'jump' }, ['buttons.0.flow_action']],
    [
      'with a screen that comes from a server',
      { flow_id: '1', flow_action: 'data_exchange', navigate_screen: 'A' },
      ['buttons.0.navigate_screen'],
    ],
    ['without a text', { text: '', flow_id: '1' }, ['buttons.0.text']],
  ])('validates a flow given %s', (_case, more, expected) => expect(flow(more)).toEqual(expected));

  it('allows a single flow button', () => {
    const button = { type: 'FLOW', text: 'Book', flow_id: '1' };
    expect(fields([PLAIN, { type: 'BUTTONS', buttons: [button, button] }])).toEqual(['buttons']);
  });
});

it('a GIF header requires MARKETING and a sample', () => {
  const gif = { type: 'HEADER', format: 'GIF', example: HANDLE };
  expect(fields([gif, PLAIN])).toEqual([]);
  expect(fields([gif, PLAIN], 'UTILITY')).toEqual(['category']);
  expect(fields([{ type: 'HEADER', format: 'GIF' }, PLAIN])).toEqual(['header.example.header_handle']);
});
