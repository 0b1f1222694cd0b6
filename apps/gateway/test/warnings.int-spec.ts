import { createJobV1, newId, sendMessageV1 } from '@switchboard/contracts';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const SEND = { to: '919812345678', type: 'text', text: { body: 'Hello' } };

/** Returns the expected warning about an unknown name. */
const unknown = (field: string, kind = 'field'): object => ({
  field,
  message: `${field} is not a known ${kind} and was ignored`,
});

const REPEATED = (field: string): string => `${field} is there more than once: the last one counts`;

describe('warnings about unknown names', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());

  const send = (
    body: unknown,
    { query = '', headers = {} }: { query?: string; headers?: Record<string, string> } = {},
  ) => call(`${gateway.url}/v1/messages/send${query}`, { key: customer.apiKey, body, headers });

  it('contain the position in a list', async () => {
    const { status, body } = await send(
      { ...SEND, text: { body: 'Hello', bold: true }, client_ref: 'order-7' },
      { query: '?debug=1' },
    );
    expect([status, body.warnings]).toEqual([
      200,
      [
        unknown('text.bold'),
        {
          field: 'client_ref',
          message: 'client_ref is not a known field and was ignored; did you mean clientRef?',
        },
        unknown('debug', 'query parameter'),
      ],
    ]);
    expect((await send(SEND)).body).not.toHaveProperty('warnings');
    expect(gateway.fakes.of(sendMessageV1)).toHaveLength(2);
  });

  it('cover fields of another message type', async () => {
    const image = { link: 'https://example.com/a.png' };
    expect((await send({ ...SEND, image, template: 7 })).body.warnings).toEqual([
      unknown('image'),
      unknown('template'),
    ]);
    const bulk = await call(`${gateway.url}/v1/messages/send/bulk`, {
      key: customer.apiKey,
      body: { recipients: [SEND.to], type: 'text', text: { body: 'x' }, image },
    });
    expect([bulk.status, bulk.body.warnings]).toEqual([201, [unknown('image')]]);
  });

  it.each<[string, object[]]>([
    ['"__proto__":{"x":1}', [unknown('__proto__')]],
    ['"constructor":{"prototype":{"x":1}}', [unknown('constructor')]],
    ['"constructor":{"name":1}', [unknown('constructor')]],
    ['"text":{"body":"x","__proto__":{"x":1}}', [unknown('text.__proto__')]],
    ['"text":{"body":"x","constructor":{"x":1}}', [unknown('text.constructor')]],
    ['"clientRef":"a","clientRef":"b"', [{ field: 'clientRef', message: REPEATED('clientRef') }]],
    ['"text":{"body":"x","body":"y"}', [{ field: 'text.body', message: REPEATED('text.body') }]],
    [
      '"text":{"body":"x","previewUrl":true,"preview_url":false}',
      [{ field: 'text.preview_url', message: 'text.preview_url was ignored: text.previewUrl is given as well' }],
    ],
  ])('cover names dropped from the members %s', async (members, warnings) => {
    const text = members.includes('"text"') ? '' : '"text":{"body":"Hello"},';
    const response = await fetch(`${gateway.url}/v1/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' },
      body: `{"to":"${SEND.to}","type":"text",${text}${members}}`,
    });
    expect([response.status, await response.json()]).toMatchObject([200, { warnings }]);
    const sent = gateway.fakes.of(sendMessageV1).at(-1);
    if (members.startsWith('"clientRef"')) expect(sent).toMatchObject({ message: { clientRef: 'b' } });
    if (members.includes('"body":"y"')) expect(sent).toMatchObject({ message: { text: { body: 'y' } } });
  });

  it('cover a limit above 100 in each list', async () => {
    const ofPerson = 'conversations/919812345678/messages';
    const lists = ['messages', 'contacts', 'conversations', ofPerson, 'jobs', `jobs/${newId('job')}/recipients`];
    for (const path of [...lists.map((list) => `${list}?`), 'contacts/search?q=asha&']) {
      const read = async (limit: string) =>
        (await call(`${gateway.url}/v1/${path}limit=${limit}`, { key: customer.apiKey })).body;
      expect((await read('1000')).warnings).toEqual([
        { field: 'limit', message: 'limit is at most 100: the page has 100 items at most' },
      ]);
      expect(await read('100')).not.toHaveProperty('warnings');
    }
  });

  it('are replaced by an error for a second, different caption', async () => {
    const image = { link: 'https://example.com/a.png', caption: 'one' };
    const media = { to: SEND.to, type: 'image', image };
    expect((await send({ ...media, caption: 'one' })).status).toBe(200);
    for (const caption of ['two', '']) {
      const { status, body } = await send({ ...media, caption });
      expect([status, body.code, body.message]).toEqual([
        400,
        'INVALID_PARAMETER',
        'caption must be given once: image.caption differs from it',
      ]);
    }
    const bulk = { recipients: [SEND.to], type: 'image', image, caption: 'two' };
    expect((await call(`${gateway.url}/v1/messages/send/bulk`, { key: customer.apiKey, body: bulk })).status).toBe(400);
  });

  it('contain at most ten names and shorten long ones', async () => {
    const { status, body } = await send({
      ...SEND,
      [`${'x'.repeat(99)}😀${'x'.repeat(5_000)}`]: 1,
      ...Object.fromEntries(Array.from({ length: 900 }, (_unused, index) => [`more${index}`, index])),
    });
    const warnings = body.warnings as { field: string; message: string }[];
    expect([status, warnings.length]).toEqual([200, 10]);
    expect(warnings[0]).toEqual(unknown(`${'x'.repeat(99)}…`));
  });

  it('are included in a stored response', async () => {
    const repeat = () => send({ ...SEND, colour: 'red' }, { headers: { 'idempotency-key': 'warned' } });
    const [first, second] = [await repeat(), await repeat()];
    expect([second.headers.get('idempotency-replay'), second.body]).toEqual(['true', first.body]);
    expect(second.body.warnings).toEqual([unknown('colour')]);
  });

  it('cover bulk calls and forms, except caller-defined names', async () => {
    const components = [{ type: 'body', parametres: [] }];
    const before = gateway.fakes.of(createJobV1).length;
    const recipients = [
      SEND.to,
      { to: '919812345679', variables: { name: 'Asha' }, fone: 'x' },
      { to: '919812345670', components },
    ];
    const bulk = await call(`${gateway.url}/v1/messages/send/bulk`, {
      key: customer.apiKey,
      body: { recipients, type: 'text', text: { body: 'Hello' } },
    });
    expect([bulk.status, bulk.body.warnings, gateway.fakes.of(createJobV1).length - before]).toEqual([
      201,
      [unknown('recipients.1.fone'), unknown('recipients.2.components.0.parametres')],
      1,
    ]);
    const unsafe = await call(`${gateway.url}/v1/messages/send/bulk`, {
      key: customer.apiKey,
      body: `{"recipients":["${SEND.to}"],"type":"text","text":{"body":"x"},"__proto__":{"x":1},"constructor":{"x":1}}`,
    });
    expect([unsafe.status, unsafe.body.warnings]).toEqual([
      201,
      expect.arrayContaining([unknown('__proto__'), unknown('constructor')]),
    ]);
    const form = new FormData();
    const fields = { to: SEND.to, type: 'document', title: 'x', ['__proto__']: 'x' };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob(['%PDF-1.4\n']), 'a.pdf');
    const response = await fetch(`${gateway.url}/v1/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${customer.apiKey}` },
      body: form,
    });
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { warnings: [unknown('title'), unknown('__proto__')] },
    ]);
  });

  it('cover calls without a body', async () => {
    const { status, body } = await call(`${gateway.url}/v1/jobs/${newId('job')}/pause`, {
      key: customer.apiKey,
      body: { reason: 'lunch', ['__proto__']: 1 },
    });
    expect([status, body.warnings]).toEqual([200, [unknown('__proto__'), unknown('reason')]]);
  });

  it('are absent from errors', async () => {
    const { status, body } = await send({ type: 'text', text: { body: 'Hello' }, colour: 'red' });
    expect([status, body.code, 'warnings' in body]).toEqual([400, 'MISSING_FIELD', false]);
  });
});
