import { AppError, type ErrorCode, sendMessageV1, verifyCodeV1 } from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { CleanupService } from '../src/cleanup/cleanup.service';
import { type Customer, type GatewayUnderTest, startGateway, startThreeGateways } from './support/gateway';
import { type Answer, call } from './support/http';

const SEND = { to: '919812345678', type: 'text', text: { body: 'hi' } };

describe('POST with an Idempotency-Key', () => {
  let gateways: GatewayUnderTest[];
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateways = await startThreeGateways();
    [gateway] = gateways as [GatewayUnderTest];
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(async () => {
    for (const each of [...gateways].reverse()) await each.close();
  });

  const send = (
    key: string,
    { body = SEND, at = gateway, as = customer.apiKey }: { body?: unknown; at?: GatewayUnderTest; as?: string } = {},
  ): Promise<Answer> => call(`${at.url}/v1/messages/send`, { key: as, body, headers: { 'idempotency-key': key } });
  const asked = () => gateway.fakes.of(sendMessageV1).map(({ messageId }) => String(messageId));
  const refuseOnce = (code: ErrorCode): void => {
    let refusals = 0;
    gateway.fakes.answer(sendMessageV1, () => {
      refusals += 1;
      if (refusals === 1) throw new AppError(code);
      return sendMessageV1.sample.response;
    });
  };
  /** Leaves the state of a killed process: a lease whose owner no longer exists. */
  const loseAnswer = (key: string) =>
    gateway.database.dataSource.query(
      "UPDATE idempotency SET status = NULL, body = NULL, owner = 'gone', leased_until = now() + interval '1 second' WHERE key = $1",
      [key],
    );

  it('is executed once across gateways', async () => {
    const first = await send('once');
    expect([first.status, first.headers.get('idempotency-replay')]).toEqual([200, null]);
    for (const at of gateways) {
      const again = await send('once', { at });
      expect([again.status, again.headers.get('idempotency-replay')]).toEqual([200, 'true']);
      expect(again.body).toEqual(first.body);
      expect(Number(again.headers.get('x-ratelimit-limit'))).toBe(6000);
    }
    expect(asked()).toHaveLength(1);
  });

  it('is executed once under 60 concurrent requests', async () => {
    let release: (() => void) | undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    gateway.fakes.answer(sendMessageV1, async () => {
      await held;
      return sendMessageV1.sample.response;
    });
    const answers = Array.from({ length: 60 }, (_, index) => send('together', { at: gateways[index % 3] }));
    await eventually(() => expect(asked().length).toBe(1));
    const early = await send('together');
    expect([early.status, early.body.code, early.headers.get('retry-after')]).toEqual([
      409,
      'IDEMPOTENCY_IN_PROGRESS',
      '1',
    ]);
    release?.();
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(statuses.every((status) => status === 200 || status === 409)).toBe(true);
    const replays = await Promise.all(gateways.map((at) => send('together', { at })));
    expect(new Set(replays.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(asked()).toHaveLength(1);
  });

  it('is rejected with another body', async () => {
    const body = { ...SEND, recipients: ['1', { a: 1, b: 2 }] };
    await send('mismatch', { body });
    const others = [
      { ...body, to: '919812345679' },
      { ...body, recipients: [...body.recipients].reverse() },
      { ...body, clientRef: 'a' },
    ];
    for (const other of others) {
      const { status, body: refusal } = await send('mismatch', { body: other });
      expect([status, refusal.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    }
    expect(asked()).toHaveLength(1);
  });

  it('matches despite field order, white space and escapes', async () => {
    const first = await send('same', {
      body: '{"to":"919812345678","type":"text","text":{"body":"hi","z":[{"a":1,"b":2}]}}',
    });
    expect(first.status).toBe(200);
    const again = await send('same', {
      body: ' { "text": {"z":[{"b":2.0,"a":1}], "body":"\\u0068i"}, "caption": null, "type":"text", "to":"919812345678" }\n',
    });
    expect([again.status, again.headers.get('idempotency-replay'), again.body]).toEqual([200, 'true', first.body]);
    expect(asked()).toHaveLength(1);
  });

  it('is scoped to its API client and route', async () => {
    const other = await gateway.customer();
    const [mine, theirs] = [await send('shared'), await send('shared', { as: other.apiKey })];
    expect([mine.status, theirs.status, theirs.headers.get('idempotency-replay')]).toEqual([200, 200, null]);
    const headers = { 'idempotency-key': 'shared' };
    const verify = await call(`${gateway.url}/v1/otp/verify`, {
      key: customer.apiKey,
      body: { phone: '919812345678', otp: '482913' },
      headers,
    });
    expect([verify.status, verify.headers.get('idempotency-replay')]).toEqual([200, null]);
    expect(asked()).toHaveLength(2);
  });

  it('survives a rotation of the API key', async () => {
    const { apiKey, keyId } = await gateway.customer();
    const first = await send('rotated', { as: apiKey });
    const { apiKey: next } = await gateway.services.keys.rotateKey({ keyId }, 1, 'test');
    const again = await send('rotated', { as: next });
    expect([again.headers.get('idempotency-replay'), again.body]).toEqual(['true', first.body]);
    expect((await send('rotated', { as: apiKey })).status).toBe(200);
  });

  it.each<[ErrorCode, number]>([
    ['WINDOW_CLOSED', 400],
    ['RECIPIENT_OPTED_OUT', 403],
    ['INVALID_PHONE', 422],
    ['UPSTREAM_THROTTLED', 429],
    ['UPSTREAM_ERROR', 502],
  ])('releases the key with a new message id after %s', async (code, status) => {
    refuseOnce(code);
    expect((await send(code)).status).toBe(status);
    const again = await send(code, { body: { ...SEND, text: { body: 'other' } } });
    expect([again.status, again.headers.get('idempotency-replay')]).toEqual([200, null]);
    const [first, second] = asked();
    expect(second).not.toBe(first);
    expect((await send(code)).body.code).toBe('IDEMPOTENCY_MISMATCH');
  });

  it('releases the key after a rejection by the gateway', async () => {
    expect((await send('incomplete', { body: { ...SEND, to: undefined } })).body.code).toBe('MISSING_FIELD');
    expect((await send('incomplete')).status).toBe(200);
    expect(asked()).toHaveLength(1);
  });

  it('stores a failed verification, which counts as an attempt', async () => {
    gateway.fakes.answer(verifyCodeV1, () => {
      throw new AppError('OTP_INVALID', { extra: { verified: false, attemptsRemaining: 4 } });
    });
    const verify = () =>
      call(`${gateway.url}/v1/otp/verify`, {
        key: customer.apiKey,
        body: { phone: SEND.to, otp: '482913' },
        headers: { 'idempotency-key': 'wrong' },
      });
    const first = await verify();
    const again = await verify();
    expect([first.status, first.body.code, again.headers.get('idempotency-replay')]).toEqual([
      400,
      'OTP_INVALID',
      'true',
    ]);
    expect([again.status, again.body]).toEqual([400, first.body]);
    expect(gateway.fakes.of(verifyCodeV1)).toHaveLength(1);
  });

  it.each<[ErrorCode, number]>([
    ['UPSTREAM_TIMEOUT', 504],
    ['OUTCOME_UNKNOWN', 504],
    ['UNAVAILABLE', 503],
    ['INTERNAL', 500],
  ])('keeps the message id after %s', async (code, status) => {
    refuseOnce(code);
    expect((await send(code)).status).toBe(status);
    const again = await send(code);
    expect([again.status, again.headers.get('idempotency-replay')]).toEqual([200, null]);
    const [first, second] = asked();
    expect(first).toBe(second);
  });

  it('keeps its message id and body if rejected after an unknown outcome', async () => {
    const outcomes: ErrorCode[] = ['OUTCOME_UNKNOWN', 'WINDOW_CLOSED', 'INVALID_PHONE', 'RATE_LIMITED'];
    gateway.fakes.answer(sendMessageV1, () => {
      const code = outcomes.shift();
      if (code !== undefined) throw new AppError(code);
      return sendMessageV1.sample.response;
    });
    const statuses: number[] = [];
    for (let repeat = 0; repeat < 4; repeat += 1) statuses.push((await send('after')).status);
    expect(statuses).toEqual([504, 400, 422, 429]);
    expect((await send('after', { body: { ...SEND, to: '919812345679' } })).body.code).toBe('IDEMPOTENCY_MISMATCH');
    const again = await send('after');
    expect([again.status, again.headers.get('idempotency-replay')]).toEqual([200, null]);
    expect(asked()).toHaveLength(5);
    expect(new Set(asked()).size).toBe(1);
  });

  it.each<ErrorCode>(['UPSTREAM_THROTTLED', 'UPSTREAM_ERROR'])(
    'gets a new message id after an unknown outcome and %s',
    async (code) => {
      const outcomes: ErrorCode[] = ['OUTCOME_UNKNOWN', code];
      gateway.fakes.answer(sendMessageV1, () => {
        const refusal = outcomes.shift();
        if (refusal !== undefined) throw new AppError(refusal);
        return sendMessageV1.sample.response;
      });
      for (let repeat = 0; repeat < 2; repeat += 1) await send(`failed ${code}`);
      expect((await send(`failed ${code}`)).status).toBe(200);
      const [first, second, third] = asked();
      expect([second === first, third === first]).toEqual([true, false]);
    },
  );

  it('is released if claimed after a 503', async () => {
    const other = gateway.database.dataSource.createQueryRunner();
    await other.startTransaction();
    await other.query('LOCK TABLE idempotency IN EXCLUSIVE MODE');
    expect((await send('late')).status).toBe(503);
    await other.commitTransaction();
    await other.release();
    await eventually(async () => expect((await send('late')).status).toBe(200), { timeoutMs: 3_000 });
  });

  it('keeps its id if its gateway died before a rejection', async () => {
    await send('killed-then-refused');
    await loseAnswer('killed-then-refused');
    await gateway.database.dataSource.query(
      "UPDATE idempotency SET leased_until = now() - interval '1 second' WHERE key = 'killed-then-refused'",
    );
    refuseOnce('WINDOW_CLOSED');
    expect((await send('killed-then-refused')).status).toBe(400);
    expect((await send('killed-then-refused')).status).toBe(200);
    expect(asked()).toHaveLength(3);
    expect(new Set(asked()).size).toBe(1);
  });

  it('keeps its id if its gateway died before a response', async () => {
    await send('killed');
    await loseAnswer('killed');
    expect((await send('killed')).body.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    const again = await eventually(async () => {
      const answer = await send('killed', { at: gateways[1] });
      expect(answer.status).toBe(200);
      return answer;
    });
    expect(again.headers.get('idempotency-replay')).toBeNull();
    const [first, second] = asked();
    expect(second).toBe(first);
  });

  it('renews its lease while in progress', async () => {
    let release: (() => void) | undefined;
    gateway.fakes.answer(
      sendMessageV1,
      () => new Promise((resolve) => (release = () => resolve(sendMessageV1.sample.response))),
    );
    const running = send('long');
    await eventually(() => expect(asked().length).toBe(1));
    await gateway.database.dataSource.query(
      "UPDATE idempotency SET leased_until = now() + interval '1 second' WHERE key = 'long'",
    );
    const leased = async (): Promise<number> => {
      const [row] = await gateway.database.dataSource.query<{ seconds: string }[]>(
        "SELECT extract(epoch FROM leased_until - now()) AS seconds FROM idempotency WHERE key = 'long'",
      );
      return Number(row?.seconds);
    };
    await eventually(async () => expect(await leased()).toBeGreaterThan(5));
    release?.();
    expect((await running).status).toBe(200);
  });

  it('expires after a day, with its response', async () => {
    await send('old');
    await gateway.database.dataSource.query(
      "UPDATE idempotency SET created_at = now() - interval '23 hours 59 minutes' WHERE key = 'old'",
    );
    await gateway.app.get(CleanupService).deleteBatch('idempotency');
    expect((await send('old')).headers.get('idempotency-replay')).toBe('true');
    await gateway.database.dataSource.query(
      "UPDATE idempotency SET created_at = now() - interval '24 hours 1 second' WHERE key = 'old'",
    );
    const again = await send('old', { body: { ...SEND, to: '919812345679' } });
    expect([again.status, again.headers.get('idempotency-replay')]).toEqual([200, null]);
    const [first, second] = asked();
    expect(second).not.toBe(first);

    await gateway.database.dataSource.query(
      "UPDATE idempotency SET created_at = now() - interval '24 hours 1 second' WHERE key = 'old'",
    );
    await gateway.app.get(CleanupService).deleteBatch('idempotency');
    expect(await gateway.database.dataSource.query("SELECT 1 FROM idempotency WHERE key = 'old'")).toEqual([]);
    expect((await send('once')).headers.get('idempotency-replay')).toBe('true');
  });

  it.each([
    ['x'.repeat(255), 200],
    ['x'.repeat(256), 422],
    ['', 422],
  ])('accepts only keys of 1 to 255 characters (%#)', async (key, status) => {
    const answer = await send(key);
    expect([answer.status, status === 422 ? answer.body.code : undefined]).toEqual([
      status,
      status === 422 ? 'INVALID_VALUE' : undefined,
    ]);
  });

  it('is checked only after admission', async () => {
    const unknown = await call(`${gateway.url}/v1/messages/send`, {
      body: SEND,
      headers: { 'idempotency-key': 'once' },
    });
    expect([unknown.status, unknown.headers.get('idempotency-replay')]).toEqual([401, null]);
    expect((await send('no-json', { body: '{' })).body.code).toBe('INVALID_JSON');
    expect((await send('no-json')).status).toBe(200);
  });
});

describe('POST without an Idempotency-Key', () => {
  it('is executed each time', async () => {
    const gateway = await startGateway();
    const { apiKey } = await gateway.customer();
    const answers = await Promise.all(
      [1, 2].map(() => call(`${gateway.url}/v1/messages/send`, { key: apiKey, body: SEND })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(gateway.fakes.of(sendMessageV1).map(({ messageId }) => messageId)).size).toBe(2);
    await gateway.close();
  });
});
