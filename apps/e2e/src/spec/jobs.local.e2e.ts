import { eventually } from '@switchboard/testing';
import { randomInt } from 'node:crypto';
import { addNumber, newAccount, type TestAccount } from '../support/account';
import { type Answer, get, post } from '../support/api';
import { demo } from '../support/demo';
import { done } from '../support/installation';
import { freshPhone, receivedUpstream, writeIn } from '../support/simulator';
import { approved } from '../support/templates';
import { listenFor } from '../support/webhooks';

const link = 'https://example.com/a.png';

describe('chapters 3 and 8: windows and bulk jobs', () => {
  let account: TestAccount;
  let to: string;

  beforeAll(async () => {
    account = await newAccount('Jobs of the specification');
    await approved(account, ['order_update']);
    to = freshPhone();
    await writeIn(to, 'Hello', { to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.listConversations({ windowOpen: true })).conversations.length).toBe(1),
    );
  }, 90_000);

  const bulk = (body: object): Promise<Answer> => post('/messages/send/bulk', body, { apiKey: account.apiKey });
  const completed = (jobId: unknown): Promise<Record<string, unknown>> =>
    eventually(async () => {
      const { job } = (await get(`/jobs/${String(jobId)}`, { apiKey: account.apiKey })).body as {
        job: Record<string, unknown>;
      };
      expect(job).toMatchObject({ status: 'completed', pending: 0 });
      return job;
    });

  it('2.4.5 counts a bulk call as one request, regardless of its recipients', async () => {
    const recipients = Array.from(
      { length: 50 },
      (_, index) => `9196${10_000_000 + randomInt(1_000_000) * 50 + index}`,
    );
    const before = await get('/me', { apiKey: account.apiKey });
    const { status, headers } = await bulk({ recipients, type: 'text', text: { body: 'x' } });
    expect(status).toBe(201);
    const spent = Number(before.headers.get('x-ratelimit-remaining')) - Number(headers.get('x-ratelimit-remaining'));
    expect(spent).toBeLessThanOrEqual(1);
  });

  it('2.4.5 does not count job messages against the rate limit', async () => {
    const { accountId, apiKey, api } = await newAccount('Paced');
    await approved({ accountId, apiKey, api } as TestAccount, ['hello_world']);
    const limit = ['--rate-limit', '3', '--rate-window', '86400', '--rate-burst', '3'];
    await done('accounts', 'override', '--account', accountId, ...limit);
    // Wait until the gateways know the new limit.
    const before = await eventually(async () => {
      const answer = await get('/me', { apiKey });
      expect(answer.headers.get('x-ratelimit-limit')).toBe('3');
      return Number(answer.headers.get('x-ratelimit-remaining'));
    });
    const recipients = Array.from({ length: 20 }, freshPhone);
    const template = { name: 'hello_world', language: { code: 'en_US' } };
    const { status, headers } = await post(
      '/messages/send/bulk',
      { recipients, type: 'template', template },
      { apiKey },
    );
    const remaining = headers.get('x-ratelimit-remaining');
    expect([status, Number(remaining)]).toEqual([201, before - 1]);
    for (const phone of recipients)
      await eventually(async () => expect((await receivedUpstream(phone)).length).toBe(1));
    await eventually(async () =>
      expect((await done('jobs', 'list', '--account', accountId))['jobs']).toMatchObject([{ status: 'completed' }]),
    );
    expect((await get('/me', { apiKey })).headers.get('x-ratelimit-remaining')).toBe(String(Number(remaining) - 1));
  }, 90_000);

  it('3.6.2 tracks a service window per business number and contact', async () => {
    const { phoneNumber: other } = await addNumber(account.accountId);
    const from = (phone: string, recipient = to): Promise<Answer> =>
      post(
        '/messages/send',
        { to: recipient, from: phone, type: 'text', text: { body: 'x' } },
        { apiKey: account.apiKey },
      );
    expect((await from(account.phoneNumber)).status).toBe(200);
    expect(await from(other)).toMatchObject({ status: 400, body: { code: 'WINDOW_CLOSED' } });
    await writeIn(to, 'Hello there', { to: other });
    await eventually(async () => expect((await from(other)).status).toBe(200));
    // Another contact has its own window with the same numbers.
    const stranger = freshPhone();
    for (const phone of [account.phoneNumber, other])
      expect(await from(phone, stranger)).toMatchObject({ status: 400, body: { code: 'WINDOW_CLOSED' } });
  }, 90_000);

  it('8.1.11 fails recipients not reached before expireAt and completes the job', async () => {
    // The job starts just after it expires.
    const begin = Date.now() + 1_500;
    const [scheduledAt, expireAt] = [begin, begin + 1].map((time) => new Date(time).toISOString());
    const before = (await receivedUpstream(to)).length;
    const { status, body } = await bulk({ recipients: [to], type: 'text', text: { body: 'x' }, scheduledAt, expireAt });
    expect(status).toBe(201);
    expect(await completed(body['jobId'])).toMatchObject({ scheduledAt, expireAt, failed: 1, error: null });
    const { body: list } = await get(`/jobs/${String(body['jobId'])}/recipients`, { apiKey: account.apiKey });
    expect(list['recipients']).toMatchObject([
      { status: 'failed', error: { reason: 'JOB_EXPIRED', code: null, title: 'Job expired', retriable: true } },
    ]);
    expect(await receivedUpstream(to)).toHaveLength(before);
    for (const [more, code] of [
      [{ expireAt: '2020-01-01T00:00:00Z' }, 422],
      [{ expireAt: 1 }, 400],
      [{ expireAt, scheduledAt: expireAt }, 422],
    ] as const) {
      expect((await bulk({ recipients: [to], type: 'text', text: { body: 'x' }, ...more })).status).toBe(code);
    }
  }, 60_000);

  it('8.1.12 sets no expireAt by default and moves a given expireAt by the length of a pause', async () => {
    const content = { recipients: [to], type: 'text', text: { body: 'x' } };
    const [without, paused] = [
      await bulk(content),
      await bulk({
        ...content,
        scheduledAt: new Date(Date.now() + 600_000),
        expireAt: new Date(Date.now() + 3_600_000),
      }),
    ];
    expect(await completed(without.body['jobId'])).toMatchObject({ expireAt: null });
    const move = async (action: string): Promise<Record<string, unknown>> =>
      (await post(`/jobs/${String(paused.body['jobId'])}/${action}`, {}, { apiKey: account.apiKey })).body[
        'job'
      ] as Record<string, unknown>;
    const before = await move('pause');
    const after = await move('resume');
    expect(Date.parse(String(after['expireAt']))).toBeGreaterThan(Date.parse(String(before['expireAt'])));
    await move('cancel');
  });

  it('8.1.13 shows rows and errors of a held job, and 8.4.6 starts it once on resume', async () => {
    const listener = await listenFor(account.accountId);
    const before = (await receivedUpstream(to)).length;
    const content = { recipients: [to, '12'], type: 'text', text: { body: 'held' } };
    const { status, body } = await bulk({ ...content, hold: true });
    expect([status, body]).toMatchObject([201, { status: 'paused', accepted: 1, rejected: 1 }]);
    const jobId = String(body['jobId']);
    const ask = (path: string): Promise<Answer> => get(`/jobs/${jobId}${path}`, { apiKey: account.apiKey });
    expect((await ask('')).body['job']).toMatchObject({ status: 'paused', pauseReason: 'HELD', startedAt: null });
    const rows = (await ask('/recipients')).body['recipients'];
    expect(rows).toMatchObject([{ status: 'pending' }, { status: 'rejected', error: { reason: 'INVALID_PHONE' } }]);
    // Meanwhile, another job of the same number runs to completion.
    const other = await bulk({ recipients: [to], type: 'text', text: { body: 'not held' } });
    await completed(other.body['jobId']);
    expect(await receivedUpstream(to)).toHaveLength(before + 1);
    const resume = (): Promise<Answer> => post(`/jobs/${jobId}/resume`, {}, { apiKey: account.apiKey });
    expect((await Promise.all([resume(), resume()])).map((answer) => answer.status)).toEqual([200, 200]);
    expect(await completed(jobId)).toMatchObject({ rejected: 1, failed: 0 });
    expect(await receivedUpstream(to)).toHaveLength(before + 2);
    await eventually(() =>
      expect(listener.events().filter((event) => event.event === 'job_completed' && event.jobId === jobId).length).toBe(
        1,
      ),
    );
    expect(listener.events().filter(({ event }) => event === 'job_paused')).toEqual([]);
    await listener.receiver.close();
    expect((await bulk({ ...content, hold: 'yes' })).status).toBe(400);
  }, 60_000);

  it('8.4.6 waits for scheduledAt when resumed earlier, and moves expireAt by the length of the hold', async () => {
    const [scheduledAt, expireAt] = [600_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const { body } = await bulk({
      recipients: [to],
      type: 'text',
      text: { body: 'x' },
      hold: true,
      scheduledAt,
      expireAt,
    });
    const move = async (action: string): Promise<Record<string, unknown>> =>
      (await post(`/jobs/${String(body['jobId'])}/${action}`, {}, { apiKey: account.apiKey })).body['job'] as Record<
        string,
        unknown
      >;
    const resumed = await move('resume');
    expect(resumed).toMatchObject({ status: 'queued', pauseReason: null, scheduledAt });
    expect(Date.parse(String(resumed['expireAt']))).toBeGreaterThan(Date.parse(String(expireAt)));
    expect(await move('cancel')).toMatchObject({ status: 'cancelled' });
  });

  it('8.5.3 finds recipients by phone and status, and 8.5.6 exports one status', async () => {
    const { body } = await bulk({ recipients: [to, '12', '1'], type: 'text', text: { body: 'x' }, hold: true });
    const path = `/jobs/${String(body['jobId'])}`;
    const indexes = async (query: string): Promise<unknown> =>
      ((await get(`${path}/recipients?${query}`, { apiKey: account.apiKey })).body['recipients'] as object[]).map(
        (row) => ('index' in row ? row.index : undefined),
      );
    expect(await indexes(`phone=${to}`)).toEqual([0]);
    expect(await indexes(`phone=${to}&status=rejected`)).toEqual([]);
    expect(await indexes('status=rejected')).toEqual([1, 2]);
    const file = await fetch(`${demo.baseUrl}${path}/results.csv?status=rejected`, {
      headers: { authorization: `Bearer ${account.apiKey}` },
    });
    expect(
      (await file.text())
        .trim()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',').slice(0, 2)),
    ).toEqual([
      ['1', '12'],
      ['2', '1'],
    ]);
    await post(`${path}/cancel`, {}, { apiKey: account.apiKey });
  });

  it('8.5.1 returns a job with the documented fields', async () => {
    const { body } = await bulk({ recipients: [to], type: 'text', text: { body: 'x' } });
    const job = await completed(body['jobId']);
    expect(job).toMatchObject({ jobId: body['jobId'], type: 'bulk', status: 'completed', template: null, total: 1 });
    const counts = ['total', 'pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'rejected', 'duplicates'];
    for (const name of counts)
      expect({ name, count: job[name] }).toEqual({ name, count: expect.any(Number) as number });
    for (const name of ['createdAt', 'startedAt', 'completedAt']) expect(job[name]).toMatch(/Z$/);
    expect([job['pauseReason'], job['error']]).toEqual([null, null]);
  });

  it('8.4.3 returns 409 without a change for a disallowed transition', async () => {
    const { body } = await bulk({ recipients: [to], type: 'text', text: { body: 'x' } });
    const before = await completed(body['jobId']);
    for (const action of ['pause', 'resume', 'cancel']) {
      const answer = await post(`/jobs/${String(body['jobId'])}/${action}`, {}, { apiKey: account.apiKey });
      expect(answer).toMatchObject({
        status: 409,
        body: {
          success: false,
          code: 'JOB_STATE_CONFLICT',
          message: expect.stringContaining('a job that is completed') as string,
          details: [],
        },
      });
    }
    // Messages of the job can still be delivered and read.
    const { status, completedAt } = before;
    expect(await completed(body['jobId'])).toMatchObject({ status, completedAt });
    // Requesting the state that a job already has is no conflict.
    const held = await bulk({ recipients: [to], type: 'text', text: { body: 'x' }, hold: true });
    const again = await post(`/jobs/${String(held.body['jobId'])}/pause`, {}, { apiKey: account.apiKey });
    expect(again).toMatchObject({ status: 200, body: { job: { status: 'paused' } } });
  });

  it('8.1.1 returns 201 with the fields of the example', async () => {
    const { status, body } = await bulk({ recipients: [to, to, '12'], type: 'text', text: { body: 'x' } });
    expect([status, body]).toEqual([
      201,
      {
        success: true,
        jobId: expect.stringMatching(/^job_/) as string,
        status: 'queued',
        total: 3,
        accepted: 1,
        rejected: 1,
        duplicates: 1,
        errors: [
          {
            index: 2,
            phone: '12',
            code: 'INVALID_PHONE',
            message: 'phone number format is invalid: digits only, with country code, without +',
          },
        ],
      },
    ]);
  });

  it('8.1.8 creates no job without a valid recipient, and 8.1.9 none with another error', async () => {
    const jobs = async (): Promise<unknown> => (await account.api.listJobs()).pagination.total;
    const before = await jobs();
    const text = { type: 'text', text: { body: 'x' } };
    for (const [body, status] of [
      [{ ...text, recipients: ['12', 'x'] }, 422],
      [{ ...text, recipients: [] }, 422],
      [{ ...text, recipients: [to], text: { body: 'x'.repeat(4_097) } }, 422],
      [{ recipients: [to], type: 'template', template: { name: 'no_such', language: { code: 'en_US' } } }, 400],
    ] as const)
      expect({ body, status: (await bulk(body)).status }).toEqual({ body, status });
    expect(await jobs()).toBe(before);
  });

  it('8.1.2 combines the values of recipient and job, and rejects rows that lack a value', async () => {
    const template = { name: 'order_update', language: { code: 'en_US' } };
    const [first, second, third] = [freshPhone(), freshPhone(), freshPhone()];
    const { status, body } = await bulk({
      type: 'template',
      template: { ...template, variables: { 'button 1': 'A-1' } },
      recipients: [
        { to: first, variables: { 1: 'A-17', 2: 'Monday', colour: 'red' }, clientRef: 'one' },
        { to: second, variables: { 1: 'B-18', 2: 'Friday', 'button 1': 'B-1' } },
        third,
      ],
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { accepted: 2, rejected: 1, errors: [{ index: 2, code: 'TEMPLATE_PARAMS_MISMATCH' }] },
    });
    const texts = async (phone: string): Promise<string> => JSON.stringify((await receivedUpstream(phone))[0]?.body);
    await eventually(async () => expect(await texts(first)).toMatch(/"A-17".*"Monday".*"A-1"/));
    await eventually(async () => expect(await texts(second)).toMatch(/"B-18".*"Friday".*"B-1"/));
    expect(await receivedUpstream(third)).toEqual([]);
    const { body: list } = await get(`/jobs/${String(body['jobId'])}/recipients?phone=${first}`, {
      apiKey: account.apiKey,
    });
    expect(list['recipients']).toMatchObject([{ clientRef: 'one' }]);
    expect((await bulk({ type: 'template', template, recipients: [first, second] })).body).toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
    });
  });

  it('8.1.3 sends every message type in bulk', async () => {
    const contents = {
      text: { body: 'x' },
      image: { link },
      document: { link },
      video: { link },
      audio: { link },
      sticker: { link: 'https://example.com/a.webp' },
      location: { latitude: 1, longitude: 2 },
      contacts: [{ name: { formattedName: 'Bo Li' } }],
    };
    const before = (await receivedUpstream(to)).length;
    const jobs = await Promise.all(
      Object.entries(contents).map(([type, content]) => bulk({ recipients: [to], type, [type]: content })),
    );
    expect(jobs.map(({ status }) => status)).toEqual(jobs.map(() => 201));
    for (const { body } of jobs) expect(await completed(body['jobId'])).toMatchObject({ failed: 0 });
    const sent = (await receivedUpstream(to)).slice(0, -before || undefined).map(({ body }) => String(body['type']));
    expect(sent.sort()).toEqual(Object.keys(contents).sort());
  });

  it('8.1.5 rejects the row of an invalid recipient without stopping the job', async () => {
    const { status, body } = await bulk({
      recipients: [to, Number(to), null, {}, { to: '12' }, { to, variables: 'x' }],
      type: 'text',
      text: { body: 'x' },
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { total: 6, accepted: 1, rejected: 5, duplicates: 0 },
    });
    const codes = ['INVALID_PARAMETER', 'INVALID_PARAMETER', 'MISSING_FIELD', 'INVALID_PHONE', 'INVALID_PARAMETER'];
    expect(body['errors']).toMatchObject(codes.map((code, index) => ({ index: index + 1, code })));
    expect((body['errors'] as { message: string }[])[2]?.message).toBe('to is required');
    expect(await completed(body['jobId'])).toMatchObject({ rejected: 5, failed: 0 });
  });

  it('8.1.6 returns the first 100 rejected rows, and lists all of them', async () => {
    const wrong = Array.from({ length: 120 }, (_, index) => String(index));
    const { status, body } = await bulk({ recipients: [to, ...wrong], type: 'text', text: { body: 'x' } });
    expect([status, body['rejected']]).toEqual([201, 120]);
    expect((body['errors'] as { index: number }[]).map(({ index }) => index)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    const jobId = String(body['jobId']);
    const pages = await Promise.all(
      [1, 2].map((page) => account.api.listJobRecipients({ jobId, status: 'rejected', limit: 100, page })),
    );
    expect(pages.flatMap(({ recipients }) => recipients.map(({ index }) => index))).toEqual(
      Array.from({ length: 120 }, (_, index) => index + 1),
    );
  });

  it('8.5.5 stores and reports every failed recipient once: window, block, expiry', async () => {
    const listener = await listenFor(account.accountId);
    const blocked = freshPhone();
    await writeIn(blocked, 'Hello', { to: account.phoneNumber });
    await eventually(() =>
      done('contacts', 'set', '--account', account.accountId, '--phone', blocked, '--blocked', 'yes'),
    );
    const text = { type: 'text', text: { body: 'x' } };
    const jobs = [
      {
        recipients: [freshPhone(), freshPhone(), blocked],
        ...text,
        expiresInMs: undefined,
        categories: ['optout', 'window', 'window'],
      },
      { recipients: [to], ...text, expiresInMs: 1_500, categories: ['other'] },
    ];
    for (const { categories, expiresInMs, ...body } of jobs) {
      const [scheduledAt, expireAt] = [0, 1].map((more) =>
        expiresInMs === undefined ? undefined : new Date(Date.now() + expiresInMs + more).toISOString(),
      );
      const { status, body: created } = await bulk({ ...body, scheduledAt, expireAt });
      expect(status).toBe(201);
      const jobId = String(created['jobId']);
      expect(await completed(jobId)).toMatchObject({ failed: categories.length });
      const rows = (await get(`/jobs/${jobId}/recipients`, { apiKey: account.apiKey })).body['recipients'] as Record<
        string,
        unknown
      >[];
      const told = (records: readonly object[]): unknown[] =>
        records
          .map((record) => ({ ...record }) as Record<string, unknown>)
          .map((record) => ({ id: record['id'], to: record['to'] ?? record['phone'], error: record['error'] }))
          .sort((a, b) => String(a.id).localeCompare(String(b.id)));
      expect(rows.map(({ error }) => (error as { category: string }).category).sort()).toEqual(categories);
      await eventually(async () =>
        expect(told((await account.api.listMessages({ jobId, status: 'failed' })).messages)).toEqual(told(rows)),
      );
      await eventually(() =>
        expect(
          told(listener.events().filter((event) => event.event === 'message_status' && event.jobId === jobId)),
        ).toEqual(told(rows)),
      );
    }
    await listener.receiver.close();
  }, 60_000);

  it('8.2.2 rejects a file above 10 MB', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries({ templateName: 'hello_world', language: 'en_US' }))
      form.append(name, value);
    form.append('customerExcel', new File([Buffer.from('PK\u0003\u0004'), new Uint8Array(10 * 1_048_576)], 'big.xlsx'));
    const response = await fetch(`${demo.baseUrl}/messages/send/bulk/excel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account.apiKey}` },
      body: form,
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});
