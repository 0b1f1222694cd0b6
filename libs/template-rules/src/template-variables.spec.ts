import { unfillable } from './template-variable';
import { cardsOf } from './draft-content';
import { templateVariables } from './template-variables';

const listed = (components: object[], category = 'UTILITY') =>
  templateVariables({ components, category }).map(({ key, column, kind, sample }) => [key, column, kind, sample]);
const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const example = (name: string, value: unknown) => ({ example: { [name]: value } });

describe('templateVariables', () => {
  it('returns header, body and button variables with name, column and sample', () =>
    expect(
      listed([
        buttons(
          { type: 'QUICK_REPLY', text: 'Later' },
          { type: 'URL', url: 'https://example.com/{{1}}', example: ['https://example.com/A-17'] },
          { type: 'URL', url: 'https://example.com' },
          { type: 'COPY_CODE', example: 'SAVE10' },
          { type: 'PHONE_NUMBER', phone_number: '+15550001111' },
        ),
        { type: 'FOOTER', text: 'Acme' },
        { type: 'BODY', text: 'On {{2}} the parcel of {{ 1 }}, {{2}}.', ...example('body_text', [['Asha', 'Monday']]) },
        { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', ...example('header_text', ['A-17']) },
      ]),
    ).toEqual([
      ['header 1', 'header {{1}}', 'text', 'A-17'],
      ['1', '{{1}}', 'text', 'Asha'],
      ['2', '{{2}}', 'text', 'Monday'],
      ['button 1', 'button 1', 'payload', ''],
      ['button 2', 'button 2', 'text', 'A-17'],
      ['button 4', 'button 4', 'coupon_code', 'SAVE10'],
    ]));

  it('returns named variables in the order of the text', () =>
    expect(
      templateVariables({
        category: 'utility',
        components: [
          {
            type: 'header',
            text: '{{shop}}',
            ...example('header_text_named_params', [{ param_name: 'shop', example: 'Acme' }]),
          },
          {
            type: 'body',
            text: '{{order_id}} for {{first_name}}',
            ...example('body_text_named_params', [
              { param_name: 'first_name', example: 'Asha' },
              { param_name: 'order_id', example: 'A-17' },
            ]),
          },
        ],
      }),
    ).toMatchObject([
      { key: 'header shop', column: 'header {{shop}}', parameterName: 'shop', sample: 'Acme' },
      { key: 'order_id', column: '{{order_id}}', parameterName: 'order_id', sample: 'A-17' },
      { key: 'first_name', column: '{{first_name}}', parameterName: 'first_name', sample: 'Asha' },
    ]));

  it.each([
    ['IMAGE', 'https://example.com/a.png', [['header link', 'header link', 'image', 'https://example.com/a.png']]],
    ['VIDEO', '4::handle', [['header link', 'header link', 'video', '']]],
    [
      'DOCUMENT',
      undefined,
      [
        ['header link', 'header link', 'document', ''],
        ['header filename', 'header filename', 'filename', ''],
      ],
    ],
    ['GIF', undefined, [['header link', 'header link', 'gif', '']]],
    [
      'PRODUCT',
      undefined,
      [
        ['header product', 'header product', 'product', ''],
        ['header catalog', 'header catalog', 'catalog', ''],
      ],
    ],
    ['STICKER', undefined, [['header', 'header', 'other', '']]],
  ])('returns the variables of a %s header', (format, handle, variables) =>
    expect(listed([{ type: 'HEADER', format, ...example('header_handle', [handle]) }])).toEqual(variables),
  );

  it('returns the parts of a location, with optional name and address', () =>
    expect(
      templateVariables({ category: 'UTILITY', components: [{ type: 'HEADER', format: 'location' }] }).map(
        ({ key, isOptional }) => [key, isOptional],
      ),
    ).toEqual([
      ['header latitude', false],
      ['header longitude', false],
      ['header name', true],
      ['header address', true],
    ]));

  it('returns an authentication code twice, with its lower length limit', () =>
    expect(
      templateVariables({
        category: 'AUTHENTICATION',
        components: [
          { type: 'BODY', text: '*{{1}}* is your code.' },
          buttons({
            type: 'URL',
            url: 'https://example.com/?code=otp{{1}}',
            example: ['https://example.com/?code=otp123456'],
          }),
        ],
      }),
    ).toMatchObject([
      { key: '1', maxCharacters: 15 },
      { key: 'button 1', index: 0, maxCharacters: 15, sample: '123456' },
    ]));

  it('ignores unknown components', () =>
    expect(
      listed([
        { type: 'CAROUSEL' },
        { type: 'CAROUSEL', cards: 'x' },
        {},
        buttons({ type: 'VOICE_CALL' }, {}),
        { type: 'BODY' },
        { type: 'BODY', text: '{{}}' },
      ]),
    ).toEqual([]));

  it('returns the end of an offer that ends', () => {
    const offer = (has_expiration: unknown) => [
      { type: 'limited_time_offer', limited_time_offer: { text: 'Soon', has_expiration } },
    ];
    expect(listed(offer(true))).toEqual([['offer end', 'offer end', 'offer_end', '']]);
    expect([listed(offer(false)), listed([{ type: 'LIMITED_TIME_OFFER' }])]).toEqual([[], []]);
  });

  it('returns button variables, with optional catalog and flow variables', () =>
    expect(
      templateVariables({
        category: 'MARKETING',
        components: [buttons({ type: 'CATALOG' }, { type: 'MPM' }, { type: 'FLOW' })],
      }),
    ).toMatchObject([
      { key: 'button 1', kind: 'thumbnail', isOptional: true, maxCharacters: 100 },
      { key: 'button 2', kind: 'product_list', isOptional: false },
      { key: 'button 3', kind: 'flow_token', isOptional: true, maxCharacters: 512 },
    ]));

  it('returns the variables of cards after all others', () => {
    const card = (...more: object[]) => ({ components: [{ type: 'HEADER', format: 'IMAGE' }, ...more] });
    const components = [
      {
        type: 'carousel',
        cards: [
          card(
            { type: 'BODY', text: 'Only {{price}} now.' },
            buttons({ type: 'QUICK_REPLY' }, { type: 'URL', url: 'https://example.com/{{1}}' }),
          ),
          card({ type: 'CAROUSEL', cards: [card()] }),
        ],
      },
      { type: 'BODY', text: 'Hello {{name}}.' },
    ];
    const variables = templateVariables({ components, category: 'MARKETING' });
    expect(variables.map(({ key, column, card: at, place }) => [key, column, at, place])).toEqual([
      ['name', '{{name}}', undefined, 'body'],
      ['card 1 header link', 'card 1 header link', 0, 'header'],
      ['card 1 price', 'card 1 {{price}}', 0, 'body'],
      ['card 1 button 1', 'card 1 button 1', 0, 'button'],
      ['card 1 button 2', 'card 1 button 2', 0, 'button'],
      ['card 2 header link', 'card 2 header link', 1, 'header'],
    ]);
    expect(variables[2]).toMatchObject({ parameterName: 'price' });
    expect(cardsOf(components)).toHaveLength(2);
  });
});

it.each([
  [{ type: 'HEADER', format: 'STICKER' }, /^the template's header is of a kind/],
  [buttons({ type: 'FLOW' }, { type: 'MPM' }), /^button 2 opens a list of products/],
])('reports that values alone cannot fill %j', (component, reason) =>
  expect(unfillable(templateVariables({ components: [component], category: 'MARKETING' }))).toMatch(reason),
);

it('reports that values alone can fill every other template', () =>
  expect(
    unfillable(templateVariables({ components: [buttons({ type: 'FLOW' })], category: 'MARKETING' })),
  ).toBeUndefined());
