import {
  controlJobV1,
  createHeldJobV1,
  createCappedJobV1,
  createJobV1,
  jobFinishedV1,
  jobPausedV1,
  listRecipientsV1,
  newId,
  retryFailedV1,
  stageJobRowsV1,
} from '@switchboard/contracts';
import { createBroker } from '@switchboard/broker';
import { eventually, silentLogger } from '@switchboard/testing';
import { type ClientRequest, request } from 'node:http';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call, exchangeBytes, parseAnswer } from './support/http';
import { operatorOn } from './support/operator';

const MESSAGE = { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } };
const phones = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => String(919_800_000_000 + index));

describe('bulk call', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const send = (
    body: unknown,
    { key = customer.apiKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ): ReturnType<typeof call> => call(`${gateway.url}/v1/messages/send/bulk`, { key, body: body as object, headers });

  it('sends a short list to the jobs service unchanged', async () => {
    const recipients = ['919812345678', { to: '12', clientRef: 'a', variables: { '1': 'x' } }];
    const { status, body, headers } = await send({ ...MESSAGE, recipients, unknown: 1 });
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        ...createJobV1.sample.response,
        warnings: [{ field: 'unknown', message: 'unknown is not a known field and was ignored' }],
      },
    ]);
    expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
    expect(gateway.fakes.of(stageJobRowsV1)).toEqual([]);
    expect(gateway.fakes.of(createJobV1)).toEqual([
      {
        accountId: customer.accountId,
        jobId: expect.stringMatching(/^job_/),
        message: MESSAGE,
        parts: 0,
        rows: [
          { position: 0, phone: '919812345678' },
          { position: 1, phone: '12', clientRef: 'a', variables: { '1': 'x' } },
        ],
      },
    ]);
  });

  it('reports every missing field and invalid recipients', async () => {
    const empty = await send({});
    expect([empty.status, empty.body.code]).toEqual([400, 'MISSING_FIELD']);
    expect((empty.body.details as { field: string }[]).map(({ field }) => field)).toEqual(['recipients', 'type']);
    const fromNone = await send({ ...MESSAGE, recipients: phones(1), from: '12' });
    expect([fromNone.status, fromNone.body.code]).toEqual([422, 'INVALID_PHONE']);
    expect((await send({ ...MESSAGE, recipients: [true] })).status).toBe(201);
    expect(gateway.fakes.of(createJobV1)).toMatchObject([{ rows: [{ position: 0, phone: 'true' }] }]);
  });

  it('uses a separate command for jobs with several numbers', async () => {
    const from = ['15550783881', '15550783882'];
    for (const more of [{}, { hold: true }])
      expect((await send({ ...MESSAGE, from, recipients: phones(1), ...more })).status).toBe(201);
    expect(gateway.fakes.of(createCappedJobV1)).toMatchObject([{ numbers: from }, { numbers: from, hold: true }]);
    expect([...gateway.fakes.of(createJobV1), ...gateway.fakes.of(createHeldJobV1)]).toEqual([]);
  });

  it('accepts only booleans for hold', async () => {
    for (const hold of [true, false, undefined])
      expect((await send({ ...MESSAGE, recipients: phones(1), hold })).status).toBe(201);
    expect(gateway.fakes.of(createJobV1).map(({ hold }) => hold)).toEqual([undefined, undefined]);
    // A service that does not know `hold` would send immediately, so held jobs need a command that it rejects.
    expect(gateway.fakes.of(createHeldJobV1)).toMatchObject([{ hold: true }]);
    for (const hold of ['yes', 1, []])
      expect(await send({ ...MESSAGE, recipients: phones(1), hold })).toMatchObject({
        status: 400,
        body: {
          code: 'INVALID_PARAMETER',
          details: [{ field: 'hold', message: 'hold must be true or false' }],
        },
      });
    expect(gateway.fakes.of(createJobV1)).toHaveLength(2);
    expect(gateway.fakes.of(createHeldJobV1)).toHaveLength(1);
  });

  it('splits a long list into parts of one job', async () => {
    await send({ ...MESSAGE, recipients: phones(3_200) });
    const parts = gateway.fakes.of(stageJobRowsV1);
    const [created] = gateway.fakes.of(createJobV1);
    expect(parts.map(({ part }) => part).sort()).toEqual([0, 1, 2]);
    expect(new Set([...parts, created].map((each) => each?.jobId)).size).toBe(1);
    const rows = [...parts.sort((one, other) => Number(one.part) - Number(other.part)), created].flatMap(
      (each) => each?.rows as { position: number; phone: string }[],
    );
    expect(rows).toEqual(phones(3_200).map((phone, position) => ({ position, phone })));
  });

  it('creates the same job for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'bulk-1' };
    gateway.fakes.answer(createJobV1, () => {
      throw new Error('database away');
    });
    expect((await send({ ...MESSAGE, recipients: ['919812345678'] }, { headers })).status).toBe(500);
    gateway.fakes.answer(createJobV1, () => createJobV1.sample.response);
    expect((await send({ ...MESSAGE, recipients: ['919812345678'] }, { headers })).status).toBe(201);
    expect(
      (await send({ ...MESSAGE, recipients: ['919812345678'] }, { headers })).headers.get('idempotency-replay'),
    ).toBe('true');
    const asked = gateway.fakes.of(createJobV1).map(({ jobId }) => jobId);
    expect([asked.length, new Set(asked).size]).toEqual([2, 1]);
  });

  it('requires the features and limits of the plan', async () => {
    const starter = await gateway.customer({ plan: 'starter' });
    const refused = await send('no json', { key: starter.apiKey });
    expect([refused.status, refused.body.code]).toEqual([403, 'FEATURE_NOT_IN_PLAN']);
    const small = await gateway.customer({ plan: 'growth' });
    const tooMany = await send({ ...MESSAGE, recipients: phones(1_001) }, { key: small.apiKey });
    expect([tooMany.status, tooMany.body.code, tooMany.body.message]).toEqual([
      400,
      'BULK_LIMIT_EXCEEDED',
      'too many recipients for your plan: 1001 given, 1000 allowed',
    ]);
    const textOnly = await gateway.customer({ plan: 'growth' });
    await gateway.services.overrides.setOverrides(textOnly.accountId, { removedFeatures: ['MEDIA'] }, 'test');
    const withLink = (type: string) => ({ type, [type]: { link: 'https://example.com/a' }, recipients: phones(1) });
    for (const type of ['image', 'document', 'video', 'audio', 'sticker']) {
      const { body } = await send(withLink(type), { key: textOnly.apiKey });
      expect([type, body.code]).toEqual([type, 'FEATURE_NOT_IN_PLAN']);
    }
    expect((await send(withLink('image'))).status).toBe(201);
    expect(gateway.fakes.of(createJobV1)).toHaveLength(1);
    // A file in a template header belongs to the template and needs no MEDIA.
    const header = { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.png' } }] };
    const template = { ...MESSAGE.template, components: [header] };
    const ofTemplate = await send({ ...MESSAGE, template, recipients: phones(1) }, { key: textOnly.apiKey });
    expect(ofTemplate.status).toBe(201);
  });

  it('limits a body to 6 MB or the plan’s recipients', async () => {
    const wide = { ...MESSAGE, recipients: phones(6_500).map((to) => ({ to, variables: ['x'.repeat(950)] })) };
    const large = await gateway.customer();
    await gateway.services.overrides.setOverrides(large.accountId, { bulkRecipients: 20_000 }, 'test');
    expect((await send(wide, { key: large.apiKey })).status).toBe(201);
    // The limit is 1 MB plus 512 bytes for each of 20,000 recipients.
    expect(await codeOf(large.apiKey, 1_048_576 + 20_000 * 512)).toBeUndefined();
    expect(await codeOf(large.apiKey, 1_048_576 + 20_000 * 512 + 1)).toBe('PAYLOAD_TOO_LARGE');
    const small = await gateway.customer({ plan: 'growth' });
    const within = JSON.stringify({
      ...MESSAGE,
      recipients: phones(1_000).map((to) => ({ to, variables: ['x'.repeat(6_200)] })),
    }).padEnd(6_291_456);
    expect((await send(within, { key: small.apiKey })).status).toBe(201);
    expect((await send(`${within} `, { key: small.apiKey })).status).toBe(413);
    const announced = await send(wide, { key: small.apiKey });
    expect([announced.status, announced.body.code, announced.body.message]).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      'the body is too large: at most 6 MB',
    ]);
    expect(await sendChunked(small.apiKey, JSON.stringify(wide))).toEqual([
      413,
      'PAYLOAD_TOO_LARGE',
      'the body is too large: at most 6 MB',
    ]);
    expect(await sendChunked(small.apiKey, JSON.stringify({ ...MESSAGE, recipients: phones(1) }))).toEqual([
      201,
      undefined,
      undefined,
    ]);
    // Other routes keep their limit of 1 MB.
    const sendOf = async (bytes: number): Promise<number> =>
      (
        await call(`${gateway.url}/v1/messages/send`, {
          key: customer.apiKey,
          body: JSON.stringify({ ...MESSAGE, to: 'x' }).padEnd(bytes),
        })
      ).status;
    expect([await sendOf(1_048_576), await sendOf(1_048_577)]).toEqual([422, 413]);
  });

  it('rejects large bodies while many are in progress', async () => {
    const [loud, quiet] = [await gateway.customer({ plan: 'growth' }), await gateway.customer({ plan: 'growth' })];
    const body = JSON.stringify({ ...MESSAGE, recipients: phones(1) });
    // Without a declared length, each body is counted with 6 MB.
    const underWay = Array.from({ length: 10 }, () => openChunked(loud.apiKey, body.slice(0, 1)));
    await eventually(async () =>
      expect(await sendChunked(loud.apiKey, body)).toEqual([
        429,
        'RATE_LIMITED',
        'rate limit exceeded: too many large bodies at once',
      ]),
    );
    expect(await sendChunked(quiet.apiKey, body)).toEqual([201, undefined, undefined]);
    expect((await send(JSON.parse(body), { key: loud.apiKey })).status).toBe(201);
    underWay.at(0)?.sent.destroy();
    for (const { sent } of underWay.slice(1)) sent.end(body.slice(1));
    for (const { answered } of underWay.slice(1)) expect(await answered).toEqual([201, undefined, undefined]);
    await eventually(async () => expect(await sendChunked(loud.apiKey, body)).toEqual([201, undefined, undefined]));
  });

  it('limits a body to 64 MB and all bodies to 96 MB', async () => {
    const [one, other] = [await gateway.customer(), await gateway.customer()];
    for (const { accountId } of [one, other])
      await gateway.services.overrides.setOverrides(accountId, { bulkRecipients: 1_000_000 }, 'test');
    // A gateway may still have the plan from before the change in its cache.
    for (const { apiKey } of [one, other])
      await eventually(async () =>
        expect((await call(`${gateway.url}/v1/me`, { key: apiKey })).body).toMatchObject({
          plan: { limits: { bulkRecipients: 1_000_000 } },
        }),
      );
    expect(await refusalOf(one.apiKey, 67_108_865)).toMatchObject({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'the body is too large: at most 64 MB',
    });
    // A body without a length is counted with 64 MB. If the other body arrives first, this one does not fit.
    const held = await eventually(async () => {
      const opened = openChunked(one.apiKey, '{');
      const code = await codeOf(other.apiKey, 40_000_000);
      if (code !== 'RATE_LIMITED') opened.sent.destroy();
      expect(code).toBe('RATE_LIMITED');
      return opened;
    });
    held.sent.destroy();
    await expect(held.answered).rejects.toThrow();
    // A body with a declared length fits when it is alone.
    await eventually(async () => expect(await codeOf(one.apiKey, 67_108_864)).toBeUndefined());
  });

  /**
   * Returns the response body of a call that announces a body of this size but sends none; empty if the service waits
   * for the body.
   */
  async function refusalOf(key: string, bytes: number): Promise<Record<string, unknown>> {
    const lines = ['POST /v1/messages/send/bulk HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`];
    const head = [...lines, 'Content-Type: application/json', `Content-Length: ${bytes}`, '', ''].join('\r\n');
    return parseAnswer(await exchangeBytes(gateway.url, head, { closeAfterMs: 1_000 })).body;
  }

  const codeOf = async (key: string, bytes: number): Promise<unknown> => (await refusalOf(key, bytes))['code'];

  function sendChunked(key: string, body: string): Promise<unknown[]> {
    const { sent, answered } = openChunked(key, '');
    sent.end(body);
    return answered;
  }

  /** Opens a call with a chunked body that stays incomplete. Returns the status, code and message of the response. */
  function openChunked(key: string, begin: string): { sent: ClientRequest; answered: Promise<unknown[]> } {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    };
    const sent = request(`${gateway.url}/v1/messages/send/bulk`, { method: 'POST', headers });
    const answered = new Promise<unknown[]>((resolve, reject) => {
      sent.once('error', reject);
      sent.once('response', (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
        answer.on('end', () => {
          const { code, message } = JSON.parse(text) as { code?: string; message?: string };
          resolve([answer.statusCode, code, message]);
        });
      });
    });
    answered.catch(() => undefined); // The test aborts the call.
    if (begin !== '') sent.write(begin);
    return { sent, answered };
  }

  it('lists recipients with their rejection or failure', async () => {
    const jobId = newId('job');
    const [recipient] = listRecipientsV1.sample.response.recipients;
    gateway.fakes.answer(listRecipientsV1, () => ({
      ...listRecipientsV1.sample.response,
      recipients: [
        recipient,
        {
          ...recipient,
          status: 'rejected',
          upstreamId: null,
          refusal: { code: 'INVALID_PHONE', message: 'phone number format is invalid' },
        },
        { ...recipient, phone: null, clientRef: null },
      ],
    }));
    const { body } = await call(`${gateway.url}/v1/jobs/${jobId}/recipients?status=rejected&limit=500`, {
      key: customer.apiKey,
    });
    expect(body).toMatchObject({
      success: true,
      recipients: [
        { message_id: recipient?.upstreamId, messageId: recipient?.upstreamId, error: null },
        { message_id: null, messageId: null, error: { reason: 'INVALID_PHONE', code: null } },
        { phone: null, clientRef: null },
      ],
      pagination: { limit: 100 },
    });
    expect(gateway.fakes.of(listRecipientsV1)).toEqual([
      { accountId: customer.accountId, jobId, page: 1, limit: 100, status: 'rejected' },
    ]);
    expect(
      (await call(`${gateway.url}/v1/jobs/${jobId}/recipients?status=lost`, { key: customer.apiKey })).body.code,
    ).toBe('INVALID_PARAMETER');
  });

  it('creates a job that can be paused, resumed and retried', async () => {
    const jobId = newId('job');
    const post = (verb: string): ReturnType<typeof call> =>
      call(`${gateway.url}/v1/jobs/${jobId}/${verb}`, { method: 'POST', key: customer.apiKey });
    for (const action of ['pause', 'resume', 'cancel']) expect((await post(action)).status).toBe(200);
    expect(gateway.fakes.of(controlJobV1)).toEqual(
      ['pause', 'resume', 'cancel'].map((action) => ({ accountId: customer.accountId, jobId, action })),
    );
    expect((await post('retry-failed')).status).toBe(201);
    expect(gateway.fakes.of(retryFailedV1)).toEqual([
      { accountId: customer.accountId, jobId, newJobId: expect.stringMatching(/^job_/) },
    ]);
    const retry = { method: 'POST', key: customer.apiKey, headers: { 'idempotency-key': jobId } };
    const url = `${gateway.url}/v1/jobs/${jobId}/retry-failed`;
    const [first, again] = [await call(url, retry), await call(url, retry)];
    expect([again.status, again.body, again.headers.get('idempotency-replay')]).toEqual([201, first.body, 'true']);
    expect(gateway.fakes.of(retryFailedV1)).toHaveLength(2);
    // A repeat after a failure creates the same job.
    const lost = { ...retry, headers: { 'idempotency-key': newId('job') } };
    gateway.fakes.answer(retryFailedV1, () => {
      throw new Error('database away');
    });
    expect((await call(url, lost)).status).toBe(500);
    gateway.fakes.answer(retryFailedV1, () => retryFailedV1.sample.response);
    expect((await call(url, lost)).status).toBe(201);
    const made = gateway.fakes.of(retryFailedV1).slice(2);
    expect(made.map(({ newJobId }) => newJobId)).toEqual([made[0]?.newJobId, made[0]?.newJobId]);
  });

  it('accepts empty bodies for job actions', async () => {
    const pause = { method: 'POST', key: customer.apiKey, body: '', headers: { 'idempotency-key': newId('job') } };
    const url = `${gateway.url}/v1/jobs/${newId('job')}/pause`;
    expect((await call(url, pause)).status).toBe(200);
    expect((await call(url, pause)).status).toBe(200);
    expect(gateway.fakes.of(controlJobV1)).toHaveLength(1);
  });

  it('audits the pause and the end of its job once', async () => {
    const jobId = newId('job');
    const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = gateway.config;
    const jobs = createBroker({ service: 'jobs', url, namespace, logger: silentLogger });
    await jobs.connect();
    const messageId = newId('evt');
    for (let times = 0; times < 2; times += 1)
      await jobs.publish(
        jobPausedV1,
        { accountId: customer.accountId, jobId, reason: 'NUMBER_STOPPED' },
        { messageId },
      );
    await jobs.publish(jobFinishedV1, {
      accountId: customer.accountId,
      jobId,
      status: 'completed',
      total: 3,
      failed: 1,
    });
    await jobs.close();
    const read = (): Promise<unknown> =>
      gateway.database.dataSource.query(
        `SELECT actor, action, details FROM audit_log WHERE target = $1 ORDER BY action`,
        [jobId],
      );
    await eventually(async () =>
      expect(await read()).toEqual([
        { actor: 'jobs', action: 'job.finish', details: { status: 'completed', total: 3, failed: 1 } },
        { actor: 'jobs', action: 'job.pause', details: { reason: 'NUMBER_STOPPED' } },
      ]),
    );
  });

  it('audits a pause that a user or operator requested once', async () => {
    const [jobId, ofClient] = [newId('job'), newId('job')];
    await operatorOn(gateway).json('jobs', 'pause', '--account', customer.accountId, '--job', jobId);
    const { RABBITMQ_URL: url, BROKER_NAMESPACE: namespace } = gateway.config;
    const jobs = createBroker({ service: 'jobs', url, namespace, logger: silentLogger });
    await jobs.connect();
    const paused = { accountId: customer.accountId, reason: 'REQUESTED' as const, timestamp: new Date().toISOString() };
    await jobs.publish(jobPausedV1, { ...paused, jobId });
    await jobs.publish(jobPausedV1, { ...paused, jobId: ofClient });
    await jobs.close();
    const actorsOf = async (target: string): Promise<string[]> => {
      const sql = `SELECT actor FROM audit_log WHERE target = $1 AND action = 'job.pause'`;
      const rows: { actor: string }[] = await gateway.database.dataSource.query(sql, [target]);
      return rows.map(({ actor }) => actor);
    };
    await eventually(async () => expect(await actorsOf(ofClient)).toEqual(['jobs']));
    expect(await actorsOf(jobId)).toEqual([expect.stringMatching(/^cli:/)]);
  });

  it('creates a job that the operator can inspect and stop', async () => {
    const operator = operatorOn(gateway);
    const jobId = newId('job');
    expect(await operator.json('jobs', 'list', '--account', customer.accountId)).toMatchObject({
      jobs: [{ status: 'processing' }],
    });
    expect(await operator.json('jobs', 'show', '--account', customer.accountId, '--job', jobId)).toMatchObject({
      status: 'processing',
    });
    await operator.json('jobs', 'cancel', '--account', customer.accountId, '--job', jobId);
    expect(gateway.fakes.of(controlJobV1)).toEqual([{ accountId: customer.accountId, jobId, action: 'cancel' }]);
    const entries: unknown = await gateway.database.dataSource.query(
      `SELECT actor, action FROM audit_log WHERE target = $1`,
      [jobId],
    );
    expect(entries).toEqual([{ actor: 'cli:tester', action: 'job.cancel' }]);
  });
});
