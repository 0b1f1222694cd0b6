import { createHash } from 'node:crypto';
import { createBlobStore } from '@switchboard/blobs';
import {
  AppError,
  changeContactV1,
  contactSample,
  getContactV1,
  getMediaV1,
  getMessageV1,
  listContactsV1,
  listConversationMessagesV1,
  listConversationsV1,
  listEventsV1,
  listMessagesV1,
  newId,
  sendMessageV1,
} from '@switchboard/contracts';
import { type Browser, signedIn } from './support/console';
import { FILES } from './support/files';
import { type GatewayUnderTest, startGateway } from './support/gateway';

const PHONE = '919812345678';
const [MESSAGE] = listMessagesV1.sample.response.messages as [typeof getMessageV1.sample.response.message];
const text = (body: string) => ({ to: PHONE, type: 'text', text: { body } });

describe('console messages, conversations and contacts', () => {
  let gateway: GatewayUnderTest;
  let accountId: string;
  let owner: Browser & { user: { userId: string } };
  let admin: Browser;
  let viewer: Browser;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 } });
    ({ accountId } = await gateway.customer());
    [owner, admin, viewer] = [
      await signedIn(gateway, accountId),
      await signedIn(gateway, accountId, 'admin'),
      await signedIn(gateway, accountId, 'viewer'),
    ];
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const audit = (action: string): Promise<{ target: string; details: object; outcome: string }[]> =>
    gateway.database.dataSource.query(
      `SELECT target, details, outcome FROM audit_log WHERE account_id = $1 AND action = $2 ORDER BY id COLLATE "C"`,
      [accountId, action],
    );

  it("lists messages with the public API's filters", async () => {
    const query =
      'direction=outbound&status=failed&type=text&phone=919812345678&jobId=job_01jd&clientRef=a&messageId=w';
    const { status, body } = await viewer.call('GET', `/console/v1/messages?${query}&limit=7&cursor=abc`);
    expect([status, body]).toMatchObject([200, { total: 1, totalIsExact: true, nextCursor: null }]);
    expect(body.messages).toMatchObject([{ id: MESSAGE.id, text: { body: 'Your order has shipped' } }]);
    expect(gateway.fakes.of(listMessagesV1)).toEqual([
      {
        accountId,
        page: 1,
        limit: 7,
        cursor: 'abc',
        direction: 'outbound',
        status: 'failed',
        type: 'text',
        phone: PHONE,
        jobId: 'job_01jd',
        clientRef: 'a',
        upstreamId: 'w',
      },
    ]);
    expect((await viewer.call('GET', '/console/v1/messages?phone=12')).body.code).toBe('INVALID_PHONE');
    expect((await viewer.call('GET', '/console/v1/conversations?search=Asha&windowOpen=true')).status).toBe(200);
    expect(gateway.fakes.of(listConversationsV1)).toMatchObject([{ accountId, search: 'Asha', windowOpen: true }]);
    expect((await viewer.call('GET', '/console/v1/contacts?search=Asha&optedOut=false')).status).toBe(200);
    expect(gateway.fakes.of(listContactsV1)).toMatchObject([{ accountId, search: 'Asha', optedOut: false }]);
    expect((await viewer.call('GET', `/console/v1/conversations/${PHONE}/messages`)).status).toBe(200);
    expect(gateway.fakes.of(listConversationMessagesV1)).toMatchObject([{ accountId, phone: PHONE }]);
    expect((await viewer.call('GET', `/console/v1/conversations/${PHONE}`)).body.contact).toMatchObject({
      phone: PHONE,
      blocked: false,
      messageCount: 12,
    });
    expect(gateway.fakes.of(getContactV1)).toEqual([{ accountId, phone: PHONE }]);
  });

  it('shows who sent a message', async () => {
    const key = await gateway.database.dataSource.query<{ id: string; name: string }[]>(
      'SELECT id, name FROM api_keys WHERE account_id = $1 LIMIT 1',
      [accountId],
    );
    const senders = [owner.user.userId, key[0]?.id, newId('usr'), null];
    gateway.fakes.answer(listMessagesV1, () => ({
      ...listMessagesV1.sample.response,
      messages: senders.map((senderId) => ({ ...MESSAGE, jobId: senderId === null ? 'job_1' : null, senderId })),
    }));
    const { body } = await viewer.call('GET', '/console/v1/messages');
    expect((body.messages as { sentBy: object }[]).map(({ sentBy }) => sentBy)).toMatchObject([
      { kind: 'user', id: owner.user.userId, name: expect.any(String) as string },
      { kind: 'key', id: key[0]?.id, name: key[0]?.name },
      { kind: 'user', name: null },
      { kind: 'job', id: 'job_1', name: null },
    ]);
    expect(JSON.stringify((await viewer.call('GET', `/console/v1/messages/${MESSAGE.id}`)).body)).toContain('"sentBy"');
    await admin.call('POST', '/console/v1/messages/send', {
      body: text('Hello'),
      headers: { 'idempotency-key': 'who' },
    });
    expect(gateway.fakes.of(sendMessageV1).at(-1)?.senderId).toMatch(/^usr_/);
  });

  it('shows a message with its available webhook events', async () => {
    const { body } = await viewer.call('GET', `/console/v1/messages/${MESSAGE.id}`);
    expect(body).toMatchObject({ message: { id: MESSAGE.id }, webhookEvents: [{ kind: 'message_status' }] });
    expect(gateway.fakes.of(listEventsV1)).toEqual([{ accountId, limit: 100, messageId: MESSAGE.upstreamId }]);
    gateway.fakes.answer(listEventsV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    const without = await viewer.call('GET', `/console/v1/messages/${MESSAGE.id}`);
    expect([without.status, without.body.webhookEvents]).toEqual([200, null]);
    gateway.fakes.answer(getMessageV1, ({ id }) => ({ message: { ...MESSAGE, id, upstreamId: null } }));
    await viewer.call('GET', '/console/v1/messages/msg_given-up');
    expect(gateway.fakes.of(listEventsV1).at(-1)).toMatchObject({ messageId: 'msg_given-up' });
  });

  it('sends a message once per Idempotency-Key and user', async () => {
    const send = (browser: Browser, body: object, key: string) =>
      browser.call('POST', '/console/v1/messages/send', { body, headers: { 'idempotency-key': key } });
    const first = await send(admin, text('Hello'), 'k-1');
    expect([first.status, first.body.status]).toEqual([200, 'accepted']);
    const again = await send(admin, text('Hello'), 'k-1');
    expect([again.status, again.body, again.headers.get('idempotency-replay')]).toEqual([200, first.body, 'true']);
    expect(gateway.fakes.of(sendMessageV1)).toHaveLength(1);
    expect((await send(admin, text('Another'), 'k-1')).body.code).toBe('IDEMPOTENCY_MISMATCH');
    expect((await send(owner, text('Another'), 'k-1')).status).toBe(200);
    expect(gateway.fakes.of(sendMessageV1)).toHaveLength(2);
    // A rejected request had no effect, so a repeat is executed again.
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('WINDOW_CLOSED');
    });
    expect((await send(admin, text('Late'), 'k-2')).body.code).toBe('WINDOW_CLOSED');
    gateway.fakes.reset();
    expect((await send(admin, text('Late'), 'k-2')).status).toBe(200);
  });

  it('repeats the same message after a lost send outcome', async () => {
    const send = () =>
      admin.call('POST', '/console/v1/messages/send', {
        body: text('Once'),
        headers: { 'idempotency-key': 'lost' },
      });
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('UPSTREAM_TIMEOUT');
    });
    const lost = await send();
    expect(lost.status).toBe(504);
    gateway.fakes.answer(sendMessageV1, ({ messageId }) => ({ id: messageId, upstreamId: 'wamid.X' }));
    const found = await send();
    expect(found.body.id).toBe(lost.body.id);
    expect(new Set(gateway.fakes.of(sendMessageV1).map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('ignores Idempotency-Keys if the response has a secret', async () => {
    const create = () =>
      owner.call('POST', '/console/v1/keys', {
        body: { name: 'Shop' },
        headers: { 'idempotency-key': 'k-3' },
      });
    expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
    const kept: { body: string }[] = await gateway.database.dataSource.query('SELECT body FROM idempotency');
    expect(kept.filter(({ body }) => /sb_live|apiKey/.test(body ?? ''))).toEqual([]);
  });

  it('sends a file once per key if the plan allows files', async () => {
    const form = (): FormData => {
      const data = new FormData();
      for (const [name, value] of Object.entries({ to: PHONE, type: 'image', caption: 'Your receipt' }))
        data.set(name, value);
      data.set('file', new Blob([new Uint8Array(FILES.png)]), 'receipt.png');
      return data;
    };
    const send = (browser: Browser) =>
      browser.call('POST', '/console/v1/messages/send', { body: form(), headers: { 'idempotency-key': 'file' } });
    expect((await send(admin)).status).toBe(200);
    expect((await send(admin)).headers.get('idempotency-replay')).toBe('true');
    expect(gateway.fakes.of(sendMessageV1)).toMatchObject([
      {
        accountId,
        message: { to: PHONE, type: 'image' },
        upload: { mimeType: 'image/png', blobKey: expect.stringMatching(/^sent\//) },
        keepsUpload: true,
      },
    ]);
    const poor = await gateway.customer();
    await gateway.services.overrides.setOverrides(poor.accountId, { removedFeatures: ['MEDIA'] }, 'test');
    const browser = await signedIn(gateway, poor.accountId, 'admin');
    expect((await send(browser)).body.code).toBe('FEATURE_NOT_IN_PLAN');
    const link = { to: PHONE, type: 'image', image: { link: 'https://example.com/a.png' } };
    const refused = await browser.call('POST', '/console/v1/messages/send', { body: link });
    expect(refused.body.code).toBe('FEATURE_NOT_IN_PLAN');
    expect(gateway.fakes.of(sendMessageV1)).toHaveLength(1);
  });

  it('audits a send without its text and recipient', async () => {
    gateway.fakes.answer(sendMessageV1, ({ messageId }) => ({ id: messageId, upstreamId: 'wamid.X' }));
    const { body } = await admin.call('POST', '/console/v1/messages/send', { body: text('A secret offer') });
    const last = (await audit('message.send')).at(-1);
    expect(last).toEqual({ target: body.id, details: { type: 'text' }, outcome: 'done' });
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('RECIPIENT_OPTED_OUT');
    });
    await admin.call('POST', '/console/v1/messages/send', { body: text('A secret offer') });
    expect((await audit('message.send')).at(-1)).toMatchObject({ outcome: 'refused' });
    expect(JSON.stringify(await audit('message.send'))).not.toMatch(/secret offer|919812345678/);
  });

  it("serves a customer's file without executing it", async () => {
    const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const id = newId('med');
    const blobKey = `inbound/${accountId}/${id}`;
    await (await createBlobStore(gateway.config)).put(
      blobKey,
      (async function* () {
        yield bytes;
      })(),
    );
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const answered = async (mimeType: string, headers: Record<string, string> = {}): Promise<Response> => {
      gateway.fakes.answer(getMediaV1, () => ({
        mimeType,
        bytes: bytes.length,
        sha256,
        filename: 'x.svg',
        blobKey,
      }));
      return fetch(`${gateway.url}/console/v1/media/${id}`, { headers: { cookie: viewer.cookie, ...headers } });
    };
    for (const mimeType of ['image/svg+xml', 'text/html', 'text/html\r\nX-Evil: 1', 'application/xhtml+xml']) {
      const answer = await answered(mimeType);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': 'application/octet-stream',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox') as string,
        'content-disposition': 'attachment; filename="x.svg"',
      });
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    }
    const part = await answered('image/png', { range: 'bytes=0-3' });
    expect([part.status, part.headers.get('content-type'), await part.text()]).toEqual([206, 'image/png', '<svg']);
    const unchanged = await answered('image/png', { 'if-none-match': `"${sha256}"` });
    expect(unchanged.status).toBe(304);
    expect((await fetch(`${gateway.url}/console/v1/media/${id}`)).status).toBe(401);
  });

  it('renames contacts and changes opt-outs, audited', async () => {
    const { id } = contactSample;
    const path = `/console/v1/contacts/${id}`;
    expect((await admin.call('PATCH', path, { body: { name: 'Mrs R' } })).status).toBe(200);
    expect((await admin.call('PATCH', path, { body: { name: 'x'.repeat(129) } })).status).toBe(422);
    await admin.call('POST', `${path}/opt-out`, { body: { scope: 'marketing' } });
    await admin.call('POST', `${path}/opt-out`, { body: { scope: 'everything' } });
    expect((await admin.call('POST', `${path}/opt-out`, { body: { scope: 'x' } })).status).toBe(400);
    expect((await admin.call('POST', `${path}/opt-in`)).body.contact).toMatchObject({ id });
    expect(gateway.fakes.of(changeContactV1)).toEqual([
      { accountId, contactId: id, name: 'Mrs R' },
      { accountId, contactId: id, optedOut: true, userId: expect.stringMatching(/^usr_/) as string },
      { accountId, contactId: id, optedOut: true, blocked: true, userId: expect.stringMatching(/^usr_/) as string },
      { accountId, contactId: id, optedOut: false, blocked: false },
    ]);
    expect(await audit('contact.change')).toEqual([{ target: id, details: { name: 'changed' }, outcome: 'done' }]);
    expect(await audit('contact.opt-out')).toMatchObject([
      { details: { scope: 'marketing' } },
      { details: { scope: 'everything' } },
    ]);
    for (const [method, below] of [
      ['PATCH', ''],
      ['POST', '/opt-out'],
      ['POST', '/opt-in'],
    ] as const)
      expect((await viewer.call(method, path + below, { body: { name: 'x', scope: 'marketing' } })).status).toBe(403);
    expect((await admin.call('POST', '/console/v1/contacts/erase', { body: { phone: PHONE } })).status).toBe(403);
  });

  it('succeeds if messaging fails after the change', async () => {
    const before = getContactV1.sample.response;
    const id = before.contact.id;
    const asked: string[] = [];
    gateway.fakes.answer(getContactV1, () => {
      if (asked.length > 0) throw new AppError('UNAVAILABLE');
      return before;
    });
    gateway.fakes.answer(changeContactV1, () => {
      asked.push('change');
      return { contact: { ...contactSample, name: 'Mrs R', optedOut: true }, blocked: true };
    });
    const { status, body } = await admin.call('PATCH', `/console/v1/contacts/${id}`, { body: { name: 'Mrs R' } });
    expect([status, body.contact]).toMatchObject([
      200,
      { name: 'Mrs R', blocked: true, messageCount: before.messageCount },
    ]);
    expect((await admin.call('POST', `/console/v1/contacts/${id}/opt-in`)).status).toBe(503);
    expect(asked).toEqual(['change']);
  });
});
