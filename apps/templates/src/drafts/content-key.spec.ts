import { isSameContent } from './content-key';
import { toDraftContent } from '@switchboard/template-rules';
import { editableComponents } from './editable-components';

const contentOf = (components: object[], category = 'UTILITY') =>
  toDraftContent({ name: 'a', language: 'en', category, components });
const SUBMITTED = [
  { type: 'header', format: 'text', text: 'Hi {{1}}', example: { header_text: ['Ana'] } },
  { type: 'body', text: 'Order {{1}} ships soon.', example: { body_text: [['A-17']] } },
  {
    type: 'buttons',
    buttons: [
      { type: 'url', text: 'Track', url: 'https://example.com/{{1}}', example: ['A-17'] },
      { type: 'phone_number', text: 'Call', phone_number: '+1 555-000-1111' },
    ],
  },
];
const LISTED = [
  { type: 'HEADER', format: 'TEXT', text: 'Hi {{1}}', example: { header_text: ['Ana'] } },
  { type: 'BODY', text: 'Order {{1}} ships soon.', example: { body_text: [['A-17']] } },
  {
    type: 'BUTTONS',
    buttons: [
      { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/A-17'] },
      { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+15550001111' },
    ],
  },
];

it('recognises the listed form of submitted content', () =>
  expect(isSameContent(contentOf(SUBMITTED), contentOf(LISTED))).toBe(true));

it.each([
  ['another header text', [{ ...LISTED[0], text: 'Hello {{1}}' }, LISTED[1], LISTED[2]]],
  ['another body text', [LISTED[0], { ...LISTED[1], text: 'Order {{1}} ships today.' }, LISTED[2]]],
  ['an additional footer', [...LISTED, { type: 'FOOTER', text: 'x' }]],
  ['no buttons', LISTED.slice(0, 2)],
  [
    'another button URL',
    [
      LISTED[0],
      LISTED[1],
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Track', url: 'https://example.org/{{1}}' }] },
    ],
  ],
])('detects a difference: %s', (_case, listed) =>
  expect(isSameContent(contentOf(SUBMITTED), contentOf(listed as object[]))).toBe(false),
);

describe('authentication template', () => {
  const submitted = [
    { type: 'body', add_security_recommendation: true },
    { type: 'footer', code_expiration_minutes: 5 },
    { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Copy' }] },
  ];
  const listed = [
    {
      type: 'BODY',
      text: '*{{1}}* is your verification code. For your security, do not share this code.',
      add_security_recommendation: true,
      example: { body_text: [['123456']] },
    },
    { type: 'FOOTER', text: 'This code expires in 5 minutes.', code_expiration_minutes: 5 },
    {
      type: 'BUTTONS',
      buttons: [
        {
          type: 'URL',
          text: 'Copy',
          url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
          example: ['x'],
        },
      ],
    },
  ];
  const same = (given: object[], found: object[]) =>
    isSameContent(contentOf(given, 'AUTHENTICATION'), contentOf(found, 'AUTHENTICATION'));

  it('matches although the platform lists its own text and a URL', () => expect(same(submitted, listed)).toBe(true));
  it('matches without a button text', () =>
    expect(
      same(
        [submitted[0]!, submitted[1]!, { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code' }] }],
        listed,
      ),
    ).toBe(true));
  it.each([
    ['minutes', [submitted[0]!, { type: 'footer', code_expiration_minutes: 6 }, submitted[2]!]],
    ['warning', submitted.slice(1)],
    [
      'kind',
      [
        submitted[0]!,
        submitted[1]!,
        { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'one_tap', text: 'Copy' }] },
      ],
    ],
    [
      'text of the button',
      [
        submitted[0]!,
        submitted[1]!,
        { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Fill in' }] },
      ],
    ],
  ])('differs with another %s', (_what, given) => expect(same(given, listed)).toBe(false));

  it('keeps the listed apps when edited', () => {
    const supported_apps = [1, 2].map((number) => ({
      package_name: `com.example.app${number}`,
      signature_hash: 'K8a',
    }));
    const button = { type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy', autofill_text: 'Fill in', supported_apps };
    const components = editableComponents('AUTHENTICATION', [listed[0]!, { type: 'BUTTONS', buttons: [button] }]);
    expect(components[1]).toEqual({ type: 'BUTTONS', buttons: [button] });
  });

  describe('with a one-tap button listed as a link', () => {
    const apps = ['one', 'two'].map((name) => ({ package_name: `com.example.${name}`, signature_hash: 'K8a/A+cGX7z' }));
    const link =
      'https://www.whatsapp.com/otp/code/?otp_type=ONE_TAP&cta_display_name=Fill+in' +
      '&package_name=com.example.one%2Ccom.example.two&signature_hash=K8a%2FA%2BcGX7z%2CK8a%2FA%2BcGX7z&code=otp{{1}}';
    const button = { type: 'OTP', otp_type: 'ONE_TAP', text: 'Copy', autofill_text: 'Fill in', supported_apps: apps };
    const given = (change: object = {}) => [submitted[0]!, { type: 'buttons', buttons: [{ ...button, ...change }] }];
    const found = [listed[0]!, { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy', url: link }] }];
    const editable = editableComponents('AUTHENTICATION', found);

    it('is edited with the label and the apps from the link', () =>
      expect(editable[1]).toEqual({ type: 'BUTTONS', buttons: [button] }));
    it('matches by the label and the apps from the link', () => expect(same(given(), editable)).toBe(true));
    it.each([
      ['apps', { supported_apps: apps.slice(1) }],
      ['hash', { supported_apps: [apps[0]!, { ...apps[1]!, signature_hash: 'other' }] }],
      ['label', { autofill_text: 'Use it' }],
    ])('differs with another %s', (_what, change) => expect(same(given(change), editable)).toBe(false));
    it('matches without a submitted label', () =>
      expect(same(given({ autofill_text: undefined }), editable)).toBe(true));
    it('matches when the link lists no apps', () =>
      expect(
        same(given(), [
          listed[0]!,
          { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Copy', url: link.replace(/&cta.*&code/, '&code') }] },
        ]),
      ).toBe(true));
  });

  it('returns its submitted form for an edit', () =>
    expect(editableComponents('AUTHENTICATION', listed)).toEqual([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'FOOTER', code_expiration_minutes: 5 },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy' }] },
    ]));
});

describe('newer template features', () => {
  const BODY = { type: 'BODY', text: 'Our news.' };
  const card = (text: string, handle = '4::aW') => ({
    components: [
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } },
      { type: 'BODY', text },
      { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}', example: ['a'] }] },
    ],
  });
  const carousel = (...cards: object[]) => [BODY, { type: 'CAROUSEL', cards }];
  const offer = (text: string, has_expiration?: boolean) => [
    { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text, has_expiration } },
    BODY,
  ];
  const flow = (more: object) => [BODY, { type: 'BUTTONS', buttons: [{ type: 'FLOW', text: 'Book', ...more }] }];
  const same = (given: object[], found: object[]) => isSameContent(contentOf(given), contentOf(found));

  it.each<[string, object[], object[]]>([
    ['cards with samples listed as URLs', carousel(card('a'), card('b')), carousel(card('a', 'https://a'), card('b'))],
    ['an offer without an expiry', offer('Soon'), offer('Soon', false)],
    ['a flow listed by its submitted id', flow({ flow_id: '7' }), flow({ flow_id: 7, flow_action: 'NAVIGATE' })],
    ['a flow submitted by name', flow({ flow_name: 'book' }), flow({ flow_id: '7' })],
    [
      "a copy-code button with the platform's text",
      [BODY, { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'A' }] }],
      [BODY, { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', text: 'Copy offer code', example: ['A'] }] }],
    ],
  ])('match: %s', (_case, given, found) => expect(same(given, found)).toBe(true));

  it.each<[string, object[], object[]]>([
    ['another card', carousel(card('a'), card('b')), carousel(card('a'), card('c'))],
    ['an additional card', carousel(card('a'), card('b')), carousel(card('a'), card('b'), card('c'))],
    ['no cards', carousel(card('a'), card('b')), [BODY]],
    ['another offer', offer('Soon'), offer('Later')],
    ['an offer with an expiry', offer('Soon'), offer('Soon', true)],
    ['another flow', flow({ flow_id: '7' }), flow({ flow_id: '8' })],
    ['another screen', flow({ flow_id: '7', navigate_screen: 'A' }), flow({ flow_id: '7', navigate_screen: 'B' })],
  ])('differ: %s', (_case, given, found) => expect(same(given, found)).toBe(false));
});
