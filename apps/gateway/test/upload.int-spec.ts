import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { AppError, sendMessageV1, type UploadedFile } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { signedIn } from './support/console';
import { FILES, formWith, OFFICE } from './support/files';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call, exchangeBytes, parseAnswer } from './support/http';

const MIB = 1_048_576;
const FIELDS = { to: '919812345678', type: 'image', caption: 'Your receipt' };

describe('uploaded file', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.fakes.reset());

  const sent = (): { message: object; messageId: string; upload: UploadedFile }[] =>
    gateway.fakes.of(sendMessageV1) as never;

  /** Lists all blobs, except those in the folder of incomplete uploads. */
  async function blobs(): Promise<string[]> {
    const entries = await readdir(gateway.config.BLOB_DIR, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }

  async function send(
    form: FormData,
    options: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(`${gateway.url}/v1/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${options.key ?? customer.apiKey}`, ...options.headers },
      body: form,
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  const formOf = (file: Buffer | undefined, fields: Record<string, string> = FIELDS, filename = 'receipt.jpg') =>
    formWith(file, fields, filename);

  it('is stored and sent to messaging', async () => {
    const answer = await send(formOf(FILES.jpeg));
    expect(answer).toMatchObject({
      status: 200,
      body: { success: true, status: 'accepted', message_id: sendMessageV1.sample.response.upstreamId },
    });
    const [command] = sent();
    const sha256 = createHash('sha256').update(FILES.jpeg).digest('hex');
    expect(command?.message).toEqual(FIELDS);
    expect(command?.upload).toEqual({
      blobKey: expect.stringMatching(`^uploads/${customer.accountId}/med_`),
      mimeType: 'image/jpeg',
      bytes: FILES.jpeg.length,
      sha256,
      filename: 'receipt.jpg',
    });
    expect(await blobs()).toEqual([join(gateway.config.BLOB_DIR, command?.upload.blobKey ?? '')]);
  });

  it('is accepted before the other form fields', async () => {
    const form = formOf(FILES.opus, {});
    form.append('type', 'audio');
    form.append('to', FIELDS.to);
    form.append('from', '15550783881');
    form.append('clientRef', 'order-7');
    const context = { messageId: 'wamid.A' };
    form.append('context', JSON.stringify(context));
    expect((await send(form)).status).toBe(200);
    expect(sent()[0]).toMatchObject({
      message: { to: FIELDS.to, type: 'audio', from: '15550783881', clientRef: 'order-7', context },
      upload: { mimeType: 'audio/ogg' },
    });
    const wrong = formOf(FILES.opus, {});
    wrong.append('type', 'video');
    wrong.append('to', FIELDS.to);
    expect(await send(wrong)).toMatchObject({ status: 400, body: { code: 'UNSUPPORTED_MEDIA' } });
  });

  it.each([
    ['docx', `${OFFICE}.wordprocessingml.document`],
    ['lateDocx', `${OFFICE}.wordprocessingml.document`],
    ['text', 'text/plain'],
    ['pdf', 'application/pdf'],
    ['latePdf', 'application/pdf'],
  ] as const)('is sent as a document (%s)', async (name, mimeType) => {
    expect(
      await send(formOf(FILES[name], { ...FIELDS, type: 'document' }, '../../etc/übergabe\u0001.bin')),
    ).toMatchObject({ status: 200 });
    expect(sent()[0]?.upload).toMatchObject({ mimeType, filename: 'übergabe.bin' });
  });

  it('has the unescaped file name that the browser sent', async () => {
    const names = ['Rechnung "final".pdf', '100 %25 %.pdf'];
    for (const name of names) await send(formOf(FILES.pdf, { ...FIELDS, type: 'document' }, name));
    expect(sent().map(({ upload }) => upload?.filename)).toEqual(names);
  });

  describe('rejected upload', () => {
    let before: string[];
    beforeEach(async () => (before = await blobs()));
    afterEach(async () => {
      await eventually(async () => expect(await blobs()).toEqual(before));
      expect(sent()).toEqual([]);
    });

    it.each([
      ['of the wrong type', () => formOf(FILES.gif), 400, 'UNSUPPORTED_MEDIA', 'image/gif'],
      [
        'of markup',
        () => formOf(FILES.html, { ...FIELDS, type: 'document' }, 'page.txt'),
        400,
        'UNSUPPORTED_MEDIA',
        'the file is text/html',
      ],
      [
        'of UTF-16 as audio',
        () => formOf(Buffer.from('\uFEFFHello', 'utf16le'), { to: FIELDS.to, type: 'audio' }),
        400,
        'UNSUPPORTED_MEDIA',
        'the file is text/plain; charset=utf-16',
      ],
      [
        'of an unknown type',
        () => formOf(FILES.binary, { ...FIELDS, type: 'document' }),
        400,
        'UNSUPPORTED_MEDIA',
        'no known kind',
      ],
      [
        'if it is an archive but no document',
        () => formOf(FILES.zip, { ...FIELDS, type: 'document' }),
        400,
        'UNSUPPORTED_MEDIA',
        'application/zip',
      ],
      [
        'if it starts as text but ends as binary',
        () => formOf(Buffer.concat([Buffer.alloc(400_000, 'a'), FILES.binary]), { ...FIELDS, type: 'document' }),
        400,
        'UNSUPPORTED_MEDIA',
        'begins as text',
      ],
      ['if it is empty', () => formOf(Buffer.alloc(0)), 400, 'FILE_INVALID', 'the file cannot be read: it is empty'],
      [
        'if it is too large for its type',
        () => formOf(Buffer.concat([FILES.jpeg, Buffer.alloc(5 * MIB)])),
        413,
        'PAYLOAD_TOO_LARGE',
        'at most 5 MB',
      ],
      ['if it is missing', () => formOf(undefined), 400, 'MISSING_FIELD', 'file is required'],
      ['without a recipient', () => formOf(FILES.jpeg, { type: 'image' }), 400, 'MISSING_FIELD', 'to is required'],
      ['without a type', () => formOf(FILES.jpeg, { to: FIELDS.to }), 400, 'MISSING_FIELD', 'type is required'],
      [
        'to an invalid number',
        () => formOf(FILES.jpeg, { ...FIELDS, to: '+91 98' }),
        422,
        'INVALID_PHONE',
        'phone number format is invalid',
      ],
      [
        'with a message type without files',
        () => formOf(FILES.jpeg, { ...FIELDS, type: 'text' }),
        400,
        'INVALID_PARAMETER',
        'type',
      ],
      [
        'with a caption for a type without captions',
        () => formOf(FILES.mp3, { ...FIELDS, type: 'audio' }),
        400,
        'CAPTION_NOT_ALLOWED',
        'caption',
      ],
      [
        'with an overlong caption',
        () => formOf(FILES.jpeg, { ...FIELDS, caption: 'x'.repeat(1025) }),
        422,
        'TEXT_TOO_LONG',
        'caption',
      ],
      [
        'with a NUL character in its caption',
        () => formOf(FILES.jpeg, { ...FIELDS, caption: 'a\u0000b' }),
        422,
        'INVALID_VALUE',
        'caption holds characters that cannot be stored',
      ],
      [
        'with an additional link',
        () => formOf(FILES.jpeg, { ...FIELDS, image: '{"link":"https://example.com/a.jpg"}' }),
        400,
        'INVALID_PARAMETER',
        'not both',
      ],
      [
        'with a repeated field',
        () => {
          const form = formOf(FILES.jpeg);
          form.append('to', '15550783881');
          return form;
        },
        400,
        'INVALID_PARAMETER',
        'twice',
      ],
      [
        'with another file',
        () => {
          const form = formOf(FILES.jpeg);
          form.append('file', new Blob(['x']), 'b');
          return form;
        },
        400,
        'INVALID_PARAMETER',
        'more than one file',
      ],
      [
        'in another field',
        () => {
          const form = formOf(undefined);
          form.append('upload', new Blob([new Uint8Array(FILES.jpeg)]), 'a.jpg');
          return form;
        },
        400,
        'INVALID_PARAMETER',
        'the field file',
      ],
      [
        'with an overlong field',
        () => formOf(FILES.jpeg, { ...FIELDS, note: 'x'.repeat(70_000) }),
        400,
        'INVALID_PARAMETER',
        'too long',
      ],
      [
        'with hostile field names',
        () => formOf(FILES.jpeg, { ['__proto__']: 'x', constructor: 'y' }),
        400,
        'MISSING_FIELD',
        'to is required',
      ],
    ])('leaves no file: %s', async (_what, form, status, code, text) => {
      const answer = await send(form());
      expect(answer).toMatchObject({
        status,
        body: { success: false, code, requestId: expect.stringMatching(/^req_/) },
      });
      expect(answer.body['message']).toContain(text);
    });

    it.each([
      ['a value', 'name="caption"', 'caf\xe9'],
      ['the name of a field', 'name="caf\xe9"', 'x'],
      ['the name of a file', 'name="file"; filename="caf\xe9.jpg"', 'x'],
      ['U+FFFD as a value', 'name="caption"', 'caf\xef\xbf\xbd'],
      ['U+FFFD in the name of a field', 'name="caf\xef\xbf\xbd"', 'x'],
      ['U+FFFD in the name of a file', 'name="file"; filename="caf\xef\xbf\xbd.jpg"', 'x'],
    ])('leaves no file if %s is not UTF-8', async (_what, disposition, value) => {
      const part = (about: string, content: string): Buffer =>
        Buffer.from(`--b\r\nContent-Disposition: form-data; ${about}\r\n\r\n${content}\r\n`, 'latin1');
      const parts = [
        part('name="to"', FIELDS.to),
        part('name="type"', 'image'),
        part(disposition, value),
        part('name="file"; filename="a.jpg"', FILES.jpeg.toString('latin1')),
      ];
      const body = Buffer.concat([...parts, Buffer.from('--b--\r\n')]);
      const answer = await call(`${gateway.url}/v1/messages/send`, {
        key: customer.apiKey,
        body,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      });
      expect(answer).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_PARAMETER',
          message: expect.stringMatching(/^the form cannot be read: .* not valid UTF-8$/) as string,
        },
      });
    });

    it.each([
      ['no boundary', 'multipart/form-data', 'x'],
      ['no parts', 'multipart/form-data; boundary=b', ''],
      [
        'a field without a name',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data\r\n\r\n9198\r\n--b--\r\n',
      ],
      [
        'a file without a name',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; filename="a.jpg"\r\n\r\nabc\r\n--b--\r\n',
      ],
      [
        'an incomplete body',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="to"\r\n\r\n9198',
      ],
      [
        'an incomplete file',
        'multipart/form-data; boundary=b',
        '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      ],
    ])('leaves no file for a form with %s', async (_what, contentType, body) => {
      const answer = await call(`${gateway.url}/v1/messages/send`, {
        key: customer.apiKey,
        method: 'POST',
        headers: { 'content-type': contentType },
        body,
      });
      expect(answer).toMatchObject({ status: 400, body: { success: false, code: 'INVALID_PARAMETER' } });
    });

    it('leaves no file if its sender disconnects', async () => {
      const { hostname, port } = new URL(gateway.url);
      const socket = connect(Number(port), hostname);
      socket.write(headOf(10 * MIB) + partsBefore());
      socket.write(FILES.jpeg);
      await eventually(async () => expect((await blobs()).length).toBeGreaterThan(before.length));
      socket.destroy();
    });

    it('leaves no file if it arrives too slowly', async () => {
      // With this deadline, a large file of another test could arrive too late on a busy machine.
      const impatient = await startGateway({ settings: { UPLOAD_TIMEOUT_SECONDS: 1 } });
      const head = headOf(10 * MIB, (await impatient.customer()).apiKey);
      const begun = `${head}${partsBefore()}${FILES.jpeg.toString('latin1').slice(0, 50)}`;
      const answer = parseAnswer(await exchangeBytes(impatient.url, begun, { closeAfterMs: 2_500 }));
      await impatient.close();
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PARAMETER', message: 'the form cannot be read: it did not arrive in time' },
      });
    });

    it('returns 403 before its body is read if the plan lacks the feature', async () => {
      const starter = await gateway.customer({ plan: 'starter' });
      // Sends only the head; the response arrives nevertheless.
      const text = await exchangeBytes(gateway.url, headOf(10 * MIB, starter.apiKey), { closeAfterMs: 1_000 });
      expect(parseAnswer(text)).toMatchObject({
        status: 403,
        body: { code: 'FEATURE_NOT_IN_PLAN', message: expect.stringContaining('feature not available in your plan') },
      });
      const link = { to: FIELDS.to, type: 'image', image: { link: 'https://example.com/a.jpg' } };
      expect(await call(`${gateway.url}/v1/messages/send`, { key: starter.apiKey, body: link })).toMatchObject({
        status: 403,
        body: { code: 'FEATURE_NOT_IN_PLAN' },
      });
    });

    it('is rejected on routes that accept no files', async () => {
      const response = await fetch(`${gateway.url}/v1/otp/verify`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.apiKey}` },
        body: formOf(FILES.jpeg),
      });
      expect(response.status).toBe(415);
      expect(await response.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    });
  });

  it('is deleted by the gateway only if messaging never received it', async () => {
    const before = await blobs();
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    expect((await send(formOf(FILES.jpeg))).status).toBe(503);
    expect(await blobs()).toEqual(before);
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('WINDOW_CLOSED');
    });
    expect((await send(formOf(FILES.jpeg))).status).toBe(400);
    expect(await blobs()).toHaveLength(before.length + 1);
  });

  it('is deleted if its send could not be audited', async () => {
    const browser = await signedIn(gateway, customer.accountId, 'admin');
    const before = await blobs();
    const { dataSource } = gateway.database;
    await dataSource.query("ALTER TABLE audit_log ADD CONSTRAINT no_sends CHECK (action <> 'message.send') NOT VALID");
    const answer = await browser.call('POST', '/console/v1/messages/send', { body: formOf(FILES.jpeg) });
    await dataSource.query('ALTER TABLE audit_log DROP CONSTRAINT no_sends');
    expect([answer.status, sent()]).toEqual([500, []]);
    expect(await blobs()).toEqual(before);
  });

  it('is sent once per Idempotency-Key with any multipart boundary', async () => {
    const headers = { 'idempotency-key': `upload-${randomBytes(4).toString('hex')}` };
    const first = await send(formOf(FILES.jpeg), { headers });
    const before = await blobs();
    const again = await send(formOf(FILES.jpeg), { headers });
    expect([again.body, again.headers.get('idempotency-replay')]).toEqual([first.body, 'true']);
    const reversed = formOf(FILES.jpeg, Object.fromEntries(Object.entries(FIELDS).reverse()));
    expect((await send(reversed, { headers })).headers.get('idempotency-replay')).toBe('true');
    const named = ['to', 'caption', 'from', 'clientRef'].map((name) => ({ ...FIELDS, [name]: '919812345679' }));
    const quoting = { ...FIELDS, context: '{"messageId":"wamid.b"}' };
    for (const other of [formOf(FILES.png), ...[quoting, ...named].map((each) => formOf(FILES.jpeg, each))])
      expect(await send(other, { headers })).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } });
    expect(sent()).toHaveLength(1);
    expect(await blobs()).toEqual(before);
  });

  const headOf = (bytes: number, key = customer.apiKey): string =>
    `POST /v1/messages/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${bytes}\r\n\r\n`;
  const partsBefore = (): string =>
    Object.entries(FIELDS)
      .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join('') + '--b\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n';
});
