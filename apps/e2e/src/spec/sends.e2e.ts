import { FILES, fileOf } from '../support/files';
import { INVALID_LABELS } from '../support/labels';
import { NOBODY, post, refusalOf, send, sendForm } from './calls';

const link = 'https://example.com/a.png';
const EMOJI = '😀'; // Two UTF-16 units.
const textOf = (body: unknown): Promise<[number, unknown]> => send({ type: 'text', text: { body } }).then(refusalOf);
const upload = (type: string, file?: File, more: Record<string, string> = {}): Promise<[number, unknown]> =>
  sendForm('/messages/send', { to: NOBODY, type, ...more }, file && ['file', file]).then(refusalOf);

/** The API rejects all of these requests, so none may create a message. */
describe('chapter 3: sending one message', () => {
  it('3.1.1 returns 400 with "to is required" without to', async () => {
    expect(await post('/messages/send', { type: 'text', text: { body: 'x' } })).toMatchObject({
      status: 400,
      body: { code: 'MISSING_FIELD', message: 'to is required' },
    });
  });

  it('3.1.2 returns 400 without type or content', async () => {
    const contents = [
      {},
      { text: { body: 'x' } },
      { type: 'text' },
      { type: 'text', text: {} },
      { type: 'image' },
      { type: 'template' },
      ...['image', 'document', 'video', 'audio', 'sticker'].map((type) => ({ type, [type]: {} })),
      ...['document', 'video', 'sticker', 'interactive', 'location', 'contacts', 'reaction'].map((type) => ({ type })),
      { type: 'location', location: { latitude: 1 } },
      { type: 'reaction', reaction: { emoji: '👍' } },
      { type: 'reaction', reaction: { messageId: 'wamid.A' } },
      { type: 'contacts', contacts: [{ birthday: '1999-01-23' }] },
      { type: 'interactive', interactive: { body: { text: 'x' } } },
      { type: 'interactive', interactive: { type: 'button', body: { text: 'x' } } },
    ];
    for (const content of contents)
      expect({ content, answer: refusalOf(await send(content)) }).toEqual({ content, answer: [400, 'MISSING_FIELD'] });
  });

  it('3.1.3 returns 400 for a type outside the list', async () => {
    for (const type of ['fax', 'TEXT', 'order', ''])
      expect({ type, answer: refusalOf(await send({ type, text: { body: 'x' } })) }).toEqual({
        type,
        answer: [400, 'INVALID_PARAMETER'],
      });
  });

  it('3.1.4 returns 400 for a field of the wrong JSON type', async () => {
    const bodies = [
      { to: 5, type: 'text', text: { body: 'x' } },
      { type: 5 },
      { type: 'text', text: 'x' },
      { type: 'text', text: { body: 5 } },
      { type: 'image', image: { link: 5 } },
      { type: 'text', text: { body: 'x' }, clientRef: 7 },
      { type: 'template', template: { name: 'a', language: 'en_US' } },
      { type: 'text', text: { body: 'x' }, from: 5 },
      { type: 'text', text: { body: 'x' }, context: 'wamid.A' },
      { type: 'text', text: { body: 'x' }, context: { messageId: 5 } },
      { type: 'text', text: ['x'] },
      { type: 'document', document: { link, filename: 5 } },
      { type: 'image', image: { link }, caption: 5 },
      { type: 'video', video: link },
      { type: 'audio', audio: [link] },
      { type: 'sticker', sticker: { link: 5 } },
      { type: 'location', location: { latitude: 'north', longitude: 0 } },
      { type: 'contacts', contacts: { name: 'Bo' } },
      { type: 'interactive', interactive: 'x' },
      { type: 'reaction', reaction: { messageId: 5, emoji: '👍' } },
      { type: 'template', template: { name: 'a', language: { code: 'en_US' }, components: {} } },
      { type: 'template', template: { name: 5, language: { code: 'en_US' } } },
      { type: 'template', template: { name: 'a', language: { code: 5 } } },
      { type: 'template', template: { name: 'a', language: { code: 'en_US' }, variables: 'x' } },
    ];
    for (const body of bodies)
      expect({ body, answer: refusalOf(await send(body)) }).toEqual({ body, answer: [400, 'INVALID_PARAMETER'] });
  });

  it('3.1.6 rejects a sender number that does not belong to the account', async () => {
    const { status, body } = await send({ type: 'text', text: { body: 'x' }, from: '15550000000' });
    expect({ status, message: body['message'] }).toEqual({
      status: 400,
      message: expect.stringContaining('from') as string,
    });
    const from = '15550000000';
    expect(await upload('image', fileOf('image', 'a.png'), { from })).toEqual([400, 'INVALID_PARAMETER']);
    const bulk = { recipients: [NOBODY], type: 'text', text: { body: 'x' }, from };
    expect(refusalOf(await post('/messages/send/bulk', bulk))).toEqual([400, 'INVALID_PARAMETER']);
  });

  it.each(INVALID_LABELS)('3.1.7 returns 422 for an invalid label (%#)', async (label) => {
    expect((await send({ type: 'text', text: { body: 'x' }, ...label })).status).toBe(422);
  });

  it('3.2.1 returns 422 for a text of 4,097 characters or an empty text', async () => {
    expect(await textOf('x'.repeat(4_097))).toEqual([422, 'TEXT_TOO_LONG']);
    expect((await textOf(''))[0]).toBe(422);
  });

  it('3.2.2 counts an emoji as up to two characters', async () => {
    expect(await textOf(EMOJI.repeat(2_049))).toEqual([422, 'TEXT_TOO_LONG']);
    expect(await textOf(EMOJI.repeat(2_048))).toEqual([400, 'WINDOW_CLOSED']);
  });

  it('3.2.3 returns 422 for a text of white space only', async () => {
    for (const body of [' ', '\n\t ', '\u00A0', '\u2003'])
      expect({ body, status: (await textOf(body))[0] }).toEqual({ body, status: 422 });
  });

  it('3.2.4 returns 422 for a NUL character or half a surrogate pair', async () => {
    for (const body of ['a\u0000b', 'a\uD800b', '\uDC00']) {
      expect(await textOf(body)).toEqual([422, 'INVALID_VALUE']);
      const places = [
        { type: 'image', image: { link }, caption: body },
        { type: 'image', image: { link, caption: body } },
        { type: 'document', document: { link, filename: body } },
        { type: 'text', text: { body: 'x' }, clientRef: body },
        { type: 'location', location: { latitude: 0, longitude: 0, name: body } },
        { type: 'contacts', contacts: [{ name: { formattedName: body } }] },
      ];
      for (const place of places)
        expect({ place, answer: refusalOf(await send(place)) }).toEqual({ place, answer: [422, 'INVALID_VALUE'] });
    }
  });

  it('12.1.1 returns 422 with the limit for an object with more than 1,000 members', async () => {
    const members = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, 1]));
    const answer = await send({ type: 'text', text: { body: '' }, more: members(1_001) });
    expect([refusalOf(answer), answer.body['message']]).toEqual([
      [422, 'INVALID_VALUE'],
      expect.stringContaining('1,000 members') as string,
    ]);
    const allowed = await send({ type: 'text', text: { body: '' }, more: members(1_000) });
    expect(allowed.body['message']).not.toContain('members');
  });

  it('3.3.2 accepts only https URLs of public hosts as links', async () => {
    const links = [
      'a.png',
      'http://example.com/a.png',
      ' https://example.com/a.png',
      'https://example.com/a b.png',
      'https://localhost/a.png',
      'https://127.0.0.1/a.png',
      'https://10.1.2.3/a.png',
      'https://[fd00::1]/a.png',
      'https://169.254.169.254/',
      'https://me:secret@example.com/a.png',
      'ftp://example.com/a.png',
      'https://2130706433/a.png',
    ];
    for (const bad of links)
      expect({ bad, answer: refusalOf(await send({ type: 'image', image: { link: bad } })) }).toEqual({
        bad,
        answer: [422, 'INVALID_LINK'],
      });
  });

  it('3.3.2 reports the position of a space in a link', async () => {
    const { body } = await send({ type: 'document', document: { link: 'https://example.com/a b.pdf' } });
    expect(body['message']).toBe('document.link must not contain a blank (character 22): write it as %20');
  });

  it('3.3.5 returns 400 for a caption with another type', async () => {
    const bodies = [
      { type: 'text', text: { body: 'x' }, caption: 'x' },
      { type: 'audio', audio: { link }, caption: 'x' },
      { type: 'audio', audio: { link, caption: 'x' } },
      { type: 'sticker', sticker: { link }, caption: 'x' },
      { type: 'sticker', sticker: { link, caption: 'x' } },
      { type: 'location', location: { latitude: 0, longitude: 0 }, caption: 'x' },
      { type: 'contacts', contacts: [{ name: { formattedName: 'Bo' } }], caption: 'x' },
      { type: 'reaction', reaction: { messageId: 'wamid.A', emoji: '👍' }, caption: 'x' },
      { type: 'template', template: { name: 'a', language: { code: 'en_US' } }, caption: 'x' },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          body: { text: 'x' },
          action: { buttons: [{ type: 'reply', reply: { id: 'a', title: 'a' } }] },
        },
        caption: 'x',
      },
    ];
    for (const body of bodies)
      expect({ body, answer: refusalOf(await send(body)) }).toEqual({ body, answer: [400, 'CAPTION_NOT_ALLOWED'] });
  });

  it('3.3.6 returns 422 for a caption of 1,025 characters', async () => {
    for (const caption of ['x'.repeat(1_025), EMOJI.repeat(513)]) {
      expect(refusalOf(await send({ type: 'image', image: { link }, caption }))).toEqual([422, 'TEXT_TOO_LONG']);
      for (const type of ['video', 'document'])
        expect(refusalOf(await send({ type, [type]: { link, caption } }))).toEqual([422, 'TEXT_TOO_LONG']);
    }
    // All windows are closed, so WINDOW_CLOSED shows that the text itself is accepted.
    for (const caption of ['x'.repeat(1_024), EMOJI.repeat(512)])
      for (const type of ['image', 'video', 'document'])
        expect((await send({ type, [type]: { link, caption } })).body['code']).toBe('WINDOW_CLOSED');
  });

  it('3.3.7 returns 400 for two different captions', async () => {
    for (const type of ['image', 'video', 'document']) {
      const content = { type, [type]: { link, caption: 'one' } };
      expect(refusalOf(await send({ ...content, caption: 'two' }))).toEqual([400, 'INVALID_PARAMETER']);
      expect(refusalOf(await send({ ...content, caption: 'one' }))).toEqual([400, 'WINDOW_CLOSED']);
    }
  });

  it('3.4.2 returns 400 unless either a link or a file is given', async () => {
    expect((await upload('image', fileOf('image', 'a.png'), { link }))[0]).toBe(400);
    expect((await upload('image'))[0]).toBe(400);
  });

  it('3.4.3 checks a file by its content, not its name', async () => {
    expect(await upload('image', fileOf('document', 'a.png'))).toEqual([400, 'UNSUPPORTED_MEDIA']);
    expect(await upload('document', new File([Buffer.from('\x7FELF\x02\x01\x01\0\0\0\0')], 'a.pdf'))).toEqual([
      400,
      'UNSUPPORTED_MEDIA',
    ]);
  });

  it('3.4.4 returns 400 for a file that the type does not accept', async () => {
    for (const [type, kind] of [
      ['image', 'video'],
      ['audio', 'image'],
      ['video', 'audio'],
      ['image', 'document'],
    ] as const) {
      expect({ type, kind, answer: await upload(type, fileOf(kind, 'a')) }).toEqual({
        type,
        kind,
        answer: [400, 'UNSUPPORTED_MEDIA'],
      });
    }
  });

  it('3.4.4 accepts animated stickers up to 500 KB', async () => {
    const moving = (bytes: number): File =>
      new File([Buffer.from('RIFF0000WEBPVP8X0000\u0002'), new Uint8Array(bytes - 21)], 'a.webp');
    expect(await upload('sticker', moving(500 * 1_024))).toEqual([400, 'WINDOW_CLOSED']);
    expect(await upload('sticker', moving(500 * 1_024 + 1))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('3.4.4 rejects markup and UTF-16 text as documents, regardless of their name', async () => {
    const texts = [
      '<!doctype html><script>alert(1)</script>',
      '\n<!-- x -->\n<p>Hello</p>',
      'x\n<html><body>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>',
      '<rss version="2.0"></rss>',
    ];
    const files = [...texts.map((content) => Buffer.from(content)), Buffer.from('\uFEFFHello', 'utf16le')];
    for (const file of files)
      for (const type of ['document', 'audio'])
        expect([type, String(file), await upload(type, new File([new Uint8Array(file)], 'a.txt'))]).toEqual([
          type,
          String(file),
          [400, 'UNSUPPORTED_MEDIA'],
        ]);
  });

  it('3.4.5 returns 413 with the limit for a larger file', async () => {
    for (const [type, megabytes] of [
      ['image', 5],
      ['audio', 16],
      ['video', 16],
    ] as const) {
      const file = new File([new Uint8Array(FILES[type].bytes), new Uint8Array(megabytes * 1_048_576)], 'big');
      const { status, body } = await sendForm('/messages/send', { to: NOBODY, type }, ['file', file]);
      expect({ type, status, body }).toMatchObject({
        type,
        status: 413,
        body: { code: 'PAYLOAD_TOO_LARGE', message: expect.stringContaining(`${megabytes} MB`) as string },
      });
    }
  });

  it('3.5.1 requires name and language code of a template', async () => {
    for (const template of [{}, { name: 'a' }, { language: { code: 'en_US' } }, { name: 'a', language: {} }]) {
      expect({ template, answer: refusalOf(await send({ type: 'template', template })) }).toEqual({
        template,
        answer: [400, 'MISSING_FIELD'],
      });
    }
  });

  it('3.5.6 returns 400 for an unknown template', async () => {
    const { status, body } = await send({
      type: 'template',
      template: { name: 'there_is_no_such_template', language: { code: 'en_US' } },
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'TEMPLATE_NOT_FOUND',
        message: expect.stringMatching(/^template not found or not approved/) as string,
      },
    });
  });

  it('3.10.2 returns 422 with the position for a choice beyond an upstream limit', async () => {
    const reply = (id: string, title: string): object => ({ type: 'reply', reply: { id, title } });
    const buttons = (...given: object[]): object => ({
      type: 'button',
      body: { text: 'x' },
      action: { buttons: given },
    });
    const rows = Array.from({ length: 11 }, (_unused, index) => ({ id: `r${index}`, title: 'x' }));
    const list = { type: 'list', body: { text: 'x' }, action: { button: 'x', sections: [{ rows }] } };
    for (const [interactive, code, place] of [
      [buttons(reply('a', 'x'.repeat(21))), 'TEXT_TOO_LONG', 'interactive.action.buttons.0.reply.title'],
      [buttons(...['a', 'b', 'c', 'd'].map((id) => reply(id, id))), 'INVALID_VALUE', 'interactive.action.buttons'],
      [buttons(reply('a', 'x'), reply('b', 'x')), 'INVALID_VALUE', 'interactive.action.buttons'],
      [list, 'INVALID_VALUE', 'interactive.action.sections'],
    ] as const)
      expect(await send({ type: 'interactive', interactive })).toMatchObject({
        status: 422,
        body: { code, details: [{ field: place }] },
      });
  });

  it('3.10.3 requires a text header of a list, and a public URL of a button', async () => {
    const image = { type: 'image', image: { link } };
    const list = { type: 'list', body: { text: 'x' }, action: { button: 'x', sections: [{ rows: [] }] } };
    const answer = await send({ type: 'interactive', interactive: { ...list, header: image } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } });
    for (const url of ['ftp://example.com', 'https://127.0.0.1/', 'https://localhost/', 'example.com']) {
      const parameters = { displayText: 'Open', url };
      const page = { type: 'cta_url', body: { text: 'x' }, action: { name: 'cta_url', parameters } };
      expect({ url, answer: refusalOf(await send({ type: 'interactive', interactive: page })) }).toEqual({
        url,
        answer: [422, 'INVALID_LINK'],
      });
    }
  });
});
