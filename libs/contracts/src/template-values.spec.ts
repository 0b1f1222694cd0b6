import { templateVariables } from '@switchboard/template-rules';
import type { TemplateComponent } from './messaging/message-types';
import { TemplateFiller, type TemplateValues } from './template-values';

const link = 'https://example.com/a.pdf';
const mediaId = 'med_01jd0000000000000000000000';
const BODY = { type: 'BODY', text: 'Order {{2}} of {{1}}.' };
const BUTTONS = {
  type: 'BUTTONS',
  buttons: [{ type: 'QUICK_REPLY' }, { type: 'URL', url: 'https://example.com/{{1}}' }, { type: 'COPY_CODE' }],
};
const OFFER = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon', has_expiration: true } };
const withButton = (type: string) => ({ type: 'BUTTONS', buttons: [{ type, text: 'Open' }] });
const [MPM, FLOW] = [withButton('MPM'), withButton('FLOW')];
const CARD = {
  components: [
    { type: 'HEADER', format: 'IMAGE' },
    { type: 'BODY', text: 'Only {{1}} now.' },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'More' }] },
  ],
};
const CAROUSEL = { type: 'CAROUSEL', cards: [CARD, CARD] };
const header = (format: string, more: object = {}) => ({ type: 'HEADER', format, ...more });
const text = (value: string, parameter_name?: string) => ({
  type: 'text' as const,
  ...(parameter_name && { parameter_name }),
  text: value,
});
const fillerOf = (components: object[], own?: TemplateComponent[]): TemplateFiller =>
  new TemplateFiller(templateVariables({ components, category: 'UTILITY' }), { own });
const fill = (components: object[], values: TemplateValues, own?: TemplateComponent[]) =>
  fillerOf(components, own).fill(values);

describe('filling in template values', () => {
  it('fills body and buttons by number', () =>
    expect(
      fill([BODY, BUTTONS], { '2': 'A-17', '{{1}}': 'Asha', 'button 1': 'later', 'button 2': 'x', 'button 3': 'SAVE' }),
    ).toEqual({
      components: [
        { type: 'body', parameters: [text('Asha'), text('A-17')] },
        { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'later' }] },
        { type: 'button', sub_type: 'url', index: '1', parameters: [text('x')] },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '2',
          parameters: [{ type: 'coupon_code', coupon_code: 'SAVE' }],
        },
      ],
    }));

  it('fills only the body from a list', () =>
    expect(fill([BODY], ['Asha', 'A-17'])).toEqual({
      components: [{ type: 'body', parameters: [text('Asha'), text('A-17')] }],
    }));

  it('fills named variables by name', () =>
    expect(
      fill([header('TEXT', { text: '{{shop}}' }), { type: 'BODY', text: '{{a}} {{b}}' }], {
        b: 'B',
        a: 'A',
        'header shop': 'S',
      }),
    ).toEqual({
      components: [
        { type: 'header', parameters: [text('S', 'shop')] },
        { type: 'body', parameters: [text('A', 'a'), text('B', 'b')] },
      ],
    }));

  it.each([
    ['IMAGE', { 'header link': link }, { type: 'image', image: { link } }],
    ['IMAGE', { 'header media': link }, { type: 'image', image: { link } }],
    ['IMAGE', { 'header link': mediaId }, { type: 'image', image: { id: mediaId } }],
    [
      'DOCUMENT',
      { 'header media': mediaId, 'header filename': 'Bill.pdf' },
      { type: 'document', document: { id: mediaId, filename: 'Bill.pdf' } },
    ],
    ['VIDEO', { 'header link': link }, { type: 'video', video: { link } }],
    ['DOCUMENT', { 'header link': link, 'header filename': '' }, { type: 'document', document: { link } }],
    [
      'DOCUMENT',
      { 'header link': link, 'header filename': 'Bill.pdf' },
      { type: 'document', document: { link, filename: 'Bill.pdf' } },
    ],
    ['GIF', { 'header link': link }, { type: 'gif', gif: { link } }],
    [
      'PRODUCT',
      { 'header product': 'SKU-1', 'header catalog': '194' },
      { type: 'product', product: { product_retailer_id: 'SKU-1', catalog_id: '194' } },
    ],
    [
      'LOCATION',
      { 'header latitude': '12.5', 'header longitude': -77, 'header address': '1 Road' },
      { type: 'location', location: { latitude: 12.5, longitude: -77, address: '1 Road' } },
    ],
  ])('fills a header of format %s from %j', (format, values, parameter) =>
    expect(fill([header(format)], values)).toEqual({ components: [{ type: 'header', parameters: [parameter] }] }),
  );

  it.each([
    ['2030-01-31T18:00:00Z', Date.UTC(2030, 0, 31, 18)],
    ['2030-01-31T18:00+05:30', Date.UTC(2030, 0, 31, 12, 30)],
    ['1893456000000', 1_893_456_000_000],
    [1_893_456_000_000, 1_893_456_000_000],
  ])('fills the end of an offer from %j', (end, expiration_time_ms) =>
    expect(fill([OFFER], { 'offer end': end })).toEqual({
      components: [
        {
          type: 'limited_time_offer',
          parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms } }],
        },
      ],
    }),
  );

  it('fills action buttons', () => {
    const opened = (sub_type: string, action: object) => ({
      components: [{ type: 'button', sub_type, index: '0', parameters: [{ type: 'action', action }] }],
    });
    expect(fill([FLOW], { 'button 1': 'visit-7' })).toEqual(opened('flow', { flow_token: 'visit-7' }));
    expect(fill([withButton('CATALOG')], { 'button 1': 'SKU-1' })).toEqual(
      opened('catalog', { thumbnail_product_retailer_id: 'SKU-1' }),
    );
    for (const optional of [withButton('CATALOG'), FLOW])
      expect([fill([optional], {}), fill([optional], { 'button 1': '' })]).toEqual([
        { components: [] },
        { components: [] },
      ]);
  });

  it('fills each card from the recipient or the job', () => {
    const image = { type: 'header', parameters: [{ type: 'image' as const, image: { link } }] };
    const price = (value: string) => ({ type: 'body', parameters: [text(value)] });
    const own = [
      {
        type: 'CAROUSEL',
        cards: [0, 1].map((card_index) => ({ card_index, components: [image, price('x')] })),
      },
    ];
    const cardsOf = (...prices: string[]) => ({
      components: [
        {
          type: 'carousel',
          cards: prices.map((value, card_index) => ({ card_index, components: [image, price(value)] })),
        },
      ],
    });
    const links = { 'card 1 header link': link, 'card 2 header link': link };
    expect(fill([CAROUSEL], { ...links, 'card 1 1': '$1', 'card 2 {{1}}': '$2' })).toEqual(cardsOf('$1', '$2'));
    expect(fill([CAROUSEL], { 'card 2 1': '$2' }, own)).toEqual(cardsOf('x', '$2'));
    expect(fill([BODY, CAROUSEL], ['A', 'B'], own)).toMatchObject({
      components: [{ type: 'body' }, ...cardsOf('x', 'x').components],
    });
  });

  it('passes on cards that the template does not have', () => {
    const own = [
      { type: 'carousel', cards: [{ card_index: 2, components: [{ type: 'body', parameters: [text('x')] }] }] },
    ];
    const links = { 'card 1 header link': link, 'card 2 header link': link };
    expect(fill([CAROUSEL], { ...links, 'card 1 1': 'a', 'card 2 1': 'b' }, own)).toMatchObject({
      components: [{ cards: [{ card_index: 0 }, { card_index: 1 }, own[0]?.cards[0]] }],
    });
    expect(fill([BODY], { '1': 'A', '2': 'B' }, own)).toMatchObject({ components: [own[0], { type: 'body' }] });
  });

  it("uses the job's value if the recipient has none", () => {
    const own = [
      { type: 'HEADER', parameters: [{ type: 'image' as const, image: { link } }] },
      { type: 'body', parameters: [text('x'), text('y')] },
    ];
    expect(
      fill([header('IMAGE'), BODY, { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY' }] }], ['A', 'B'], own),
    ).toEqual({
      components: [own[0], { type: 'body', parameters: [text('A'), text('B')] }],
    });
    const ofRecipient = { type: 'header', parameters: [{ type: 'image', image: { link: `${link}?2` } }] };
    expect(fill([header('IMAGE'), BODY], { 'header link': `${link}?2` }, own)).toEqual({
      components: [ofRecipient, own[1]],
    });
  });

  it("uses the job's offer end or button if the recipient has none", () => {
    const own: TemplateComponent[] = [
      {
        type: 'limited_time_offer',
        parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: 1_893_456_000_000 } }],
      },
      { type: 'button', sub_type: 'copy_code', index: '2', parameters: [{ type: 'coupon_code', coupon_code: 'SAVE' }] },
    ];
    const [offer, code] = own;
    const parts = [OFFER, BODY, BUTTONS];
    const given = { '1': 'A', '2': 'B', 'button 2': 'x' };
    const url = { type: 'button', sub_type: 'url', index: '1', parameters: [text('x')] };
    const ofBody = { type: 'body', parameters: [text('A'), text('B')] };
    expect(fill(parts, given, own)).toEqual({ components: [ofBody, offer, url, code] });
    expect(fill(parts, { ...given, 'offer end': '1893456000001' }, own)).toMatchObject({
      components: [{}, { parameters: [{ limited_time_offer: { expiration_time_ms: 1_893_456_000_001 } }] }, {}, code],
    });
  });

  it('accepts values of maximum length', () => {
    const longest = {
      '1': 'x'.repeat(1_024),
      '2': 'B',
      'header link': `${link}?`.padEnd(2_048, 'x'),
      'header filename': 'x'.repeat(240),
      'button 1': 'x'.repeat(256),
      'button 2': 'x'.repeat(1_024),
      'button 3': 'x'.repeat(20),
    };
    expect(fill([header('DOCUMENT'), BODY, BUTTONS], longest)).not.toHaveProperty('fault');
  });

  it('fills only components with given values', () => {
    expect(fillerOf([header('IMAGE'), BODY]).fillGiven({ 'header link': link })).toMatchObject({
      components: [{ type: 'header' }],
    });
    expect(fillerOf([header('DOCUMENT'), BODY]).fillGiven({ 'header filename': 'a' })).toMatchObject({
      fault: { code: 'TEMPLATE_PARAMS_MISMATCH' },
    });
    expect(fillerOf([BODY, CAROUSEL]).fillGiven({ 'card 2 1': '$2' })).toEqual({
      components: [
        { type: 'carousel', cards: [{ card_index: 1, components: [{ type: 'body', parameters: [text('$2')] }] }] },
      ],
    });
    expect(fillerOf([BODY, CAROUSEL]).fillGiven({ '1': 'A', '2': 'B' })).toMatchObject({
      components: [{ type: 'body' }],
    });
  });

  it('ignores inherited object members', () =>
    expect(fill([{ type: 'BODY', text: '{{constructor}}' }], {})).toMatchObject({
      fault: { code: 'TEMPLATE_PARAMS_MISMATCH' },
    }));
});

describe('rejecting template values', () => {
  const ALL = [header('DOCUMENT'), BODY, BUTTONS];
  const right = { '1': 'A', '2': 'B', 'header link': link, 'button 2': 'x', 'button 3': 'y' };
  const place = { 'header latitude': '1', 'header longitude': '2' };
  const REFUSED: [object[], TemplateValues, string, string][] = [
    [ALL, { ...right, '2': undefined }, 'TEMPLATE_PARAMS_MISMATCH', 'variable 2 is empty'],
    [ALL, { ...right, 'button 2': '' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable button 2 is empty'],
    [ALL, { ...right, 'button 2': ' \u00A0' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable button 2 is empty'],
    [ALL, { ...right, 'header link': ' ' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable header link is empty'],
    [ALL, { '1': 'A', '2': 'B' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable header link is missing'],
    [ALL, { ...right, '1': 7 }, 'INVALID_PARAMETER', 'variable 1 must be a text'],
    [ALL, { ...right, '1': 'a\nb' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable 1 must be without line breaks'],
    [ALL, { ...right, '1': 'x'.repeat(1_025) }, 'TEXT_TOO_LONG', 'variable 1 must be at most 1024 characters'],
    [ALL, { ...right, 'button 3': 'x'.repeat(21) }, 'TEXT_TOO_LONG', 'variable button 3 must be at most 20 characters'],
    [ALL, { ...right, 'button 1': 'x'.repeat(257) }, 'TEXT_TOO_LONG', 'must be at most 256 characters'],
    [ALL, { ...right, 'header filename': 'x'.repeat(241) }, 'TEXT_TOO_LONG', 'must be at most 240 characters'],
    [ALL, { ...right, '1': 'a\u0000' }, 'INVALID_VALUE', 'variable 1 holds characters that cannot be stored'],
    [ALL, { ...right, 'button 1': '\uD800' }, 'INVALID_VALUE', 'variable button 1 holds characters that cannot'],
    [
      ALL,
      { ...right, 'header link': 'http://example.com' },
      'INVALID_LINK',
      'variable header link must be an https URL',
    ],
    [ALL, { ...right, 'header link': 'https://10.0.0.1/a' }, 'INVALID_LINK', 'with a public host'],
    [ALL, { ...right, 'header link': `https://example.com/${'x'.repeat(2_048)}` }, 'INVALID_LINK', 'of at most 2048'],
    [ALL, ['A'], 'TEMPLATE_PARAMS_MISMATCH', 'the body expects 2, 1 given'],
    [[header('LOCATION')], { ...place, 'header latitude': '91' }, 'INVALID_VALUE', 'must be a number from -90 to 90'],
    [
      [header('LOCATION')],
      { ...place, 'header longitude': '0x1' },
      'INVALID_VALUE',
      'must be a number from -180 to 180',
    ],
    [
      [header('LOCATION')],
      { 'header latitude': '1' },
      'TEMPLATE_PARAMS_MISMATCH',
      'variable header longitude is missing',
    ],
    [[header('STICKER')], { header: 'x' }, 'TEMPLATE_PARAMS_MISMATCH', 'a kind that this service does not send'],
    [[MPM], {}, 'TEMPLATE_PARAMS_MISMATCH', 'button 1 opens a list of products, which template.components alone can'],
    [[MPM], { 'button 1': 'a, b' }, 'TEMPLATE_PARAMS_MISMATCH', 'button 1 opens a list of products'],
    [[FLOW], { 'button 1': 'x'.repeat(513) }, 'TEXT_TOO_LONG', 'must be at most 512 characters'],
    [[OFFER], {}, 'TEMPLATE_PARAMS_MISMATCH', 'variable offer end is missing'],
    [[OFFER], { 'offer end': '2030-01-31' }, 'INVALID_VALUE', 'must be a time with its zone such as'],
    [[OFFER], { 'offer end': '2030-01-31T18:00' }, 'INVALID_VALUE', 'must be a time with its zone such as'],
    [[OFFER], { 'offer end': '1893456000' }, 'INVALID_VALUE', 'in milliseconds since 1970'],
    [[OFFER], { 'offer end': 9e15 }, 'INVALID_VALUE', 'in milliseconds since 1970'],
    [[OFFER], { 'offer end': {} }, 'INVALID_VALUE', 'must be a time with its zone such as'],
    [[header('PRODUCT')], { 'header product': 'a' }, 'TEMPLATE_PARAMS_MISMATCH', 'variable header catalog is missing'],
    [
      [CAROUSEL],
      { 'card 1 header link': link, 'card 1 1': 'x' },
      'TEMPLATE_PARAMS_MISMATCH',
      'variable card 2 header link is missing',
    ],
    [
      [CAROUSEL],
      { 'card 1 header link': 'http://a' },
      'INVALID_LINK',
      'variable card 1 header link must be an https URL',
    ],
    [[header('STICKER')], {}, 'TEMPLATE_PARAMS_MISMATCH', 'a kind that this service does not send'],
  ];
  const titled = REFUSED.map(([components, values, code, message]) => [code, message, components, values] as const);
  it.each(titled)('rejects values with %s: %s', (code, message, components, values) =>
    expect(fill(components, values)).toMatchObject({
      fault: { code, message: expect.stringContaining(message) as string },
    }),
  );

  it('rejects an unknown name and lists the known ones', () => {
    expect(fillerOf([BODY]).faultOfNames({ '1': 'A', '{{2}}': 'B', colour: 'x' })?.message).toBe(
      'template parameters do not match the template: the template has no variable colour; its variables are 1, 2',
    );
    expect(fillerOf([BODY]).faultOfNames({ '{{1}}': 'A' })).toBeUndefined();
  });
});

describe('components combined with values', () => {
  const opened: TemplateComponent = {
    type: 'button',
    sub_type: 'mpm',
    index: '0',
    parameters: [{ type: 'action', action: { thumbnail_product_retailer_id: 'a' } }],
  };
  const faultOf = (components: object[], values: TemplateValues, own: TemplateComponent[]) =>
    fillerOf(components, own).faultOfOwn(values)?.code;

  it('may set the action of a button', () => {
    expect(faultOf([BODY, MPM], ['A', 'B'], [opened])).toBeUndefined();
    expect(faultOf([BODY], ['A', 'B'], [])).toBeUndefined();
  });

  it.each<[string, object[], TemplateValues, TemplateComponent[]]>([
    ['a body', [BODY, MPM], {}, [opened, { type: 'body', parameters: [text('x')] }]],
    ['a component that the template does not have', [BODY], {}, [opened]],
    ['a component that a value also sets', [FLOW], { 'button 1': 't' }, [{ ...opened, sub_type: 'flow' }]],
    [
      'a part of a card',
      [CAROUSEL],
      {},
      [{ type: 'carousel', cards: [{ card_index: 0, components: [{ type: 'footer', parameters: [text('x')] }] }] }],
    ],
  ])('are rejected with %s', (_what, components, values, own) =>
    expect(faultOf(components, values, own)).toBe('INVALID_PARAMETER'),
  );
});
