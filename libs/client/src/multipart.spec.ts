import { createReadStream, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildRequest } from './request';

const ROUTE = { method: 'POST', path: '/v1/messages/send' };
const FIELDS = { to: '919812345678', type: 'document', caption: undefined };

async function formOf(file: unknown): Promise<FormData> {
  const { headers, body } = buildRequest('http://localhost', ROUTE, { file, ...FIELDS });
  return new Response(body?.(), { headers }).formData();
}
async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
const textOf = async (form: FormData): Promise<string> => (form.get('file') as File).text();

describe('multipart upload', () => {
  it.each([
    ['bytes', Buffer.from('hello')],
    ['a blob', new Blob(['hello'])],
    ['a file', new File(['hello'], 'a.txt', { type: 'text/plain' })],
  ])('sends %s after the other fields, on every attempt', async (_what, file) => {
    const form = await formOf(file);
    expect([...form.keys()]).toEqual(['to', 'type', 'file']);
    expect(await textOf(form)).toBe('hello');
    expect(buildRequest('http://localhost', ROUTE, { file }).repeatableBody).toBe(true);
  });

  it.each([
    ['a file', () => new File(['hello'], 'receipt.pdf', { type: 'application/pdf' }), true],
    [
      'a file with another name',
      () => ({ content: new File(['hello'], 'x.bin'), filename: 'receipt.pdf', contentType: 'application/pdf' }),
      true,
    ],
    ['bytes', () => ({ content: Buffer.from('hello'), filename: 'receipt.pdf', contentType: 'application/pdf' }), true],
    ['a blob', () => ({ content: new Blob(['hello'], { type: 'application/pdf' }), filename: 'receipt.pdf' }), true],
    ['a stream', () => ({ content: bytesOf('hello'), filename: 'receipt.pdf', contentType: 'application/pdf' }), false],
  ])('keeps the name and type of %s', async (_what, file, canBeRepeated) => {
    const form = await formOf(file());
    expect(form.get('file')).toMatchObject({ name: 'receipt.pdf', type: 'application/pdf' });
    expect(await textOf(form)).toBe('hello');
    expect(buildRequest('http://localhost', ROUTE, { file: file() }).repeatableBody).toBe(canBeRepeated);
  });

  it('names a file on disk by its path or a given name', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-upload-'));
    const path = join(folder, 'Quittung für März.txt');
    writeFileSync(path, 'hello');
    try {
      const streamed = await formOf(createReadStream(path));
      expect(streamed.get('file')).toMatchObject({ name: 'Quittung für März.txt' });
      expect(await textOf(streamed)).toBe('hello');
      const blob = await formOf({ content: await openAsBlob(path), filename: 'März.txt' });
      expect(blob.get('file')).toMatchObject({ name: 'März.txt' });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each([
    ['bytes', () => Buffer.from('x')],
    ['a stream', () => bytesOf('x')],
  ])('sends non-text fields of an upload of %s as JSON', async (_what, file) => {
    const context = { messageId: 'msg_1' };
    const { headers, body } = buildRequest('http://localhost', ROUTE, { file: file(), ...FIELDS, context });
    const form = await new Response(body?.(), { headers }).formData();
    expect(form.get('context')).toBe('{"messageId":"msg_1"}');
  });

  it('keeps the file name of a stream', async () => {
    const files = { one: new File(['hello'], 'receipt.pdf', { type: 'application/pdf' }), two: bytesOf('x') };
    const { headers, body } = buildRequest('http://localhost', ROUTE, files);
    const form = await new Response(body?.(), { headers }).formData();
    expect(form.get('one')).toMatchObject({ name: 'receipt.pdf', type: 'application/pdf' });
    expect(form.get('two')).toMatchObject({ name: 'file' });
  });

  it('sends a stream once, without buffering', async () => {
    async function* content() {
      yield Buffer.from('hel');
      yield Buffer.from('lo');
    }
    const file = { content: content(), filename: 'a "b".pdf', contentType: 'application/pdf' };
    const form = await formOf(file);
    expect(form.get('file')).toMatchObject({ name: 'a "b".pdf', type: 'application/pdf' });
    expect(await textOf(form)).toBe('hello');
    expect(form.get('to')).toBe('919812345678');
    expect(buildRequest('http://localhost', ROUTE, { file }).repeatableBody).toBe(false);
  });

  it('escapes line breaks and quotes in the file name', async () => {
    const form = await formOf({
      content: bytesOf('x'),
      filename: 'a"\r\nX-Evil: 1',
      contentType: 'text/plain\r\nX-Evil: 1',
    });
    expect([...form.keys()]).toEqual(['to', 'type', 'file']);
  });
});
