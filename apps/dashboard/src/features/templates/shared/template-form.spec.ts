import { contentFaults, toDraftContent } from '@switchboard/template-rules';
import type { ButtonForm } from './button-form';
import type { CardForm } from './card-form';
import { editRefusal, emptyForm, type TemplateForm, toComponents, toForm } from './template-form';
import { FORMATS, formatOf, losesParts, toFormat } from '../editor/template-formats';
import { variablesOf } from '../editor/template-variables';

const FULL: TemplateForm = {
  ...emptyForm(),
  header: 'TEXT',
  headerText: 'Order {{1}}',
  headerSample: 'A-17',
  body: 'Hi {{1}}, your order comes on {{2}} as planned.',
  bodySamples: { 1: 'Asha', 2: 'Monday' },
  footer: 'Acme',
  buttons: [
    { type: 'QUICK_REPLY', text: 'Thanks', value: '', sample: '' },
    { type: 'URL', text: 'Track', value: 'https://example.com/{{1}}', sample: 'A-17' },
    { type: 'PHONE_NUMBER', text: 'Call', value: '+15550783881', sample: '' },
    { type: 'COPY_CODE', text: '', value: 'SAVE10', sample: '' },
  ],
};
const CODE: TemplateForm = {
  ...emptyForm(),
  expiryMinutes: '10',
  otpType: 'ZERO_TAP',
  otpText: 'Copy',
  autofillText: 'Fill in',
  apps: [
    { packageName: 'com.example.app', signatureHash: 'K8a/AINcGX7' },
    { packageName: 'com.example.other', signatureHash: 'K8a/AINcGX8' },
  ],
  acceptsZeroTap: true,
};
const NAMED: TemplateForm = {
  ...emptyForm(),
  header: 'TEXT',
  headerText: 'For {{who}}',
  headerSample: 'Asha',
  body: 'Order {{order}} comes on {{day}} as planned.',
  bodySamples: { order: 'A-17', day: 'Monday' },
};
const card = (key: number): CardForm => ({
  key,
  header: 'VIDEO',
  headerFile: `med_${key}`,
  hasBody: true,
  body: 'Now only {{1}} for you.',
  bodySamples: { 1: `$${key}` },
  buttons: [
    { type: 'QUICK_REPLY', text: 'More', value: '', sample: '' },
    { type: 'URL', text: 'Buy', value: 'https://example.com/{{1}}', sample: `a${key}` },
  ],
});
const CAROUSEL: TemplateForm = { ...emptyForm(), body: 'Look at our news.', cards: [card(0), card(1)] };
const OFFER: TemplateForm = {
  ...emptyForm(),
  body: 'Look at our news.',
  offer: { text: 'Ends soon!', ends: true },
  buttons: [
    { type: 'COPY_CODE', text: '', value: 'SAVE10', sample: '' },
    { type: 'URL', text: 'Buy', value: 'https://example.com', sample: '' },
  ],
};
const withButton = (button: ButtonForm): TemplateForm => ({
  ...emptyForm(),
  body: 'Look at our news.',
  buttons: [button],
});
const FLOW = withButton({
  type: 'FLOW',
  text: 'Book',
  value: '1234',
  sample: '',
  flow: { source: 'flow_id', action: 'navigate', screen: 'FIRST', kept: { icon: 'DOCUMENT' } },
});
const CATALOG = withButton({ type: 'CATALOG', text: 'View catalog', value: '', sample: '' });
const PRODUCTS = withButton({ type: 'MPM', text: 'View items', value: '', sample: '' });
const PRODUCT: TemplateForm = {
  ...withButton({ type: 'SPM', text: 'View', value: '', sample: '' }),
  header: 'PRODUCT',
};
const SWAPPED = 'On {{2}} the parcel of {{1}} comes to you.';

describe('template form', () => {
  it.each([
    ['UTILITY', FULL],
    ['MARKETING', { ...emptyForm(), header: 'LOCATION', body: 'We have moved to a new place.' }],
    ['UTILITY', { ...FULL, header: 'IMAGE', headerText: '', headerSample: '', headerFile: 'med_01jd' }],
    ['UTILITY', { ...FULL, body: SWAPPED }],
    ['UTILITY', NAMED],
    ['MARKETING', CAROUSEL],
    [
      'MARKETING',
      { ...CAROUSEL, cards: CAROUSEL.cards.map((one) => ({ ...one, hasBody: false, body: '', bodySamples: {} })) },
    ],
    ['MARKETING', OFFER],
    ['UTILITY', FLOW],
    ['MARKETING', CATALOG],
    ['MARKETING', PRODUCTS],
    ['MARKETING', { ...PRODUCT, footer: 'Acme' }],
    ['MARKETING', { ...CATALOG, buttons: [], header: 'GIF', headerFile: 'med_01jd' }],
    ['AUTHENTICATION', CODE],
    ['AUTHENTICATION', emptyForm()],
  ] as [string, TemplateForm][])('writes valid content of category %s and reads it back', (category, form) => {
    const components = toComponents(form, category);
    expect(contentFaults(toDraftContent({ name: 'order_update', language: 'en_US', category, components }))).toEqual(
      [],
    );
    expect(toForm(components, category)).toEqual(form);
  });

  it('drops samples of removed variables', () => {
    const components = toComponents({ ...FULL, body: 'Hi {{1}}, thank you.' }, 'UTILITY');
    expect(components).toContainEqual({
      type: 'BODY',
      text: 'Hi {{1}}, thank you.',
      example: { body_text: [['Asha']] },
    });
  });

  it('converts the full URL that WhatsApp lists to its variable part', () => {
    const button = {
      type: 'URL',
      text: 'Track',
      url: 'https://example.com/{{1}}',
      example: ['https://example.com/A-17'],
    };
    const { buttons } = toForm([{ type: 'BUTTONS', buttons: [button] }], 'UTILITY');
    expect(buttons).toMatchObject([{ sample: 'A-17' }]);
  });
});

describe('variables out of numerical order', () => {
  const form = { ...emptyForm(), body: SWAPPED, bodySamples: { 1: 'Asha', 2: 'Monday' } };

  it('are submitted with samples sorted by number', () =>
    expect(toComponents(form, 'UTILITY')).toMatchObject([{ example: { body_text: [['Asha', 'Monday']] } }]));

  it('are listed by number and changed separately', () => {
    const [first, second] = variablesOf(form);
    expect([first, second]).toMatchObject([
      { name: '1', value: 'Asha' },
      { name: '2', value: 'Monday' },
    ]);
    expect(second?.change('Friday')).toEqual({ bodySamples: { 1: 'Asha', 2: 'Friday' } });
  });
});

describe('unsupported parts', () => {
  it.each([
    ['button', { type: 'BUTTONS', buttons: [{ type: 'VOICE_CALL', text: 'Call us' }] }, 'a button of type Voice call'],
    ['button without a text', { type: 'BUTTONS', buttons: [{ type: 'NEW_ONE' }] }, 'a button of type New one'],
    ['header', { type: 'HEADER', format: 'AUDIO' }, 'a header of type Audio'],
    ['part', { type: 'CALL_PERMISSION_REQUEST' }, 'a component of type Call permission request'],
    [
      'card',
      { type: 'CAROUSEL', cards: [{ components: [{ type: 'HEADER', format: 'PRODUCT' }] }] },
      'a card with a header of type Product',
    ],
  ])('prevent editing: %s', (_what, component, words) => {
    const form = toForm([component, { type: 'BODY', text: 'Hello to you.' }], 'MARKETING');
    expect(editRefusal(form)).toBe(
      `This template contains ${words}, which this editor does not support. Edit it on the platform.`,
    );
  });

  it('are shown by text or by type', () =>
    expect(
      toForm([{ type: 'BUTTONS', buttons: [{ type: 'VOICE_CALL', text: 'Call' }, { type: 'NEW' }] }], 'UTILITY')
        .buttons,
    ).toMatchObject([
      { type: 'OTHER', text: 'Call' },
      { type: 'OTHER', text: 'New' },
    ]));

  it.each(['UTILITY', 'AUTHENTICATION'])("do not occur in the editor's own output: %s", (category) =>
    expect(editRefusal(toForm(toComponents(category === 'UTILITY' ? FULL : CODE, category), category))).toBeUndefined(),
  );
});

it('an authentication template keeps all apps and the autofill text', () =>
  expect(
    toComponents(toForm(toComponents(CODE, 'AUTHENTICATION'), 'AUTHENTICATION'), 'AUTHENTICATION')[2],
  ).toMatchObject({
    buttons: [
      {
        autofill_text: 'Fill in',
        supported_apps: [{ package_name: 'com.example.app' }, { package_name: 'com.example.other' }],
      },
    ],
  }));

describe('template format', () => {
  it('is derived from the parts and determines them', () => {
    expect([FULL, CAROUSEL, OFFER, CATALOG, PRODUCTS, PRODUCT].map(formatOf)).toEqual(
      FORMATS.map(([format]) => format),
    );
    for (const [format] of FORMATS) expect(formatOf({ ...FULL, ...toFormat(FULL, format) })).toBe(format);
  });

  it('changes without confirmation when nothing is lost', () => {
    const plain = { ...emptyForm(), body: 'Look at our news.' };
    for (const [format] of FORMATS) expect([format, losesParts(plain, format)]).toEqual([format, false]);
    expect(losesParts({ ...plain, ...toFormat(plain, 'CAROUSEL') }, 'MESSAGE')).toBe(false);
    const product = { ...plain, ...toFormat(plain, 'PRODUCT') };
    expect([product.header, losesParts(product, 'MESSAGE')]).toEqual(['PRODUCT', false]);
    expect({ ...product, ...toFormat(product, 'MESSAGE') }).toEqual(plain);
    expect(losesParts(FULL, 'CAROUSEL')).toBe(true);
    expect(losesParts(CAROUSEL, 'MESSAGE')).toBe(true);
  });
});
