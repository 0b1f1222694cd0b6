import { eventually } from '@switchboard/testing';
import { randomUUID } from 'node:crypto';
import { newAccount } from '../support/account';
import { type Answer, get, post } from '../support/api';
import { demo } from '../support/demo';
import { done } from '../support/installation';
import { fileOf } from '../support/files';
import { LABELS } from '../support/labels';
import { contactWithOpenWindow, freshPhone, receivedUpstream, writeIn, writeInAny } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';
import { sendForm } from './calls';

const RECORD = [
  'id',
  'message_id',
  'messageId',
  'direction',
  'from',
  'userId',
  'username',
  'parentUserId',
  'to',
  'name',
  'type',
  'text',
  'caption',
  'status',
  'error',
  'pricing',
  'held',
  'origin',
  'jobId',
  ...Object.keys(LABELS),
  'timestamp',
  'createdAt',
  'sentAt',
  'deliveredAt',
  'readAt',
  'failedAt',
];
const LIMIT = 4_096;
/** Magic number of the simulator. Every send to it is rejected with 131016. */
const REFUSED_BY_UPSTREAM = '15005550116';
/** Magic number of the simulator. Every send to it is rejected with 131030. */
const NOT_ALLOWED_BY_UPSTREAM = '15005550130';

describe('chapters 3 and 5: messages and their records', () => {
  let to: string;

  beforeAll(async () => {
    to = await contactWithOpenWindow();
  }, 90_000);

  const sendText = (body: string, more: object = {}): Promise<Answer> =>
    post('/messages/send', { to, type: 'text', text: { body }, ...more });
  const recordOf = async (id: unknown): Promise<Record<string, unknown>> =>
    ((await get(`/messages?phone=${to}&limit=100`)).body['messages'] as Record<string, unknown>[]).find(
      (message) => message['id'] === id,
    ) ?? {};

  /** Returns the upstream request of a message. */
  const wireOf = async (wamid: unknown): Promise<Record<string, unknown> | undefined> =>
    (await receivedUpstream(to)).find((received) => received.wamid === wamid)?.body;

  it('1.2.1 accepts plain HTTP in local mode', async () => {
    expect(demo.baseUrl).toMatch(/^http:/);
    expect((await get('/me')).status).toBe(200);
  });

  it('1.3.1 prefixes identifiers with their kind, sortable by time', async () => {
    const { body } = await get('/me');
    const { account, apiClient } = body as { account: { id: string }; apiClient: { id: string } };
    const [first, second] = [await sendText('first'), await sendText('second')];
    const contact = (await get(`/contacts/search?q=${to}`)).body['contacts'] as [{ id: string }];
    const job = await post('/messages/send/bulk', { recipients: [to], type: 'text', text: { body: 'x' }, hold: true });
    await post(`/jobs/${String(job.body['jobId'])}/cancel`, {});
    await writeInAny({ from: to, type: 'image', image: {} });
    const media = await eventually(async () => {
      const { messages } = (await get(`/messages?phone=${to}&type=image`)).body as { messages: [{ image: object }] };
      expect(messages.length).toBe(1);
      return (messages[0].image as { id: string }).id;
    });
    const { numbers } = (await done('numbers', 'list', '--account', demo.accountId)) as { numbers: object[] };
    const ids = [account.id, apiClient.id, first.body['id'], job.body['jobId'], contact[0].id, media];
    expect(ids).toEqual(
      ['acc', 'key', 'msg', 'job', 'ct', 'med'].map((prefix) => expect.stringMatching(`^${prefix}_`) as string),
    );
    expect(JSON.stringify(numbers)).toMatch(/"num_[0-9a-z]{26}"/);
    expect(String(first.body['id']) < String(second.body['id'])).toBe(true);
  });

  it('1.3.3 returns every time in ISO 8601, UTC, with milliseconds', async () => {
    await sendText('what time is it');
    const answers = await Promise.all(
      ['/me', '/messages', '/contacts', '/conversations', '/jobs', '/templates'].map((path) => get(path)),
    );
    const times = answers.flatMap(({ body }) => timesOf(body));
    expect(times.length).toBeGreaterThan(10);
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('3.3.1 accepts a file name for documents only', async () => {
    const link = 'https://example.com/a';
    for (const type of ['image', 'video', 'audio']) {
      const { status, body } = await post('/messages/send', { to, type, [type]: { link, filename: 'a' } });
      expect([status, body['warnings']]).toMatchObject([200, [{ field: `${type}.filename` }]]);
      expect((await wireOf(body['message_id']))?.[type]).toEqual({ link });
    }
  });

  it('3.3.3 sends an unreachable link unchanged, without fetching it', async () => {
    const link = 'https://no-such-host.example.org/a.png?x=1#y';
    const { status, body } = await post('/messages/send', { to, type: 'image', image: { link } });
    expect(status).toBe(200);
    expect((await wireOf(body['message_id']))?.['image']).toEqual({ link });
  });

  it('3.3.4 accepts a caption at the top level and inside the media object', async () => {
    const link = 'https://example.com/a';
    for (const type of ['image', 'document', 'video'])
      for (const content of [{ [type]: { link }, caption: 'Hi' }, { [type]: { link, caption: 'Hi' } }]) {
        const { status, body } = await post('/messages/send', { to, type, ...content });
        expect([status, body['warnings']]).toEqual([200, undefined]);
        expect(await wireOf(body['message_id'])).toMatchObject({ type, [type]: { link, caption: 'Hi' } });
      }
  });

  it('3.4.1 accepts from, clientRef and context in a form', async () => {
    const { body: asked } = await sendText('what do you need?');
    const clientRef = randomUUID();
    const context = JSON.stringify({ messageId: asked['id'] });
    const fields = { to, type: 'image', caption: 'Hi', from: demo.phoneNumber, clientRef, context };
    const { status, body } = await sendForm('/messages/send', fields, ['file', fileOf('image', 'a.png')]);
    expect(status).toBe(200);
    expect(await recordOf(body['id'])).toMatchObject({
      from: demo.phoneNumber,
      clientRef,
      caption: 'Hi',
      context: { messageId: asked['message_id'] },
    });
  });

  it('1.3.2 returns the upstream id as message_id, in addition to id', async () => {
    const { body } = await sendText('which one?');
    expect(body).toMatchObject({
      message_id: expect.stringMatching(/^wamid\./) as string,
      id: expect.stringMatching(/^msg_/) as string,
    });
    expect((await receivedUpstream(to)).map(({ wamid }) => wamid)).toContain(body['message_id']);
  });

  it('1.4.5 sends to a number exactly as given', async () => {
    // The upstream platform reports this number without the 9.
    const brazilian = `5511${freshPhone().slice(-9).replace(/^./, '9')}`;
    const { status, body } = await post('/messages/send', {
      to: brazilian,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    expect(status).toBe(200);
    expect((await receivedUpstream(brazilian)).map(({ wamid }) => wamid)).toEqual([body['message_id']]);
    expect((await get(`/messages/${String(body['id'])}`)).body['message']).toMatchObject({ to: brazilian });
    const job = await post('/messages/send/bulk', {
      recipients: [brazilian],
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    await eventually(async () => expect((await receivedUpstream(brazilian)).length).toBe(2));
    const { body: list } = await get(`/jobs/${String(job.body['jobId'])}/recipients`);
    expect(list['recipients']).toMatchObject([{ phone: brazilian }]);
  });

  it('2.3.3 requires no plan feature for media in a template header', async () => {
    const account = await newAccount('Media of a template');
    await done('accounts', 'override', '--account', account.accountId, '--remove-feature', 'MEDIA');
    const { name } = await createTemplate([
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U='] } },
      { type: 'BODY', text: 'Good morning.' },
    ]);
    await approved(account, [name]);
    const image = { link: 'https://example.com/a.png' };
    const components = [{ type: 'header', parameters: [{ type: 'image', image }] }];
    const [phone, { apiKey }] = [freshPhone(), account];
    expect(await post('/messages/send', { to: phone, type: 'image', image }, { apiKey })).toMatchObject({
      status: 403,
      body: { code: 'FEATURE_NOT_IN_PLAN' },
    });
    const sent = await post(
      '/messages/send',
      { to: phone, type: 'template', template: { name, language: { code: 'en_US' }, components } },
      { apiKey },
    );
    expect(sent).toMatchObject({ status: 200, body: { success: true } });
    expect(await receivedUpstream(phone)).toMatchObject([
      { wamid: sent.body['message_id'], body: { template: { components } } },
    ]);
  }, 60_000);

  it('3.4.6 returns 400 for an empty file', async () => {
    const form = new FormData();
    for (const [field, value] of [
      ['to', to],
      ['type', 'image'],
    ])
      form.append(String(field), String(value));
    form.append('file', new Blob([]), 'empty.png');
    const response = await fetch(`${demo.baseUrl}/messages/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.apiKey}` },
      body: form,
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { code: 'FILE_INVALID', message: 'the file cannot be read: it is empty' },
    ]);
  });

  it('3.6.3 checks the window at the time of sending', async () => {
    const phone = freshPhone();
    const write = (): Promise<Answer> => post('/messages/send', { to: phone, type: 'text', text: { body: 'now' } });
    expect(await write()).toMatchObject({ status: 400, body: { code: 'WINDOW_CLOSED' } });
    await writeIn(phone, 'Hello');
    await eventually(async () => expect((await write()).status).toBe(200));
  });

  it('3.8.5 returns upstream errors with explanation, service code and status', async () => {
    const { status, body } = await post('/messages/send', {
      to: REFUSED_BY_UPSTREAM,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    expect({ status, body }).toMatchObject({
      status: 502,
      body: { code: 'UPSTREAM_ERROR', message: expect.stringMatching(/^the upstream platform failed: ./) as string },
    });
  });

  it('3.8.8 returns the message id with the code and explanation of an upstream error', async () => {
    const { body } = await post('/messages/send', {
      to: NOT_ALLOWED_BY_UPSTREAM,
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    const { id, error } = body as { id: string; error: object };
    expect(error).toMatchObject({ reason: 'INVALID_PARAMETER', code: 131030, message: expect.any(String) });
    expect((await get(`/messages/${id}`)).body).toMatchObject({ message: { id, status: 'failed', error } });
  });

  it('3.1.5 sends from the primary number without from', async () => {
    const { body } = await sendText('from whom?');
    expect(await recordOf(body['id'])).toMatchObject({ from: demo.phoneNumber });
  });

  it('3.2.1 sends a text of 1 or 4,096 characters unchanged', async () => {
    for (const text of ['x', 'x'.repeat(LIMIT)]) {
      const { status, body } = await sendText(text);
      expect(status).toBe(200);
      expect(await recordOf(body['id'])).toMatchObject({ text: { body: text } });
      expect(await wireOf(body['message_id'])).toMatchObject({ text: { body: text } });
    }
  });

  it('3.1.7 returns clientRef in the record', async () => {
    const clientRef = randomUUID().padEnd(128, 'x');
    const { body } = await sendText('my reference', { clientRef });
    expect(await recordOf(body['id'])).toMatchObject({ clientRef });
  });

  it('5.1.1 returns a record with exactly the documented fields', async () => {
    const { body } = await sendText('a record');
    const record = await recordOf(body['id']);
    expect(Object.keys(record).sort()).toEqual([...RECORD].sort());
    expect(record).toMatchObject({ origin: 'api', direction: 'outbound', text: { body: 'a record' } });
    const { body: inbound } = await get(`/messages?phone=${to}&direction=inbound&type=text&limit=1`);
    const [received = {}] = inbound['messages'] as Record<string, unknown>[];
    expect(Object.keys(received).sort()).toEqual([...RECORD].sort());
    expect(received).toMatchObject({ origin: 'api', direction: 'inbound' });
  });

  it('5.1.1 stores template variables as the resulting components', async () => {
    const template = { name: 'order_update', language: { code: 'en_US' } };
    const variables = { 1: 'A-17', 2: 'Monday', 'button 1': 'A-17' };
    const { status, body } = await post('/messages/send', {
      to,
      type: 'template',
      template: { ...template, variables },
    });
    expect(status).toBe(200);
    const record = await recordOf(body['id']);
    expect(record['template']).toEqual({
      ...template,
      components: [
        { type: 'body', parameters: ['A-17', 'Monday'].map((text) => ({ type: 'text', text })) },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'A-17' }] },
      ],
    });
  });

  it("5.1.7 returns the platform's pricing in the record", async () => {
    const { body } = await sendText('what does it cost');
    await eventually(async () =>
      expect(await recordOf(body['id'])).toMatchObject({
        pricing: { category: 'service', billable: false, type: 'free_customer_service', model: 'PMP' },
      }),
    );
    const { body: listed } = await get(`/messages?limit=1&direction=inbound&phone=${to}`);
    expect(listed['messages']).toMatchObject([{ direction: 'inbound', pricing: null }]);
  });

  it('5.2.1 moves a message from accepted to read and records each time', async () => {
    const { body } = await sendText('all the way');
    expect(body['status']).toBe('accepted');
    const record = await eventually(async () => {
      const found = await recordOf(body['id']);
      expect(found).toMatchObject({ status: 'read' });
      return found;
    });
    const times = ['sentAt', 'deliveredAt', 'readAt'].map((name) => String(record[name]));
    expect(times).toEqual([...times].sort());
  });
});

/** Returns the values of all time fields. */
function timesOf(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) =>
    typeof value === 'string' && (/At$/.test(name) || name === 'timestamp') ? [value] : timesOf(value),
  );
}
