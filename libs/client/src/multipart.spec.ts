import { buildRequest } from './request';

const ROUTE = { method: 'POST', path: '/v1/messages/send' };
const FIELDS = { to: '919812345678', type: 'document', caption: undefined };

/** The form that a server would read from the request. */
async function formOf(file: unknown): Promise<FormData> {
  const { headers, body } = buildRequest('http://localhost', ROUTE, { file, ...FIELDS });
  return new Response(body?.(), { headers }).formData();
}
const textOf = async (form: FormData): Promise<string> => (form.get('file') as File).text();

describe('an upload', () => {
  it.each([
    ['bytes', Buffer.from('hello')],
    ['a blob', new Blob(['hello'])],
    ['a file', new File(['hello'], 'a.txt', { type: 'text/plain' })],
  ])('of %s is sent with the other fields in front, and can be sent again', async (_what, file) => {
    const form = await formOf(file);
    expect([...form.keys()]).toEqual(['to', 'type', 'file']);
    expect(await textOf(form)).toBe('hello');
    expect(buildRequest('http://localhost', ROUTE, { file }).repeatableBody).toBe(true);
  });

  it('keeps the name of a file', async () => {
    expect((await formOf(new File(['x'], 'receipt.pdf'))).get('file')).toMatchObject({ name: 'receipt.pdf' });
  });

  it('of a stream is sent as it comes, once', async () => {
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

  it('cannot smuggle header lines in by its name', async () => {
    async function* content() {
      yield Buffer.from('x');
    }
    const form = await formOf({
      content: content(),
      filename: 'a"\r\nX-Evil: 1',
      contentType: 'text/plain\r\nX-Evil: 1',
    });
    expect([...form.keys()]).toEqual(['to', 'type', 'file']);
  });
});
