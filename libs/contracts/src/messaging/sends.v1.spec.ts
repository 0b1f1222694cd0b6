import { AppError } from '../errors';
import { jsonBytes } from '../parts';
import { parseBody } from '../validation';
import { SendMessageCommand, SendMessageRequest, sendMessageV1, SendUploadRequest, withOwnContent } from './sends.v1';

const to = '919812345678';
const link = 'https://example.com/a.png';
const MORE_TYPES = 'sticker, interactive, location, contacts, reaction';

const carouselOf = (cards: number): object => ({
  type: 'carousel',
  cards: Array.from({ length: cards }, (_, card_index) => ({ card_index, components: [{ type: 'body' }] })),
});

function refusal(plain: object): AppError {
  try {
    parseBody(SendMessageRequest, plain);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('the body of a send', () => {
  it.each([
    { to, type: 'text', text: { body: 'Hello' } },
    { to, type: 'text', text: { body: '😀'.repeat(2048) } },
    { to, type: 'image', image: { link }, caption: 'Here' },
    { to, type: 'image', image: { link, caption: 'Here' } },
    {
      to,
      type: 'document',
      document: { link, filename: 'invoice.pdf', caption: 'Invoice' },
      clientRef: 'order-1',
      from: '15550783881',
    },
    {
      to,
      type: 'document',
      document: { link: `${link}?`.padEnd(2_048, 'a'), filename: 'a'.repeat(240) },
      caption: 'a'.repeat(1_024),
      clientRef: '😀'.repeat(128),
    },
    { to, type: 'video', video: { link } },
    { to, type: 'audio', audio: { link } },
    { to, type: 'audio', audio: { link }, caption: null },
    {
      to,
      type: 'template',
      template: {
        name: 'order_update',
        language: { code: 'en_US' },
        components: [
          { type: 'header', parameters: [{ type: 'document', document: { link, filename: 'a.pdf' } }] },
          { type: 'button', sub_type: 'quick_reply', index: '1', parameters: [{ type: 'payload', payload: 'STOP' }] },
          {
            type: 'button',
            sub_type: 'copy_code',
            index: '2',
            parameters: [{ type: 'coupon_code', coupon_code: 'SAVE20' }],
          },
        ],
      },
    },
    ...[['Asha', 'A-17'], { 1: 'Asha', 'button 1': 'A-17' }].map((variables) => ({
      to,
      type: 'template',
      template: { name: 'order_update', language: { code: 'en_US' }, variables },
    })),
  ])('accepts %j unchanged', (body) => expect(parseBody(SendMessageRequest, body)).toEqual(body));

  const BAD = 'a\u0000b';
  const headers = [
    { document: { link, filename: BAD } },
    { location: { latitude: '1', longitude: '1', name: BAD } },
    { location: { latitude: '1', longitude: '1', address: BAD } },
    { product: { product_retailer_id: BAD, catalog_id: 'c' } },
  ].map((parameter) => ({ type: Object.keys(parameter)[0], ...parameter }));
  const address = { street: 's', city: 'c', state: 's', zip: 'z', country: 'c', countryCode: 'us', type: 'Home' };
  const reply = { id: 'i', title: 't' };
  const choice = (parts: object, given: object = reply) => ({
    type: 'button',
    body: { text: 'b' },
    action: { buttons: [{ type: 'reply', reply: given }] },
    ...parts,
  });
  const list = (button: string, section: object) => ({
    type: 'list',
    body: { text: 'b' },
    action: { button, sections: [section] },
  });
  it.each<[string, unknown[]]>([
    ['text', [{ body: BAD }]],
    ['image', [{ link, caption: BAD }]],
    ['video', [{ link, caption: BAD }]],
    [
      'document',
      [
        { link, caption: BAD },
        { link, filename: BAD },
      ],
    ],
    ['location', ['name', 'address'].map((field) => ({ latitude: 1, longitude: 2, [field]: BAD }))],
    [
      'contacts',
      [
        ...['formattedName', 'firstName', 'lastName', 'middleName', 'prefix', 'suffix'].map((field) => ({
          name: { formattedName: 'Bo', [field]: BAD },
        })),
        ...[
          { phones: [{ phone: BAD }] },
          { phones: [{ phone: '1', type: BAD }] },
          { phones: [{ phone: '1', waId: BAD }] },
          { emails: [{ email: BAD }] },
          { emails: [{ email: 'bo@example.com', type: BAD }] },
          { urls: [{ url: BAD }] },
          { urls: [{ url: link, type: BAD }] },
          { birthday: BAD },
          ...Object.keys(address).map((field) => ({ addresses: [{ ...address, [field]: BAD }] })),
          ...['company', 'department', 'title'].map((field) => ({ org: { [field]: BAD } })),
        ].map((part) => ({ name: { formattedName: 'Bo' }, ...part })),
      ].map((card) => [card]),
    ],
    [
      'interactive',
      [
        choice({ body: { text: BAD } }),
        choice({ footer: { text: BAD } }),
        choice({ header: { type: 'text', text: BAD } }),
        choice({ header: { type: 'document', document: { link, filename: BAD } } }),
        choice({}, { ...reply, id: BAD }),
        choice({}, { ...reply, title: BAD }),
        list(BAD, { rows: [reply] }),
        list('x', { title: BAD, rows: [reply] }),
        ...['id', 'title', 'description'].map((field) => list('x', { rows: [{ ...reply, [field]: BAD }] })),
        { ...list('x', { rows: [reply] }), header: { type: 'text', text: BAD } },
        { ...list('x', { rows: [reply] }), body: { text: BAD } },
        ...[
          { text: BAD, displayText: 'x' },
          { text: 'b', displayText: BAD },
        ].map(({ text, displayText }) => ({
          type: 'cta_url',
          body: { text },
          action: { name: 'cta_url', parameters: { displayText, url: link } },
        })),
        { type: 'request_contact_info', body: { text: BAD }, action: { name: 'request_contact_info' } },
      ],
    ],
    ['reaction', [{ messageId: 'msg_1', emoji: BAD }]],
    [
      'template',
      [
        { name: BAD, language: { code: 'en' } },
        { name: 'a', language: { code: BAD } },
        ...[
          ...headers.map((parameter) => ({ type: 'header', parameters: [parameter] })),
          { type: 'body', parameters: [{ type: 'text', text: BAD }] },
          { type: 'body', parameters: [{ type: 'text', text: 'x', parameter_name: BAD }] },
          ...[
            { type: 'text', text: BAD },
            { type: 'payload', payload: BAD },
            { type: 'coupon_code', coupon_code: BAD },
            { type: 'action', action: { flow_action_data: { date: BAD } } },
            { type: 'action', action: { flow_token: BAD } },
            { type: 'action', action: { thumbnail_product_retailer_id: BAD } },
            { type: 'action', action: { sections: [{ title: BAD, product_items: [{ product_retailer_id: 'p' }] }] } },
            { type: 'action', action: { sections: [{ product_items: [{ product_retailer_id: BAD }] }] } },
          ].map((parameter) => ({ type: 'button', sub_type: 'url', index: '0', parameters: [parameter] })),
        ].map((component) => ({ name: 'a', language: { code: 'en' }, components: [component] })),
      ],
    ],
  ])('rejects NUL characters and lone surrogates in texts of type %s', (type, contents) => {
    for (const content of contents)
      for (const bad of [BAD, 'a\uD800b', '\uDC00']) {
        const body = JSON.parse(
          JSON.stringify({ to, type, [type]: content }).replaceAll(JSON.stringify(BAD), JSON.stringify(bad)),
        ) as object;
        expect({ body, code: refusal(body).code }).toEqual({ body, code: 'INVALID_VALUE' });
      }
  });

  it.each<[string, number, (value: string) => object]>([
    ['text', 1_024, (text) => ({ type: 'text', text })],
    ['payload', 256, (payload) => ({ type: 'payload', payload })],
    ['coupon code', 20, (coupon_code) => ({ type: 'coupon_code', coupon_code })],
    ['name of a file', 240, (filename) => ({ type: 'document', document: { link, filename } })],
  ])('limits the %s of a component to %i characters', (_what, most, parameterOf) => {
    const bodyOf = (length: number) => {
      const components = [{ type: 'body', parameters: [parameterOf('x'.repeat(length))] }];
      return { to, type: 'template', template: { name: 'order_update', language: { code: 'en_US' }, components } };
    };
    expect(parseBody(SendMessageRequest, bodyOf(most))).toMatchObject({ type: 'template' });
    expect(refusal(bodyOf(most + 1))).toMatchObject({ code: 'TEXT_TOO_LONG' });
  });

  it('reports a missing recipient before other missing fields', () =>
    expect(refusal({})).toMatchObject({ code: 'MISSING_FIELD', message: 'to is required' }));

  it.each([
    [{ type: 'text' }, 'MISSING_FIELD', 'text is required'],
    [{ type: 'image' }, 'MISSING_FIELD', 'image is required'],
    [{ type: 'image', image: {} }, 'MISSING_FIELD', 'image.link is required'],
    [
      { type: 'image', image: { id: '1' } },
      'INVALID_VALUE',
      'image.id must be the id of an uploaded file, such as med_…',
    ],
    [
      { type: 'image', image: { link: 'https://example.com/a.png', id: 'med_01jd0000000000000000000000' } },
      'INVALID_PARAMETER',
      'image.id cannot be given together with link',
    ],
    [
      { type: 'audio', audio: { link: 'https://example.com/a.ogg', voice: 'yes' } },
      'INVALID_PARAMETER',
      expect.stringContaining('audio.voice') as string,
    ],
    [{ type: 'image', image: { link: 7 } }, 'INVALID_PARAMETER', 'image.link must be a string'],
    [
      { type: 'order', order: { link } },
      'INVALID_PARAMETER',
      `type must be one of the following values: text, template, image, document, video, audio, ${MORE_TYPES}`,
    ],
    [
      { type: 'image', image: { link: 'http://example.com/a.png' } },
      'INVALID_LINK',
      'image.link must be an https URL with a public host',
    ],
    [
      { type: 'document', document: { link: 'https://127.1/a' } },
      'INVALID_LINK',
      'document.link must be an https URL with a public host',
    ],
    [
      { type: 'video', video: { link: 'http://example.com/a.mp4' } },
      'INVALID_LINK',
      'video.link must be an https URL with a public host',
    ],
    [
      { type: 'audio', audio: { link: 'http://example.com/a.mp3' } },
      'INVALID_LINK',
      'audio.link must be an https URL with a public host',
    ],
    [
      { type: 'sticker', sticker: { link: 'http://example.com/a.webp' } },
      'INVALID_LINK',
      'sticker.link must be an https URL with a public host',
    ],
    [
      { type: 'image', image: { link: `${link}?`.padEnd(2_049, 'a') } },
      'INVALID_LINK',
      'image.link must be an https URL of at most 2048 characters',
    ],
    [
      { type: 'text', text: { body: 'a'.repeat(4097) } },
      'TEXT_TOO_LONG',
      'text.body must be shorter than or equal to 4096 characters (UTF-16 units: an emoji counts as two or more)',
    ],
    [
      { type: 'text', text: { body: '😀'.repeat(2049) } },
      'TEXT_TOO_LONG',
      'text.body must be shorter than or equal to 4096 characters (UTF-16 units: an emoji counts as two or more)',
    ],
    [{ type: 'text', text: { body: ' \n\u00A0' } }, 'INVALID_VALUE', 'text.body must not be only white space'],
    [
      { type: 'image', image: { link: ` ${link}` } },
      'INVALID_LINK',
      'image.link must not contain a blank (character 1): remove it',
    ],
    [
      { type: 'document', document: { link: 'https://example.com/a b.pdf' } },
      'INVALID_LINK',
      'document.link must not contain a blank (character 22): write it as %20',
    ],
    [
      { type: 'document', document: { link: 'http://example.com/a b.pdf' } },
      'INVALID_LINK',
      'document.link must be an https URL with a public host',
    ],
    [
      { type: 'image', image: { link: 'https://example.com/\na.png' } },
      'INVALID_LINK',
      'image.link must not contain a line break (character 21): remove it',
    ],
    [{ type: 'text', text: { body: '' } }, 'INVALID_VALUE', 'text.body must be longer than or equal to 1 characters'],
    [
      { type: 'image', image: { link }, caption: 'a'.repeat(1025) },
      'TEXT_TOO_LONG',
      'caption must be shorter than or equal to 1024 characters (UTF-16 units: an emoji counts as two or more)',
    ],
    [
      { type: 'image', image: { link, caption: 'a'.repeat(1025) } },
      'TEXT_TOO_LONG',
      'image.caption must be shorter than or equal to 1024 characters (UTF-16 units: an emoji counts as two or more)',
    ],
    [{ type: 'image', image: { link }, caption: 7 }, 'INVALID_PARAMETER', 'caption must be a string'],
    [
      { type: 'audio', audio: { link }, caption: 'no' },
      'CAPTION_NOT_ALLOWED',
      'caption is not allowed for this message type: audio',
    ],
    [
      { type: 'audio', audio: { link, caption: 'no' } },
      'CAPTION_NOT_ALLOWED',
      'caption is not allowed for this message type: audio',
    ],
    [
      { type: 'text', text: { body: 'Hello' }, caption: 'no' },
      'CAPTION_NOT_ALLOWED',
      'caption is not allowed for this message type: text',
    ],
    [
      { type: 'template', template: { name: 'a', language: { code: 'en' }, components: [carouselOf(11)] } },
      'INVALID_VALUE',
      'template.components.0.cards must contain no more than 10 elements',
    ],
    [
      { type: 'text', text: { body: 'Hello' }, clientRef: 'a'.repeat(129) },
      'TEXT_TOO_LONG',
      'clientRef must be shorter than or equal to 128 characters',
    ],
  ])('rejects %j with %s', (body, code, message) => expect(refusal({ to, ...body })).toMatchObject({ code, message }));
});

describe('the send command', () => {
  const ids = { accountId: 'acc_1', messageId: 'msg_1' };
  const upload = { blobKey: 'uploads/acc_1/med_1', mimeType: 'image/png', bytes: 7, sha256: 'ab' };

  it('accepts content in the message or in the blob store', () => {
    expect(parseBody(SendMessageCommand, sendMessageV1.sample.request)).toEqual(sendMessageV1.sample.request);
    const uploaded = {
      ...ids,
      message: { to, type: 'image', caption: 'Here' },
      upload,
      jobId: 'job_1',
      repeatable: false,
    };
    const command = parseBody(SendMessageCommand, uploaded);
    expect(command).toEqual(uploaded);
    expect(command.message).toBeInstanceOf(SendUploadRequest);
  });

  it('rejects texts with a file and media without link or file', () => {
    expect(() =>
      parseBody(SendMessageCommand, { ...ids, message: { to, type: 'text', text: { body: 'Hello' } }, upload }),
    ).toThrow('message.type must be one of');
    expect(() => parseBody(SendMessageCommand, { ...ids, message: { to, type: 'image' } })).toThrow(
      'message.image is required',
    );
  });
});

describe('the largest sends', () => {
  const templateOf = (components: object[]) => ({
    to,
    type: 'template',
    template: { name: 'order_update', language: { code: 'en_US' }, components },
  });
  const componentOf = (count: number) => ({
    type: 'body',
    parameters: Array.from({ length: count }, () => ({ type: 'text', text: '\u20ac'.repeat(1_024) })),
  });

  it('report the components when template values exceed 96 KB', () => {
    expect(parseBody(SendMessageRequest, templateOf([componentOf(31)]))).toMatchObject({ type: 'template' });
    const { code, message, details } = refusal(templateOf([componentOf(32)]));
    expect([code, message]).toEqual(['TEXT_TOO_LONG', 'template.components must take at most 96 KB as JSON']);
    expect(details).toEqual([{ field: 'template.components', message }]);
    const ofVariables = (count: number) => ({
      to,
      type: 'template',
      template: {
        name: 'order_update',
        language: { code: 'en_US' },
        variables: Array.from({ length: count }, () => '\u20ac'.repeat(1_024)),
      },
    });
    expect(parseBody(SendMessageRequest, ofVariables(31))).toMatchObject({ type: 'template' });
    expect(refusal(ofVariables(32))).toMatchObject({
      code: 'TEXT_TOO_LONG',
      message: 'template.variables must take at most 96 KB as JSON',
    });
  });

  const document = { link: `${link}?${'\u20ac'.repeat(2_000)}`, filename: '\u20ac'.repeat(240) };
  it.each([
    ['a text', { to, type: 'text', text: { body: '\u20ac'.repeat(4_096) } }],
    ['control characters', { to, type: 'text', text: { body: '\u0001'.repeat(4_096) } }],
    ['a document', { to, type: 'document', document, caption: '\u20ac'.repeat(1_024) }],
    ['a template', { ...templateOf([componentOf(31)]), clientRef: '\u20ac'.repeat(128), from: '15550783881' }],
    [
      'a text beside contents of other types',
      {
        ...templateOf([componentOf(100)]),
        type: 'text',
        text: { body: 'Hello' },
        image: { link: 'x'.repeat(500_000) },
      },
    ],
  ])('fit into the command: %s', (_title, body) => {
    const message = withOwnContent(parseBody(SendMessageRequest, body));
    expect(jsonBytes({ ...sendMessageV1.sample.request, message })).toBeLessThanOrEqual(sendMessageV1.maxBytes);
    expect(message).toHaveProperty(String(body.type));
  });
});
