import { contentFaults } from './content-faults';
import { toDraftContent } from './draft-content';

const BODY = {
  type: 'BODY',
  text: 'Order {{1}} ships on {{2}} as planned.',
  example: { body_text: [['A-17', 'Monday']] },
};
const PLAIN = { type: 'BODY', text: 'Your order is ready.' };
const given = { name: 'order_update', language: 'en_US', category: 'UTILITY', components: [BODY] as object[] };

const fields = (change: object): string[] =>
  contentFaults(toDraftContent({ ...given, ...change })).map(({ field }) => field);
const withComponents = (...components: object[]) => fields({ components });
const body = (text: unknown, examples?: unknown) =>
  withComponents({ type: 'BODY', text, ...(examples !== undefined && { example: { body_text: examples } }) });
const header = (more: object) => withComponents({ type: 'HEADER', ...more }, PLAIN);
const buttons = (...list: unknown[]) => withComponents(PLAIN, { type: 'BUTTONS', buttons: list });

const QUICK = { type: 'QUICK_REPLY', text: 'Stop' };
const URL = { type: 'URL', text: 'Track', url: 'https://example.com/track' };
const PHONE = { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550001111' };
const CODE = { type: 'COPY_CODE', example: 'SAVE10' };
const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`).join(' ');

describe('valid templates', () => {
  it.each([
    ['with variables', {}],
    [
      'with all parts',
      {
        components: [
          { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { header_text: ['Ana'] } },
          BODY,
          { type: 'FOOTER', text: 'Demo' },
          { type: 'BUTTONS', buttons: [QUICK, URL] },
        ],
      },
    ],
    [
      'in lower case',
      {
        category: 'utility',
        components: [
          { type: 'header', format: 'location' },
          { ...PLAIN, type: 'body' },
        ],
      },
    ],
    ['in a language spelled with a dash', { language: 'pt-BR' }],
    ['with a time to live', { ttlSeconds: 60 }],
    ['with an empty example where it needs none', { components: [PLAIN] }],
  ])('accepts a template %s', (_case, change) => expect(fields(change)).toEqual([]));
});

describe('name, language, category and validity', () => {
  it.each(['Order', 'order update', 'order-update', 'ördner', '', 'x'.repeat(513)])('rejects the name %j', (name) =>
    expect(fields({ name })).toEqual(['name']),
  );
  it.each(['x'.repeat(512), 'order_2', '_'])('accepts the name %j', (name) => expect(fields({ name })).toEqual([]));
  it.each(['english', 'EN', 'en_us', 'e', 'en_USAAA', 'en US'])('rejects the language %j', (language) =>
    expect(fields({ language })).toEqual(['language']),
  );
  it.each(['en', 'fil', 'en_US', 'zh_CN'])('accepts the language %j', (language) =>
    expect(fields({ language })).toEqual([]),
  );
  it.each(['OTP', 'TRANSACTIONAL', ''])('rejects the category %j', (category) =>
    expect(fields({ category })).toEqual(['category']),
  );
  it.each([
    ['UTILITY', 29, ['ttlSeconds']],
    ['UTILITY', 30, []],
    ['UTILITY', 43_200, []],
    ['UTILITY', 43_201, ['ttlSeconds']],
    ['MARKETING', 60, ['ttlSeconds']],
  ])('limits the validity of %s templates: %i seconds', (category, ttlSeconds, expected) =>
    expect(fields({ category, ttlSeconds })).toEqual(expected),
  );
  it('reports all errors together', () =>
    expect(fields({ name: 'A', language: 'x', category: 'y', components: [] })).toEqual([
      'name',
      'language',
      'category',
      'body',
    ]));
});

describe('components', () => {
  it.each([
    ['none', [], ['body']],
    ['no body', [{ type: 'FOOTER', text: 'x' }], ['body']],
    ['an unknown one', [PLAIN, { type: 'LIST', rows: [] }], ['components.1.type']],
    ['two bodies', [PLAIN, PLAIN], ['components']],
  ])('validates components: %s', (_case, components, expected) =>
    expect(withComponents(...components)).toEqual(expected),
  );
});

describe('body', () => {
  it.each([
    ['no text', undefined, undefined, ['body.text']],
    ['blanks', '   ', undefined, ['body.text']],
    ['1,024 characters', 'x'.repeat(1_024), undefined, []],
    ['1,025 characters', 'x'.repeat(1_025), undefined, ['body.text']],
    ['a gap in the numbers', 'Order {{1}} ships on {{3}} as planned.', [['a', 'b']], ['body.text']],
    ['numbers that begin at 0', 'Order {{0}} ships as planned.', [['a']], ['body.text']],
    ['a name in capitals', 'Order {{Number}} ships as planned.', [['a']], ['body.text']],
    ['a blank in the braces', 'Order {{ 1 }} ships as planned.', [['a']], ['body.text']],
    ['characters that are not allowed', 'Order {{#1}} ships as planned.', [['a']], ['body.text']],
    ['a brace too few', 'Order {{1} ships as planned.', undefined, ['body.text']],
    ['braces in braces', 'Order {{{{1}}}} ships as planned.', [['a']], ['body.text']],
    ['a variable at the beginning', '{{1}} is your order number.', [['a']], ['body.text']],
    ['a variable at the end', 'Your order number is {{1}}', [['a']], ['body.text']],
    ['a variable before a blank at the end', 'Your order number is {{1}} ', [['a']], ['body.text']],
    ['a full stop behind the last variable', 'Your order number is {{1}}.', [['a']], []],
    ['variables side by side', 'Your order {{1}} {{2}} is ready to be fetched.', [['a', 'b']], ['body.text']],
    ['variables in another order', 'Order {{2}} ships on {{1}} as planned.', [['a', 'b']], []],
    ['a variable twice', 'Order {{1}} ships, and {{1}} is paid for.', [['a']], []],
    ['too many variables for its length', 'Hi {{1}} and {{2}} bye', [['a', 'b']], ['body.text']],
    ['words enough', `${words(3)} {{1}} w {{2}} w`, [['a', 'b']], []],
    ['no examples', BODY.text, undefined, ['body.example.body_text']],
    ['an example too few', BODY.text, [['a']], ['body.example.body_text']],
    ['an example too many', BODY.text, [['a', 'b', 'c']], ['body.example.body_text']],
    ['examples in a flat list', BODY.text, ['a', 'b'], ['body.example.body_text']],
    ['an empty example', BODY.text, [['a', ' ']], ['body.example.body_text']],
    ['an example of two lines', BODY.text, [['a', 'b\nc']], ['body.example.body_text']],
    ['an example that is a number', BODY.text, [['a', 5]], ['body.example.body_text']],
    ['examples without variables', 'Your order is ready.', [['a']], ['body.example.body_text']],
  ])('validates a body with %s', (_case, text, examples, expected) => expect(body(text, examples)).toEqual(expected));
});

describe('header', () => {
  it.each([
    ['no format', {}, ['header.format']],
    ['an unknown format', { format: 'AUDIO' }, ['header.format']],
    ['no text', { format: 'TEXT' }, ['header.text']],
    ['60 characters', { format: 'TEXT', text: 'x'.repeat(60) }, []],
    ['61 characters', { format: 'TEXT', text: 'x'.repeat(61) }, ['header.text']],
    ['two lines', { format: 'TEXT', text: 'a\nb' }, ['header.text']],
    [
      'two variables',
      { format: 'TEXT', text: '{{1}} and {{2}}', example: { header_text: ['a', 'b'] } },
      ['header.text'],
    ],
    ['a second variable only', { format: 'TEXT', text: 'Hi {{2}}', example: { header_text: ['a'] } }, ['header.text']],
    ['no example', { format: 'TEXT', text: 'Hi {{1}}' }, ['header.example.header_text']],
    ['a picture with a handle', { format: 'IMAGE', example: { header_handle: ['4::aW'] } }, []],
    [
      'a picture with the address that a template lists',
      { format: 'IMAGE', example: { header_handle: ['https://example.com/a.png'] } },
      ['header.example.header_handle'],
    ],
    ['a picture without one', { format: 'IMAGE' }, ['header.example.header_handle']],
    ['a place', { format: 'LOCATION' }, []],
  ])('validates a header with %s', (_case, more, expected) => expect(header(more)).toEqual(expected));
});

describe('footer', () => {
  it.each([
    ['60 characters', 'x'.repeat(60), []],
    ['61 characters', 'x'.repeat(61), ['footer.text']],
    ['nothing', '', ['footer.text']],
    ['a variable', 'Until {{1}}', ['footer.text']],
    ['two lines', 'a\nb', ['footer.text']],
  ])('validates a footer with %s', (_case, text, expected) =>
    expect(withComponents(PLAIN, { type: 'FOOTER', text })).toEqual(expected),
  );
});

describe('buttons', () => {
  it.each([
    ['none', [], ['buttons']],
    ['ten quick replies', Array.from({ length: 10 }, () => QUICK), []],
    ['eleven', Array.from({ length: 11 }, () => QUICK), ['buttons']],
    ['no object', ['x'], ['buttons.0']],
    ['an unknown type', [{ type: 'VOICE_CALL', text: 'x' }], ['buttons.0.type']],
    ['an OTP button outside authentication', [{ type: 'OTP', otp_type: 'COPY_CODE' }], ['buttons.0.type']],
    ['25 characters', [{ ...QUICK, text: 'x'.repeat(25) }], []],
    ['26 characters', [QUICK, { ...QUICK, text: 'x'.repeat(26) }], ['buttons.1.text']],
    ['a variable in a text', [{ ...QUICK, text: 'Hi {{1}}' }], ['buttons.0.text']],
    ['two addresses', [URL, URL], []],
    ['three addresses', [URL, URL, URL], ['buttons']],
    ['two phone numbers', [PHONE, PHONE], ['buttons']],
    ['two codes', [CODE, CODE], ['buttons']],
    ['all kinds, grouped', [QUICK, QUICK, URL, PHONE, CODE], []],
    ['quick replies behind the others', [URL, QUICK, QUICK], []],
    ['quick replies around another', [QUICK, URL, QUICK], ['buttons']],
    ['others around quick replies', [URL, QUICK, PHONE], ['buttons']],
    ['no phone number', [{ type: 'PHONE_NUMBER', text: 'Call' }], ['buttons.0.phone_number']],
    ['a phone number of letters', [{ ...PHONE, phone_number: 'CALL-ME' }], ['buttons.0.phone_number']],
    ['a code of 20 characters', [{ type: 'COPY_CODE', example: 'x'.repeat(20) }], []],
    ['a code of 21 characters', [{ type: 'COPY_CODE', example: 'x'.repeat(21) }], ['buttons.0.example']],
    ['a code in a list', [{ type: 'COPY_CODE', example: ['SAVE10'] }], []],
    ['no code', [{ type: 'COPY_CODE' }], ['buttons.0.example']],
  ])('validates buttons with %s', (_case, list, expected) => expect(buttons(...list)).toEqual(expected));

  it.each([
    ['none', undefined, undefined, ['buttons.0.url']],
    ['no http', 'ftp://example.com', undefined, ['buttons.0.url']],
    ['no host', 'https://', undefined, ['buttons.0.url']],
    ['a blank', 'https://example.com/a b', undefined, ['buttons.0.url']],
    ['2,000 characters', `https://example.com/${'x'.repeat(1_980)}`, undefined, []],
    ['2,001 characters', `https://example.com/${'x'.repeat(1_981)}`, undefined, ['buttons.0.url']],
    ['a variable at its end', 'https://example.com/{{1}}', ['A-17'], []],
    ['a variable without example', 'https://example.com/{{1}}', undefined, ['buttons.0.example']],
    ['a variable in the middle', 'https://example.com/{{1}}/x', ['A-17'], ['buttons.0.url']],
    ['a variable in the middle and at the end', 'https://example.com/{{1}}/{{1}}', ['A-17'], ['buttons.0.url']],
    ['a variable host', 'https://{{1}}', ['a'], ['buttons.0.url']],
    ['two variables', 'https://example.com/{{1}}{{2}}', ['a', 'b'], ['buttons.0.url']],
    ['a second variable only', 'https://example.com/{{2}}', ['a'], ['buttons.0.url']],
  ])('validates a URL button with %s', (_case, url, example, expected) =>
    expect(buttons({ type: 'URL', text: 'Track', url, example })).toEqual(expected),
  );
});

describe('authentication templates', () => {
  const OTP = { type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy code' };
  const APPS = [{ package_name: 'com.example.app', signature_hash: 'K8a/AINcGX7' }];
  const authentication = (components: object[], more: object = {}) =>
    fields({ category: 'authentication', components, ...more });
  const otp = (more: object) => authentication([{ type: 'BUTTONS', buttons: [{ ...OTP, ...more }] }]);

  it.each([
    [
      'as documented',
      [
        { type: 'body', add_security_recommendation: true },
        { type: 'footer', code_expiration_minutes: 5 },
        { type: 'buttons', buttons: [{ ...OTP, type: 'otp', otp_type: 'copy_code' }] },
      ],
      [],
    ],
    ['a button alone', [{ type: 'BUTTONS', buttons: [OTP] }], []],
    [
      'a carousel',
      [
        { type: 'BUTTONS', buttons: [OTP] },
        { type: 'CAROUSEL', cards: [] },
      ],
      ['components.1.type'],
    ],
    ['no button', [{ type: 'BODY' }], ['buttons']],
    ['two buttons', [{ type: 'BUTTONS', buttons: [OTP, OTP] }], ['buttons']],
    ['another button', [{ type: 'BUTTONS', buttons: [QUICK] }], ['buttons']],
    [
      'a header',
      [
        { type: 'HEADER', format: 'TEXT', text: 'x' },
        { type: 'BUTTONS', buttons: [OTP] },
      ],
      ['header'],
    ],
    [
      'a text of its own',
      [
        { type: 'BODY', text: 'Your code is {{1}}.' },
        { type: 'BUTTONS', buttons: [OTP] },
      ],
      ['body.text'],
    ],
    [
      'a footer of its own',
      [
        { type: 'FOOTER', text: 'x', code_expiration_minutes: 5 },
        { type: 'BUTTONS', buttons: [OTP] },
      ],
      ['footer.text'],
    ],
    [
      'a footer without minutes',
      [{ type: 'FOOTER' }, { type: 'BUTTONS', buttons: [OTP] }],
      ['footer.code_expiration_minutes'],
    ],
    [
      'a recommendation that is a text',
      [
        { type: 'BODY', add_security_recommendation: 'yes' },
        { type: 'BUTTONS', buttons: [OTP] },
      ],
      ['body.add_security_recommendation'],
    ],
  ])('validates an authentication template: %s', (_case, components, expected) =>
    expect(authentication(components)).toEqual(expected),
  );

  it.each([
    [0, true],
    [1, false],
    [90, false],
    [91, true],
    [5.5, true],
    ['5', true],
  ])('validates a code expiration of %j minutes', (minutes, isFault) =>
    expect(
      authentication([
        { type: 'FOOTER', code_expiration_minutes: minutes },
        { type: 'BUTTONS', buttons: [OTP] },
      ]),
    ).toEqual(isFault ? ['footer.code_expiration_minutes'] : []),
  );

  it.each([
    ['an unknown kind', { otp_type: 'SMS' }, ['buttons.0.otp_type']],
    ['no text', { text: undefined }, []],
    ['a text of 26 characters', { text: 'x'.repeat(26) }, ['buttons.0.text']],
    ['one-tap without apps', { otp_type: 'ONE_TAP' }, ['buttons.0.supported_apps']],
    ['one-tap with an app', { otp_type: 'ONE_TAP', supported_apps: APPS }, []],
    [
      'one-tap with half an app',
      { otp_type: 'ONE_TAP', supported_apps: [{ package_name: 'com.example.app' }] },
      ['buttons.0.supported_apps'],
    ],
    [
      'zero-tap without the terms',
      { otp_type: 'ZERO_TAP', supported_apps: APPS },
      ['buttons.0.zero_tap_terms_accepted'],
    ],
    ['zero-tap with the terms', { otp_type: 'ZERO_TAP', supported_apps: APPS, zero_tap_terms_accepted: true }, []],
  ])('validates an OTP button with %s', (_case, more, expected) => expect(otp(more)).toEqual(expected));

  it.each([
    [29, true],
    [30, false],
    [900, false],
    [901, true],
  ])('checks a validity period of %i seconds', (ttlSeconds, isFault) =>
    expect(authentication([{ type: 'BUTTONS', buttons: [OTP] }], { ttlSeconds })).toEqual(
      isFault ? ['ttlSeconds'] : [],
    ),
  );
});
