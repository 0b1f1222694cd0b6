import { uploadResumably } from '@switchboard/upstream';
import { eventually } from '@switchboard/testing';
import { ACCESS_TOKEN, startSimulator, type StartedSimulator, WABA_ID } from './start-simulator';

let simulator: StartedSimulator;
beforeEach(async () => {
  simulator = await startSimulator();
});
afterEach(() => simulator.close());

const file = Buffer.alloc(400_000, 'a png, as far as the simulator cares');
const open = (query: string) => simulator.graph('POST', `app/uploads?${query}`);
const OPEN = `file_name=a.png&file_length=${file.length}&file_type=image/png`;

async function openSession(query = OPEN): Promise<string> {
  const { status, body } = await open(query);
  expect([status, body]).toEqual([200, { id: expect.stringMatching(/^upload:[\w-]+\?sig=[\w-]+$/) }]);
  return String(body.id);
}

async function put(
  uploadId: string,
  bytes: Buffer,
  headers: Record<string, string> = { file_offset: '0' },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${simulator.url}/v24.0/${uploadId}`, {
    method: 'POST',
    headers: { authorization: `OAuth ${ACCESS_TOKEN}`, 'content-type': 'application/octet-stream', ...headers },
    body: new Uint8Array(bytes),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const upload = () =>
  uploadResumably(simulator.client, {
    accessToken: ACCESS_TOKEN,
    filename: 'a.png',
    mimeType: 'image/png',
    bytes: file.length,
    open: async (offset) =>
      (async function* () {
        yield file.subarray(offset);
      })(),
  });

const create = (format: string, ...handles: string[]) =>
  simulator.graph('POST', `${WABA_ID}/message_templates`, {
    name: 'with_header',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      { type: 'HEADER', format, ...(handles.length > 0 && { example: { header_handle: handles } }) },
      { type: 'BODY', text: 'Your order is ready.' },
    ],
  });

describe('a header sample', () => {
  it('is uploaded, used in a template, and listed by URL', async () => {
    expect((await create('IMAGE', await upload())).status).toBe(200);
    const { body } = await simulator.graph('GET', `${WABA_ID}/message_templates?name=with_header`);
    const [{ components }] = body.data as [{ components: [{ example: { header_handle: [string] } }] }];
    const [address] = components[0].example.header_handle;
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    const answer = await fetch(address);
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await answer.arrayBuffer()).equals(file)).toBe(true);
  });

  it('must be uploaded again for each edit', async () => {
    await create('IMAGE', await upload());
    await eventually(() => expect(simulator.changes('message_template_status_update').length).toBe(1));
    const listed = await simulator.graph('GET', `${WABA_ID}/message_templates?name=with_header`);
    const [{ id, components }] = listed.body.data as [{ id: string; components: [object, object] }];
    const edit = (header: object) =>
      simulator.graph('POST', id, { components: [header, { type: 'BODY', text: 'Your order waits for you.' }] });
    expect(await edit(components[0])).toMatchObject({ status: 400, body: { error: { error_subcode: 2388273 } } });
    const header = { type: 'HEADER', format: 'IMAGE', example: { header_handle: [await upload()] } };
    expect(await edit(header)).toEqual({ status: 200, body: { success: true } });
  });

  it('resumes after a broken connection', async () => {
    await simulator.control('faults', { uploadBreaks: 1 });
    const uploadId = await openSession();
    await expect(put(uploadId, file)).rejects.toThrow();
    await simulator.control('faults', {});
    const { body } = await simulator.graph('GET', uploadId);
    expect(body.file_offset).toBeGreaterThan(0);
    const offset = Number(body.file_offset);
    expect(offset).toBeLessThan(file.length);
    const { status, body: done } = await put(uploadId, file.subarray(offset), { file_offset: String(offset) });
    expect([status, done]).toEqual([200, { h: expect.stringMatching(/^4::/) }]);
  });

  it('survives broken connections with the resuming client', async () => {
    await simulator.control('faults', { uploadBreaks: 0.5 });
    await eventually(async () => expect(await upload()).toMatch(/^4::/));
  });

  it.each([
    ['without a type', `file_length=10`],
    ['of a type that is no sample', 'file_length=10&file_type=image/gif'],
    ['without a length', 'file_type=image/png'],
    ['that is too large', 'file_type=image/png&file_length=5242881'],
    ['that is empty', 'file_type=image/png&file_length=0'],
  ])('is rejected %s', async (_what, query) => {
    expect(await open(query)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  });

  it('rejects a wrong offset, excess bytes, and an invalid signature or token', async () => {
    const uploadId = await openSession();
    expect(await put(uploadId, file, {})).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    expect(await put(uploadId, file, { file_offset: '1' })).toMatchObject({
      status: 400,
      body: { error: { message: '(#100) The header file_offset is 1, but the upload is at 0.' } },
    });
    const more = Buffer.concat([file, Buffer.from('x')]);
    expect(await put(uploadId, more)).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    expect(await put(uploadId, file, { file_offset: '0', authorization: 'OAuth wrong' })).toMatchObject({
      status: 401,
      body: { error: { code: 190 } },
    });
    expect(await put(`${uploadId}x`, file)).toMatchObject({ status: 400, body: { error: { error_subcode: 33 } } });
    expect((await put(uploadId, file)).status).toBe(200);
  });
});

describe('a template with a file header', () => {
  it('is rejected when the sample is missing, unknown or of another kind', async () => {
    const refused = (message: RegExp) => ({
      status: 400,
      body: { error: { code: 100, error_subcode: 2388273, error_user_msg: expect.stringMatching(message) } },
    });
    const picture = await upload();
    expect(await create('IMAGE')).toMatchObject(refused(/IMAGE header type need an example/));
    expect(await create('IMAGE', '4::made-up')).toMatchObject(refused(/no uploaded file/));
    expect(await create('VIDEO', picture)).toMatchObject(refused(/image\/png.*VIDEO/));
  });
});

it('approves and sends a template with an uploaded picture', async () => {
  await create('IMAGE', await upload());
  const { body } = await simulator.graph('GET', `${WABA_ID}/message_templates?name=with_header&fields=status`);
  expect(body.data).toMatchObject([{ status: 'PENDING' }]);
  await eventually(() =>
    expect(simulator.changes('message_template_status_update')).toMatchObject([{ event: 'APPROVED' }]),
  );
  const template = { name: 'with_header', language: { code: 'en_US' } };
  await expect(simulator.send({ template })).rejects.toMatchObject({ code: 132012 });
  const image = { link: 'https://example.com/menu.png' };
  const components = [{ type: 'header', parameters: [{ type: 'image', image }] }];
  expect(await simulator.send({ template: { ...template, components } })).toMatch(/^wamid\./);
});
