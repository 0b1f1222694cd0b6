import { newAccount, type TestAccount } from './support/account';
import { type Answer, api, call } from './support/api';
import { demo } from './support/installation';
import { fileOf, FILES } from './support/files';
import { contactWithOpenWindow, freshPhone, receivedUpstream } from './support/simulator';

const MIB = 1_048_576;
const link = 'https://example.com/a.png';

type Refusal = [what: string, body: object, status: number, code: string, message: string];

/**
 * Errors of spec §3.1, §3.2, §3.3 and §3.5 that do not depend on the recipient's window. The test fills in the
 * recipient.
 */
const bodies: Refusal[] = [
  ['no type', { text: { body: 'x' } }, 400, 'MISSING_FIELD', 'type is required'],
  ['no content', { type: 'text' }, 400, 'MISSING_FIELD', 'text is required'],
  ['no body', { type: 'text', text: {} }, 400, 'MISSING_FIELD', 'text.body is required'],
  [
    'a body that is a number',
    { type: 'text', text: { body: 5 } },
    400,
    'INVALID_PARAMETER',
    'text.body must be a string',
  ],
  [
    'half a surrogate pair',
    { type: 'text', text: { body: 'a\uD800b' } },
    422,
    'INVALID_VALUE',
    'text.body holds characters that cannot be stored',
  ],
  [
    '4,097 characters',
    { type: 'text', text: { body: 'x'.repeat(4_097) } },
    422,
    'TEXT_TOO_LONG',
    'text.body must be shorter than or equal to 4096 characters (UTF-16 units: an emoji counts as two or more)',
  ],
  [
    '2,049 emoji',
    { type: 'text', text: { body: '😀'.repeat(2_049) } },
    422,
    'TEXT_TOO_LONG',
    'text.body must be shorter than or equal to 4096 characters (UTF-16 units: an emoji counts as two or more)',
  ],
  [
    'white space only',
    { type: 'text', text: { body: ' \n\t' } },
    422,
    'INVALID_VALUE',
    'text.body must not be only white space',
  ],
  [
    'a link that begins with a space',
    { type: 'image', image: { link: ` ${link}` } },
    422,
    'INVALID_LINK',
    'image.link must not contain a blank (character 1): remove it',
  ],
  ['neither link nor file', { type: 'image' }, 400, 'MISSING_FIELD', 'image is required'],
  ['an image without a link', { type: 'image', image: {} }, 400, 'MISSING_FIELD', 'image.link is required'],
  [
    'a link that is no text',
    { type: 'video', video: { link: 5 } },
    400,
    'INVALID_PARAMETER',
    'video.link must be a string',
  ],
  [
    'a link that is no URL',
    { type: 'image', image: { link: 'a.png' } },
    422,
    'INVALID_LINK',
    'image.link must be an https URL with a public host',
  ],
  [
    'plain HTTP',
    { type: 'image', image: { link: 'http://example.com/a.png' } },
    422,
    'INVALID_LINK',
    'image.link must be an https URL with a public host',
  ],
  [
    'a link to this machine',
    { type: 'audio', audio: { link: 'https://localhost/a.ogg' } },
    422,
    'INVALID_LINK',
    'audio.link must be an https URL with a public host',
  ],
  [
    'a link to a private network',
    { type: 'document', document: { link: 'https://[fd00::1]/a.pdf' } },
    422,
    'INVALID_LINK',
    'document.link must be an https URL with a public host',
  ],
  [
    'a link with a password',
    { type: 'video', video: { link: 'https://me:secret@example.com/a.mp4' } },
    422,
    'INVALID_LINK',
    'video.link must be an https URL with a public host',
  ],
  [
    'a caption with a text',
    { type: 'text', text: { body: 'x' }, caption: 'x' },
    400,
    'CAPTION_NOT_ALLOWED',
    'caption is not allowed for this message type: text',
  ],
  [
    'a caption with an audio',
    { type: 'audio', audio: { link }, caption: 'x' },
    400,
    'CAPTION_NOT_ALLOWED',
    'caption is not allowed for this message type: audio',
  ],
  [
    'a nested caption with an audio',
    { type: 'audio', audio: { link, caption: 'x' } },
    400,
    'CAPTION_NOT_ALLOWED',
    'caption is not allowed for this message type: audio',
  ],
  [
    'a caption of 1,025 characters',
    { type: 'image', image: { link }, caption: 'x'.repeat(1_025) },
    422,
    'TEXT_TOO_LONG',
    'caption must be shorter than or equal to 1024 characters (UTF-16 units: an emoji counts as two or more)',
  ],
  [
    'a reference of 129 characters',
    { type: 'text', text: { body: 'x' }, clientRef: 'x'.repeat(129) },
    422,
    'TEXT_TOO_LONG',
    'clientRef must be shorter than or equal to 128 characters',
  ],
  [
    "a sender that is not the account's",
    { type: 'text', text: { body: 'x' }, from: '15550000000' },
    400,
    'INVALID_PARAMETER',
    'from is not one of your numbers',
  ],
  [
    'a sender that is no number',
    { type: 'text', text: { body: 'x' }, from: '+1' },
    422,
    'INVALID_PHONE',
    'phone number format is invalid: digits only, with country code, without +',
  ],
  [
    'a template without a name',
    { type: 'template', template: { language: { code: 'en_US' } } },
    400,
    'MISSING_FIELD',
    'template.name is required',
  ],
  [
    'a template without a language',
    { type: 'template', template: { name: 'hello_world' } },
    400,
    'MISSING_FIELD',
    'template.language is required',
  ],
  [
    'components that are no list',
    { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' }, components: {} } },
    400,
    'INVALID_PARAMETER',
    'template.components must be an array',
  ],
];

describe('a rejected send', () => {
  let starter: TestAccount;
  let to: string;

  beforeAll(async () => {
    [starter, to] = await Promise.all([newAccount('Starter', { plan: 'starter' }), contactWithOpenWindow()]);
  }, 60_000);
  /** The recipient's window was always open, so only the errors prevented messages. */
  afterAll(async () => expect(await receivedUpstream(to)).toEqual([]));

  it.each(bodies)('returns the documented error for %s', async (_what, body, status, code, message) => {
    const answer = await call('POST', '/messages/send', { body: { to, ...body } });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status,
      body: { success: false, code, message },
    });
    expect(await receivedUpstream(to)).toEqual([]);
  });

  it('fails for every type except templates when the window is closed', async () => {
    const stranger = freshPhone();
    const contents = {
      text: { body: 'x' },
      image: { link },
      document: { link },
      video: { link },
      audio: { link },
      sticker: { link },
      location: { latitude: 1, longitude: 2 },
      contacts: [{ name: { formattedName: 'Bo' } }],
      interactive: {
        type: 'button',
        body: { text: 'x' },
        action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'a' } }] },
      },
    };
    for (const [type, content] of Object.entries(contents)) {
      const { status, body } = await call('POST', '/messages/send', { body: { to: stranger, type, [type]: content } });
      expect({ type, status, body }).toMatchObject({
        type,
        status: 400,
        body: {
          code: 'WINDOW_CLOSED',
          message: expect.stringContaining('the 24-hour customer service window is closed'),
        },
      });
    }
    expect(await upload({ to: stranger, type: 'image' }, fileOf('image', 'a.png'))).toMatchObject({
      status: 400,
      body: { code: 'WINDOW_CLOSED' },
    });
    expect(await receivedUpstream(stranger)).toEqual([]);
  });

  it('fails for media outside the plan, by link and by file', async () => {
    const expected = {
      status: 403,
      body: { code: 'FEATURE_NOT_IN_PLAN', message: 'feature not available in your plan: MEDIA' },
    };
    expect(
      await call('POST', '/messages/send', { apiKey: starter.apiKey, body: { to, type: 'image', image: { link } } }),
    ).toMatchObject(expected);
    expect(await upload({ to, type: 'image' }, fileOf('image', 'a.png'), starter.apiKey)).toMatchObject(expected);
    expect(await upload({ to, type: 'sticker' }, fileOf('sticker', 'a.webp'), starter.apiKey)).toMatchObject(expected);
  });

  /** Sends a form, optionally without a file. */
  async function upload(fields: Record<string, string>, file?: File, apiKey = demo.apiKey): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (file) form.append('file', file);
    const response = await fetch(`${demo.baseUrl}/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}` },
      body: form,
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  }

  const big = (type: keyof typeof FILES, mebibytes: number): File =>
    new File([new Uint8Array(FILES[type].bytes), new Uint8Array(mebibytes * MIB)], 'big');
  const forms: [
    what: string,
    fields: Record<string, string>,
    file: () => File | undefined,
    answer: [status: number, code: string, message: string],
  ][] = [
    ['no file', { type: 'image' }, () => undefined, [400, 'MISSING_FIELD', 'file is required']],
    ['no type', {}, () => fileOf('image', 'a.png'), [400, 'MISSING_FIELD', 'type is required']],
    [
      'a file for a text',
      { type: 'text' },
      () => fileOf('image', 'a.png'),
      [400, 'INVALID_PARAMETER', 'type must be one of'],
    ],
    [
      'a link and a file',
      { type: 'image', link },
      () => fileOf('image', 'a.png'),
      [400, 'INVALID_PARAMETER', 'give a link or a file, not both'],
    ],
    [
      'an object and a file',
      { type: 'image', image: JSON.stringify({ link }) },
      () => fileOf('image', 'a.png'),
      [400, 'INVALID_PARAMETER', 'give a link or a file, not both'],
    ],
    [
      'a caption with an audio',
      { type: 'audio', caption: 'x' },
      () => fileOf('audio', 'a.ogg'),
      [400, 'CAPTION_NOT_ALLOWED', 'caption is not allowed for this message type: audio'],
    ],
    [
      'a caption with a sticker',
      { type: 'sticker', caption: 'x' },
      () => fileOf('sticker', 'a.webp'),
      [400, 'CAPTION_NOT_ALLOWED', 'caption is not allowed for this message type: sticker'],
    ],
    [
      'too long a caption',
      { type: 'image', caption: 'x'.repeat(1_025) },
      () => fileOf('image', 'a.png'),
      [422, 'TEXT_TOO_LONG', 'caption must be shorter'],
    ],
    [
      'a document that calls itself a picture',
      { type: 'image' },
      () => fileOf('document', 'a.png'),
      [400, 'UNSUPPORTED_MEDIA', 'this kind of media is not supported'],
    ],
    [
      'a picture as a video',
      { type: 'video' },
      () => fileOf('image', 'a.mp4'),
      [400, 'UNSUPPORTED_MEDIA', 'this kind of media is not supported'],
    ],
    [
      'a program as a document',
      { type: 'document' },
      () => new File([Buffer.from('\x7FELF\x02\x01\x01\0\0\0\0')], 'a.pdf'),
      [400, 'UNSUPPORTED_MEDIA', 'this kind of media is not supported'],
    ],
    [
      'an empty file',
      { type: 'document' },
      () => new File([], 'a.txt'),
      [400, 'FILE_INVALID', 'the file cannot be read: it is empty'],
    ],
    [
      'a picture above 5 MB',
      { type: 'image' },
      () => big('image', 5),
      [413, 'PAYLOAD_TOO_LARGE', 'at most 5 MB for type image'],
    ],
    [
      'an audio above 16 MB',
      { type: 'audio' },
      () => big('audio', 16),
      [413, 'PAYLOAD_TOO_LARGE', 'at most 16 MB for type audio'],
    ],
    [
      'a video above 16 MB',
      { type: 'video' },
      () => big('video', 16),
      [413, 'PAYLOAD_TOO_LARGE', 'at most 16 MB for type video'],
    ],
  ];

  it.each(forms)('fails for a form with %s', async (_what, fields, file, [status, code, message]) => {
    const answer = await upload({ to, ...fields }, file());
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status,
      body: { success: false, code, message: expect.stringContaining(message), requestId: expect.any(String) },
    });
  });

  it('fails for a form with an invalid or missing recipient', async () => {
    expect(await upload({ to: '12', type: 'image' }, fileOf('image', 'a.png'))).toMatchObject({
      status: 422,
      body: {
        code: 'INVALID_PHONE',
        message: 'phone number format is invalid: digits only, with country code, without +',
      },
    });
    expect(await upload({ type: 'image' }, fileOf('image', 'a.png'))).toMatchObject({
      status: 400,
      body: { code: 'MISSING_FIELD', message: 'to is required' },
    });
  });

  // Runs last, to check that none of the rejected sends above is stored.
  it('leaves no record with the recipient', async () =>
    expect((await api.listMessages({ phone: to })).messages).toMatchObject([{ direction: 'inbound' }]));
});
