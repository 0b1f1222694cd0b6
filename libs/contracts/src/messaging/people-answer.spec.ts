import { AppError } from '../errors';
import { parseBody } from '../validation';
import { MessageContent, SendMessageRequest, SendUploadRequest } from './sends.v1';

const to = '919812345678';
const text = (length: number): string => 'x'.repeat(length);
const reply = (id: string, title = id): object => ({ type: 'reply', reply: { id, title } });
const buttons = (...given: object[]): object => ({
  type: 'button',
  body: { text: 'When?' },
  action: { buttons: given },
});
const row = (id: string, more: object = {}): object => ({ id, title: id, ...more });
const list = (...sections: object[]): object => ({
  type: 'list',
  body: { text: 'How?' },
  action: { button: 'Go', sections },
});
const page = (parameters: object): object => ({
  type: 'cta_url',
  body: { text: 'x' },
  action: { name: 'cta_url', parameters },
});
const card = { name: { formattedName: 'Bo Li' } };

const parse = (type: string, content: unknown, more: object = {}) =>
  parseBody(SendMessageRequest, { to, type, [type]: content, ...more });

function refusal(type: string, content: unknown, more: object = {}): [string, string] {
  try {
    parse(type, content, more);
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.message];
    throw error;
  }
  throw new Error('the body was accepted');
}

describe('the content of a send', () => {
  it.each<[string, unknown]>([
    ['interactive', { ...buttons(reply('a'), reply('b'), reply('c')), footer: { text: text(60) } }],
    ['interactive', { ...buttons(reply(text(256), text(20))), header: { type: 'text', text: text(60) } }],
    [
      'interactive',
      { ...buttons(reply('a')), header: { type: 'image', image: { link: 'https://example.com/a.png' } } },
    ],
    [
      'interactive',
      { ...buttons(reply('a')), header: { type: 'video', video: { link: 'https://example.com/a.mp4' } } },
    ],
    [
      'interactive',
      { ...buttons(reply('a')), header: { type: 'document', document: { link: 'https://example.com/a.pdf' } } },
    ],
    [
      'interactive',
      { ...list({ rows: [row('a')] }), header: { type: 'text', text: text(60) }, footer: { text: text(60) } },
    ],
    ['interactive', { ...list({ rows: [row('a', { description: text(72) })] }), body: { text: text(4_096) } }],
    ['interactive', list({ title: 'One', rows: [row('a')] }, { title: 'Two', rows: [row('b')] })],
    ['interactive', { ...buttons(reply('a')), body: { text: text(1_024) } }],
    [
      'interactive',
      list(
        ...Array.from({ length: 10 }, (_, at) => ({
          title: `${at}`.padEnd(24, 'x'),
          rows: [row(`${at}`.padEnd(200, 'x'), { title: text(24) })],
        })),
      ),
    ],
    ['interactive', { ...list({ rows: [row('a')] }), action: { button: text(20), sections: [{ rows: [row('a')] }] } }],
    ['contacts', Array.from({ length: 257 }, () => card)],
    ['contacts', Array.from({ length: 105 }, () => ({ name: { formattedName: text(900) } }))],
    ['interactive', page({ displayText: text(20), url: 'http://example.com/a?b=c#d' })],
    [
      'interactive',
      {
        ...page({ displayText: 'Go', url: `https://example.com/${text(2_028)}` }),
        body: { text: text(1_024) },
        header: { type: 'document', document: { link: 'https://example.com/a.pdf' } },
        footer: { text: text(60) },
      },
    ],
    ...[
      { type: 'text', text: text(60) },
      { type: 'image', image: { link: 'https://example.com/a.png' } },
      { type: 'video', video: { link: 'https://example.com/a.mp4' } },
    ].map((header): [string, unknown] => [
      'interactive',
      { ...page({ displayText: 'Go', url: 'https://example.com' }), header },
    ]),
    ['location', { latitude: 12.5, longitude: 77.5 }],
    ['location', { latitude: -90, longitude: 180, name: 'Café', address: 'Main St 1' }],
    ['contacts', [{ ...card, phones: [{ phone: '+1 555', waId: '1555', type: 'Work' }], birthday: '1999-01-23' }]],
    [
      'contacts',
      [
        {
          ...card,
          emails: [{ email: 'bo@example.com', type: 'WORK' }],
          urls: [{ url: 'https://example.com', type: 'WORK' }],
          addresses: [{ street: 'Main St 1', city: 'Menlo Park', countryCode: 'us', type: 'HOME' }],
          org: { company: 'Demo', department: 'Sales', title: 'Lead' },
        },
      ],
    ],
    ['sticker', { link: 'https://example.com/a.webp' }],
    ['reaction', { messageId: 'wamid.A+/=', emoji: '👍🏽' }],
    ['reaction', { messageId: 'msg_1', emoji: '' }],
    ['reaction', { messageId: 'msg_1', emoji: '🇮🇳' }],
    ['text', { body: 'Hello', previewUrl: true }],
  ])('accepts the %s content %j unchanged', (type, content) => {
    expect(parse(type, content)).toEqual({ to, type, [type]: content });
  });

  it.each<[string, unknown, unknown]>([
    ['text', { body: 'x', preview_url: true }, { body: 'x', previewUrl: true }],
    ['reaction', { message_id: 'msg_1', emoji: '👍' }, { messageId: 'msg_1', emoji: '👍' }],
    [
      'interactive',
      page({ display_text: 'Go', url: 'https://a.org' }),
      page({ displayText: 'Go', url: 'https://a.org' }),
    ],
    [
      'contacts',
      [{ name: { formatted_name: 'Bo', last_name: 'Li' } }],
      [{ name: { formattedName: 'Bo', lastName: 'Li' } }],
    ],
    [
      'contacts',
      [
        {
          name: { formatted_name: 'Bo', first_name: 'B', middle_name: 'M' },
          phones: [{ wa_id: '1555' }],
          addresses: [{ country_code: 'us' }],
        },
      ],
      [
        {
          name: { formattedName: 'Bo', firstName: 'B', middleName: 'M' },
          phones: [{ waId: '1555' }],
          addresses: [{ countryCode: 'us' }],
        },
      ],
    ],
    ['location', { latitude: '37.44', longitude: '-122.16' }, { latitude: 37.44, longitude: -122.16 }],
  ])('converts upstream names in the %s content %j', (type, given, taken) => {
    expect(parse(type, given)).toEqual({ to, type, [type]: taken });
  });

  it('prefers the camelCase name over the upstream name', () => {
    expect(parse('text', { body: 'x', previewUrl: false, preview_url: true }).text).toEqual({
      body: 'x',
      previewUrl: false,
    });
    const reaction = { messageId: 'msg_1', emoji: '👍' };
    expect(parse('reaction', { message_id: 'msg_2', ...reaction }).reaction).toEqual(reaction);
  });

  it.each<[string, unknown, string, string]>([
    ['interactive', buttons(reply('a', text(21))), 'TEXT_TOO_LONG', 'interactive.action.buttons.0.reply.title'],
    ['interactive', buttons(reply(text(257))), 'TEXT_TOO_LONG', 'interactive.action.buttons.0.reply.id'],
    ['interactive', buttons(reply('a', ' ')), 'INVALID_VALUE', 'must not be only white space'],
    ['interactive', buttons(reply(' a')), 'INVALID_VALUE', 'must not begin or end with white space'],
    ['interactive', buttons(...['a', 'b', 'c', 'd'].map((id) => reply(id))), 'INVALID_VALUE', 'no more than 3'],
    ['interactive', buttons(), 'INVALID_PARAMETER', 'interactive.action.buttons'],
    ['interactive', buttons(reply('a', 'x'), reply('b', 'x')), 'INVALID_VALUE', 'must have each title once'],
    ['interactive', buttons(reply('a', 'x'), reply('a', 'y')), 'INVALID_VALUE', 'must have each id once'],
    ['interactive', { ...buttons(reply('a')), body: { text: text(1_025) } }, 'TEXT_TOO_LONG', 'interactive.body.text'],
    ['interactive', { ...buttons(reply('a')), footer: { text: text(61) } }, 'TEXT_TOO_LONG', 'interactive.footer.text'],
    [
      'interactive',
      { ...buttons(reply('a')), header: { type: 'text', text: text(61) } },
      'TEXT_TOO_LONG',
      'interactive.header.text',
    ],
    ...['image', 'video', 'document'].map((type): [string, unknown, string, string] => [
      'interactive',
      { ...buttons(reply('a')), header: { type, [type]: { link: 'http://a.org/b' } } },
      'INVALID_LINK',
      `interactive.header.${type}.link`,
    ]),
    [
      'interactive',
      { ...buttons(reply('a')), header: { type: 'sticker' } },
      'INVALID_PARAMETER',
      'interactive.header.type',
    ],
    ['interactive', { type: 'button', body: { text: 'x' } }, 'MISSING_FIELD', 'interactive.action is required'],
    ['interactive', { type: 'carousel', body: { text: 'x' } }, 'INVALID_PARAMETER', 'interactive.type must be one of'],
    ['interactive', { body: { text: 'x' } }, 'MISSING_FIELD', 'interactive.type is required'],
    ['interactive', 'button', 'INVALID_PARAMETER', 'interactive must be an object'],
    ['interactive', list({ rows: [row('a', { title: text(25) })] }), 'TEXT_TOO_LONG', 'sections.0.rows.0.title'],
    [
      'interactive',
      list({ rows: [row('a', { description: text(73) })] }),
      'TEXT_TOO_LONG',
      'sections.0.rows.0.description',
    ],
    ['interactive', list({ rows: [row(text(201), { title: 'x' })] }), 'TEXT_TOO_LONG', 'sections.0.rows.0.id'],
    ['interactive', list({ title: text(25), rows: [row('a')] }), 'TEXT_TOO_LONG', 'sections.0.title'],
    ['interactive', list({ rows: [row('a')] }, { rows: [row('b')] }), 'INVALID_VALUE', 'must each have a title'],
    [
      'interactive',
      list({ rows: Array.from({ length: 11 }, (_, at) => row(`r${at}`)) }),
      'INVALID_VALUE',
      'at most 10 rows in all',
    ],
    [
      'interactive',
      list(...Array.from({ length: 11 }, (_, at) => ({ title: `s${at}`, rows: [row(`r${at}`)] }))),
      'INVALID_VALUE',
      'interactive.action.sections',
    ],
    [
      'interactive',
      { ...list({ rows: [row('a')] }), action: { button: text(21), sections: [{ rows: [row('a')] }] } },
      'TEXT_TOO_LONG',
      'interactive.action.button',
    ],
    [
      'interactive',
      { ...list({ rows: [row('a')] }), header: { type: 'text', text: text(61) } },
      'TEXT_TOO_LONG',
      'interactive.header.text',
    ],
    ['interactive', list({ rows: [row('a'), row('a')] }), 'INVALID_VALUE', 'must have each row id once'],
    [
      'interactive',
      list({ title: 'One', rows: [row('a')] }, { title: 'Two', rows: [row('a')] }),
      'INVALID_VALUE',
      'must have each row id once',
    ],
    [
      'interactive',
      { ...list({ rows: [row('a')] }), footer: { text: text(61) } },
      'TEXT_TOO_LONG',
      'interactive.footer.text',
    ],
    ...['header', 'footer', 'body'].map((part): [string, unknown, string, string] => [
      'interactive',
      {
        ...page({ displayText: 'Go', url: 'https://a.org' }),
        [part]: { ...(part === 'header' && { type: 'text' }), text: text(part === 'body' ? 1_025 : 61) },
      },
      'TEXT_TOO_LONG',
      `interactive.${part}.text`,
    ]),
    ...['image', 'video', 'document'].map((type): [string, unknown, string, string] => [
      'interactive',
      { ...list({ rows: [row('a')] }), header: { type, [type]: { link: 'https://a.org/b' } } },
      'INVALID_PARAMETER',
      'interactive.header.type',
    ]),
    [
      'interactive',
      { ...list({ rows: [row('a')] }), body: { text: text(4_097) } },
      'TEXT_TOO_LONG',
      'interactive.body.text',
    ],
    ['interactive', page({ displayText: text(21), url: 'https://a.org' }), 'TEXT_TOO_LONG', 'displayText'],
    [
      'interactive',
      page({ displayText: 'Go', url: 'ftp://a.org' }),
      'INVALID_LINK',
      'interactive.action.parameters.url',
    ],
    ['interactive', page({ displayText: 'Go', url: 'https://127.0.0.1/' }), 'INVALID_LINK', 'public host name'],
    ['interactive', page({ displayText: 'Go', url: 'https://8.8.8.8/' }), 'INVALID_LINK', 'public host name'],
    ['interactive', page({ displayText: 'Go', url: 'https://intranet/' }), 'INVALID_LINK', 'public host name'],
    ['interactive', page({ displayText: 'Go', url: 'https://u:p@a.org' }), 'INVALID_LINK', 'public host name'],
    ['interactive', page({ displayText: 'Go', url: `https://a.org/${text(2_035)}` }), 'INVALID_LINK', '2048'],
    ['location', { latitude: 91, longitude: 0 }, 'INVALID_VALUE', 'location.latitude'],
    ['location', { latitude: 0, longitude: '-181' }, 'INVALID_VALUE', 'location.longitude'],
    ['location', { latitude: 'north', longitude: 0 }, 'INVALID_PARAMETER', 'location.latitude'],
    ['location', { longitude: 0 }, 'MISSING_FIELD', 'location.latitude is required'],
    ['location', { latitude: 0 }, 'MISSING_FIELD', 'location.longitude is required'],
    ['contacts', [], 'INVALID_PARAMETER', 'contacts'],
    ['contacts', [{ birthday: '1999-01-23' }], 'MISSING_FIELD', 'contacts.0.name is required'],
    ['contacts', card, 'INVALID_PARAMETER', 'contacts'],
    ['contacts', [{ name: { firstName: 'Bo' } }], 'MISSING_FIELD', 'contacts.0.name.formattedName is required'],
    ['contacts', [{ ...card, birthday: '23.1.1999' }], 'INVALID_VALUE', 'contacts.0.birthday must be a date'],
    ['contacts', Array.from({ length: 258 }, () => card), 'INVALID_VALUE', 'no more than 257'],
    ['contacts', Array.from({ length: 107 }, () => ({ name: { formattedName: text(900) } })), 'TEXT_TOO_LONG', '96 KB'],
    ['sticker', { link: 'https://example.com/a.webp', caption: 'x' }, 'CAPTION_NOT_ALLOWED', 'sticker'],
    ['reaction', { messageId: 'msg_1', emoji: 'yes' }, 'INVALID_VALUE', 'reaction.emoji must be one emoji'],
    ['reaction', { messageId: 'msg_1', emoji: '👍👍' }, 'INVALID_VALUE', 'reaction.emoji must be one emoji'],
    ['reaction', { messageId: 'msg_1' }, 'MISSING_FIELD', 'reaction.emoji is required'],
    ['reaction', { messageId: '../x', emoji: '👍' }, 'INVALID_VALUE', 'reaction.messageId must be the id of a message'],
    ['text', { body: 'x', previewUrl: 'yes' }, 'INVALID_PARAMETER', 'text.previewUrl'],
  ])('rejects the %s content %j with %s: %s', (type, content, code, words) => {
    expect(refusal(type, content)).toEqual([code, expect.stringContaining(words)]);
  });

  it('accepts a context except for templates and reactions', () => {
    const context = { messageId: 'msg_1' };
    expect(parse('text', { body: 'x' }, { context: { message_id: 'msg_1' } }).context).toEqual(context);
    expect(parseBody(SendUploadRequest, { to, type: 'sticker', context }).context).toEqual(context);
    const template = { name: 'a', language: { code: 'en' } };
    expect(refusal('template', template, { context })).toEqual(['INVALID_VALUE', expect.stringContaining('templates')]);
    const reaction = { messageId: 'msg_1', emoji: '👍' };
    expect(refusal('reaction', reaction, { context })).toEqual(['INVALID_VALUE', expect.stringContaining('reactions')]);
    expect(refusal('text', { body: 'x' }, { context: {} })).toEqual(['MISSING_FIELD', 'context.messageId is required']);
    expect(refusal('text', { body: 'x' }, { context: 'msg_1' })[0]).toBe('INVALID_PARAMETER');
  });

  it('accepts every type but reactions in bulk', () => {
    expect(parseBody(MessageContent, { type: 'interactive', interactive: buttons(reply('a')) }).type).toBe(
      'interactive',
    );
    const body = { type: 'reaction', reaction: { messageId: 'msg_1', emoji: '👍' } };
    expect(() => parseBody(MessageContent, body)).toThrow(expect.objectContaining({ code: 'INVALID_PARAMETER' }));
  });
});
