import { askedOf } from './send-values';
import { sentForm, sentPlace, sentText, sentValues, toSentTemplate, valuesOf } from './sent-template';

const text = (value: string, name?: string) => ({ type: 'text', text: value, ...(name && { parameter_name: name }) });
const sent = (...components: object[]) =>
  toSentTemplate({ name: 'order_update', language: { code: 'en_US' }, components }) ?? {
    name: '',
    language: '',
    components: [],
  };
const template = (components: Record<string, unknown>[], category = 'UTILITY') => ({ components, category });
const BODY = { type: 'BODY', text: 'On {{2}} the parcel of {{1}} comes.' };

describe('sent template', () => {
  it('fills header, body and buttons with the values of the message', () => {
    const form = sentForm(
      template([
        { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}' },
        BODY,
        { type: 'FOOTER', text: 'Acme' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' },
            { type: 'COPY_CODE', example: 'SAMPLE' },
          ],
        },
      ]),
      sent(
        { type: 'HEADER', parameters: [text('A-17')] },
        { type: 'body', parameters: [text('Asha $&'), text('Monday')] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [text('a?b')] },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: 1,
          parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }],
        },
      ),
    );
    expect(form).toMatchObject({
      headerText: 'Order A-17',
      body: 'On Monday the parcel of Asha $& comes.',
      footer: 'Acme',
      buttons: [{ value: 'https://example.com/a?b' }, { value: 'SAVE20' }],
    });
  });

  it('returns the values of the message by variable', () => {
    const buttons = [
      { type: 'QUICK_REPLY', text: 'Not now' },
      { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}', example: ['https://example.com/a'] },
      { type: 'COPY_CODE', example: 'SAMPLE' },
    ];
    const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U='] } };
    const values = sentValues(
      askedOf(template([header, BODY, { type: 'BUTTONS', buttons }])),
      sent(
        { type: 'header', parameters: [{ type: 'image', image: { id: 'med_1' } }] },
        { type: 'body', parameters: [text('Asha'), text('Monday')] },
        { type: 'button', sub_type: 'url', index: '1', parameters: [text('a?b')] },
        { type: 'button', sub_type: 'copy_code', index: 2, parameters: [{ coupon_code: 'SAVE20' }] },
      ),
    );
    expect(values).toEqual({
      'header link': 'med_1',
      '1': 'Asha',
      '2': 'Monday',
      'button 2': 'a?b',
      'button 3': 'SAVE20',
    });
    const bill = { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: ['4::aW1hZ2U='] } };
    const file = { type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'Bill.pdf' } };
    expect(sentValues(askedOf(template([bill])), sent({ type: 'header', parameters: [file] }))).toEqual({
      'header link': 'https://example.com/a.pdf',
      'header filename': 'Bill.pdf',
    });
    const named = template([{ type: 'BODY', text: 'Dear {{name}}, {{order}} and {{other}}' }]);
    const byName = sent({ type: 'body', parameters: [text('A-17', 'order'), text('Asha', 'name')] });
    expect(sentValues(askedOf(named), byName)).toEqual({ name: 'Asha', order: 'A-17' });
  });

  it('fills named variables by name, and leaves those without a value', () => {
    const named = template([{ type: 'BODY', text: 'Dear {{name}}, {{order}} and {{other}}' }]);
    const values = sent({ type: 'body', parameters: [text('A-17', 'order'), text('Asha', 'name')] });
    expect(sentForm(named, values).body).toBe('Dear Asha, A-17 and {{other}}');
  });

  it.each([
    [{ type: 'image', image: { id: 'med_1' } }, '/console/v1/media/med_1', undefined],
    [{ type: 'video', video: { link: 'https://example.com/a.mp4' } }, 'https://example.com/a.mp4', undefined],
    [{ type: 'document', document: { id: 'med_2', filename: 'Bill.pdf' } }, '/console/v1/media/med_2', 'Bill.pdf'],
    [text('no file'), '', undefined],
  ])('shows the file of the message: %j', (parameter, headerFile, headerFileName) => {
    const form = sentForm(
      template([{ type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://example.com/sample'] } }, BODY]),
      sent({ type: 'header', parameters: [parameter] }),
    );
    expect(form).toMatchObject({ headerFile, headerFileName });
  });

  it('fills each card with its own values', () => {
    const card = {
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Only {{1}}' },
      ],
    };
    const own = (value: string) => [
      { type: 'header', parameters: [{ type: 'image', image: { link: `https://example.com/${value}` } }] },
      { type: 'body', parameters: [text(value)] },
    ];
    const form = sentForm(
      template([BODY, { type: 'CAROUSEL', cards: [card, card] }]),
      sent({ type: 'carousel', cards: [1, 0].map((at) => ({ card_index: at, components: own(`$${at}`) })) }),
    );
    expect(form.cards).toMatchObject([
      { body: 'Only $0', headerFile: 'https://example.com/$0' },
      { body: 'Only $1', headerFile: 'https://example.com/$1' },
    ]);
  });

  it('shows the code of an authentication template that the platform lists without a text', () => {
    const code = template([{ type: 'BODY', add_security_recommendation: true }], 'AUTHENTICATION');
    expect(sentText(code, sent({ type: 'body', parameters: [text('••••••')] }))).toBe(
      '•••••• is your verification code. For your security, do not share this code.',
    );
  });

  it('reads the location and the values of a template that is not found', () => {
    const location = { latitude: 1, longitude: 2 };
    const values = sent(
      { type: 'header', parameters: [{ type: 'location', location }] },
      { type: 'body', parameters: [text('Asha')] },
    );
    expect(sentPlace(values)).toEqual(location);
    expect(valuesOf(values)).toEqual(['location', 'Asha']);
  });

  it.each([[null], [7], [{}], [{ name: 7 }], [[]]])('is undefined for other content: %j', (content) => {
    expect(toSentTemplate(content)).toBeUndefined();
  });
});
