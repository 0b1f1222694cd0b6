import { type Receiver, startReceiver } from '@switchboard/testing';
import { createClient } from './client';
import { ApiError, ConnectionError } from './errors';

const TEXT = { to: '919812345678', type: 'text', text: { body: 'hi' } } as const;
const SENT = { success: true, message_id: 'wamid.1', status: 'accepted', id: 'msg_1' };
const refusal = (code: string, more = {}): object => ({
  success: false,
  message: 'no',
  code,
  requestId: 'req_1',
  ...more,
});

interface Planned {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Never responds. */
  silent?: boolean;
  /** Closes the connection without a response. */
  hangUp?: boolean;
}

describe('client', () => {
  let server: Receiver;

  beforeAll(async () => {
    server = await startReceiver();
  });
  afterAll(() => server.close());

  /** Queues the server's responses; the last one repeats. */
  const plan = (...answers: Planned[]): void => {
    server.received.length = 0;
    server.respondWith((_request, response) => {
      const {
        status = 200,
        body = SENT,
        headers = {},
        silent,
        hangUp,
      } = answers[Math.min(server.received.length, answers.length) - 1] ?? {};
      if (hangUp) return void response.socket?.destroy();
      if (!silent)
        response
          .writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
          .end(JSON.stringify(body));
    });
  };
  const client = (options = {}) => createClient({ baseUrl: `${server.url}/v1`, apiKey: 'sb_live_x', ...options });
  const keys = () => server.received.map(({ headers }) => headers['idempotency-key']);

  it('keeps unknown fields', async () => {
    plan({ body: { ...SENT, later: { more: true } } });
    expect(await client().sendMessage(TEXT)).toEqual({ ...SENT, later: { more: true } });
  });

  it('sends JSON with the API key and returns the response', async () => {
    plan({});
    expect(await client().sendMessage(TEXT)).toEqual(SENT);
    const [request] = server.received;
    expect([request?.method, request?.path, request?.headers.authorization]).toEqual([
      'POST',
      '/v1/messages/send',
      'Bearer sb_live_x',
    ]);
    expect([request?.headers['content-type'], JSON.parse(String(request?.body))]).toEqual(['application/json', TEXT]);
    expect(request?.headers.accept).toBe('application/json');
  });

  it.each(['', '/', '/v1', '/v1/'])('accepts a base URL that ends with %j', async (end) => {
    plan({});
    await createClient({ baseUrl: `${server.url}${end}`, apiKey: 'x' }).getMe();
    expect(server.received[0]?.path).toBe('/v1/me');
  });

  it('sends parameters in the path and the query', async () => {
    plan({});
    await client().getJob({ jobId: 'job_1/../x' });
    await client().listMessages({ page: 2, direction: 'outbound', phone: undefined });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/v1/jobs/job_1%2F..%2Fx',
      '/v1/messages?page=2&direction=outbound',
    ]);
    await expect(client().getJob({ jobId: '' })).rejects.toThrow('jobId is required');
    await expect(client().getJob({ jobId: '..' })).rejects.toThrow('jobId is not an id');
  });

  it('sends query parameters of POST and DELETE requests', async () => {
    plan({});
    const input = { phone: '919812345678', from: '15550783881' };
    await client().blockPerson(input);
    await client().unblockPerson(input);
    expect(server.received.map(({ method, path, body }) => [method, path, String(body)])).toEqual([
      ['POST', '/v1/contacts/919812345678/block?from=15550783881', ''],
      ['DELETE', '/v1/contacts/919812345678/block?from=15550783881', ''],
    ]);
  });

  it('throws API errors with all their details', async () => {
    plan({
      status: 400,
      body: refusal('OTP_INVALID', { details: [{ field: 'otp', message: 'wrong' }], attemptsRemaining: 3 }),
    });
    const error = await client()
      .verifyOtp({ phone: '919812345678', otp: '482913' })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 400,
      code: 'OTP_INVALID',
      message: 'no',
      requestId: 'req_1',
      details: [{ field: 'otp', message: 'wrong' }],
      body: { attemptsRemaining: 3 },
    });
    expect(server.received).toHaveLength(1);
  });

  it('exposes the retry delay returned by the API', async () => {
    plan({ status: 429, body: refusal('RATE_LIMITED'), headers: { 'retry-after': '120' } });
    await expect(client().getMe()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 120 });
    expect(server.received).toHaveLength(1);
  });

  it.each([429, 502, 503, 504])('retries a %i with the same Idempotency-Key', async (status) => {
    plan({ status, body: refusal('X') }, { status, body: refusal('X') }, {});
    expect(await client().sendMessage(TEXT)).toEqual(SENT);
    expect(server.received).toHaveLength(3);
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set(keys()).size).toBe(1);
  });

  it('uses a new or given key per call, and none on reads', async () => {
    plan({});
    await client().sendMessage(TEXT);
    await client().sendMessage(TEXT);
    await client().sendMessage(TEXT, { idempotencyKey: 'order-1' });
    await client().getMe();
    expect(new Set(keys().slice(0, 2)).size).toBe(2);
    expect(keys().slice(2)).toEqual(['order-1', undefined]);
  });

  it('waits for the Retry-After delay', async () => {
    plan({ status: 503, body: refusal('UNAVAILABLE'), headers: { 'retry-after': '1' } }, {});
    await client().sendMessage(TEXT);
    const [first, second] = server.received;
    expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThanOrEqual(1000);
  });

  it('does not retry a POST without a key after an unknown outcome', async () => {
    for (const unknown of [{ status: 504, body: refusal('UPSTREAM_TIMEOUT') }, { hangUp: true }]) {
      plan(unknown, {});
      await expect(client().sendMessage(TEXT, { idempotencyKey: null })).rejects.toThrow();
      expect(keys()).toEqual([undefined]);
    }
  });

  it('stops after the maximum number of retries', async () => {
    plan({ status: 503, body: refusal('UNAVAILABLE') });
    await expect(client({ maxRetries: 1 }).getMe()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(server.received).toHaveLength(2);
  });

  it('retries a broken connection with the same key', async () => {
    plan({ hangUp: true }, {});
    expect(await client().sendMessage(TEXT)).toEqual(SENT);
    expect([keys().length, new Set(keys()).size]).toEqual([2, 1]);
    plan({ hangUp: true });
    await expect(client({ maxRetries: 0 }).getMe()).rejects.toMatchObject({ name: 'ConnectionError', timedOut: false });
  });

  it('aborts an attempt after the timeout', async () => {
    plan({ silent: true });
    const error = await client({ timeoutMs: 50, maxRetries: 1 })
      .getMe()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ timedOut: true, message: 'no answer within 50 ms' });
    expect(server.received).toHaveLength(2);
  });

  it('polls a running attempt beyond maxRetries with the same key', async () => {
    const running = { status: 409, body: refusal('IDEMPOTENCY_IN_PROGRESS') };
    plan(running, running, running, {});
    expect(await client({ maxRetries: 1 }).sendMessage(TEXT)).toEqual(SENT);
    expect([keys().length, new Set(keys()).size]).toEqual([4, 1]);
    plan(running);
    await expect(client({ maxRetries: 0 }).sendMessage(TEXT)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_IN_PROGRESS',
    });
    expect(server.received).toHaveLength(1);
  });

  it('stops on abort during a call and between retries', async () => {
    const during = new AbortController();
    plan({ silent: true });
    const call = client().getMe({}, { signal: during.signal });
    setTimeout(() => during.abort(), 30);
    await expect(call).rejects.toMatchObject({ name: 'AbortError' });

    const between = new AbortController();
    plan({ status: 503, body: refusal('UNAVAILABLE'), headers: { 'retry-after': '30' } });
    const waiting = client().getMe({}, { signal: between.signal });
    setTimeout(() => between.abort(), 100);
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('wraps responses that are not from the API', async () => {
    plan({ status: 404, body: 'gone', headers: { 'content-type': 'text/html' } });
    await expect(client().getMe()).rejects.toMatchObject({
      status: 404,
      code: 'UNKNOWN',
      message: 'the server answered 404',
    });
  });

  it('iterates a list by page and by item', async () => {
    const page = (ids: string[], nextCursor: string | null) => ({
      body: {
        success: true,
        warnings: [{ field: 'x' }],
        messages: ids.map((id) => ({ id })),
        pagination: { nextCursor },
      },
    });
    const pages = [page(['a', 'b'], 'c1'), page(['c'], 'c2'), page([], null)];
    plan(...pages);
    const ids: string[] = [];
    for await (const message of client().items('listMessages', { direction: 'outbound', limit: 2 }))
      ids.push(message.id);
    expect(ids).toEqual(['a', 'b', 'c']);
    const query = '/v1/messages?direction=outbound&limit=2';
    expect(server.received.map(({ path }) => path)).toEqual([query, `${query}&cursor=c1`, `${query}&cursor=c2`]);

    plan(...pages);
    for await (const { messages } of client().pages('listMessages')) if (messages.length === 1) break;
    expect(server.received).toHaveLength(2);
  });
});
