import { eventually } from '@switchboard/testing';
import { randomInt, randomUUID } from 'node:crypto';
import { newAccount, type TestAccount } from './support/account';
import { call } from './support/api';
import { done } from './support/installation';
import { control, receivedUpstream, setTemplateStatus } from './support/simulator';
import { approved, createTemplate } from './support/templates';
import { type Listener, listenFor } from './support/webhooks';

type Job = Record<string, unknown> & { jobId: string; status: string; total: number };
const COUNTS = ['pending', 'accepted', 'sent', 'delivered', 'read', 'failed', 'cancelled', 'rejected', 'duplicates'];

describe('bulk send', () => {
  let account: TestAccount;
  let listener: Listener;
  let template: { name: string };

  beforeAll(async () => {
    template = await createTemplate([
      { type: 'BODY', text: 'Your order {{1}} is on its way.', example: { body_text: [['A-17']] } },
    ]);
    account = await newAccount('Bulk');
    [listener] = await Promise.all([listenFor(account.accountId), approved(account, [template.name])]);
  }, 90_000);
  afterAll(() => listener.receiver.close());

  const freshPhones = (count: number): string[] => {
    const first = randomInt(10_000_000, 90_000_000);
    return Array.from({ length: count }, (_, index) => `9198${first + index}`);
  };
  const message = (text = 'A-17'): object => ({
    type: 'template',
    template: {
      name: template.name,
      language: { code: 'en_US' },
      components: [{ type: 'body', parameters: [{ type: 'text', text }] }],
    },
  });
  const send = (
    recipients: unknown,
    more: object = {},
    headers: Record<string, string> = {},
  ): ReturnType<typeof call> =>
    call('POST', '/messages/send/bulk', {
      apiKey: account.apiKey,
      body: { ...message(), recipients, ...more },
      headers,
    });
  const as = (method: string, path: string): ReturnType<typeof call> => call(method, path, { apiKey: account.apiKey });
  const jobOf = async (jobId: unknown): Promise<Job> => (await as('GET', `/jobs/${String(jobId)}`)).body['job'] as Job;

  /** Waits until the job matches. Its counts must add up at every read. */
  async function becomes(jobId: unknown, expected: object): Promise<Job> {
    let job = await jobOf(jobId);
    await eventually(
      async () => {
        job = await jobOf(jobId);
        expect(COUNTS.reduce((sum, name) => sum + Number(job[name]), 0)).toBe(job.total);
        expect(job).toMatchObject(expected);
      },
      { timeoutMs: 60_000 },
    );
    return job;
  }

  it('reaches each recipient once with its variables and reports each outcome', async () => {
    const phones = freshPhones(60);
    const [first = '', second = ''] = phones;
    const clientRef = `ref-${randomUUID()}`;
    const recipients = [...phones.slice(1), { to: first, variables: ['B-1'], clientRef }, second, '12'];
    const { status, body, headers } = await send(recipients);
    expect([status, body]).toMatchObject([
      201,
      {
        success: true,
        status: 'queued',
        total: 62,
        accepted: 60,
        rejected: 1,
        duplicates: 1,
        errors: [{ index: 61, phone: '12', code: 'INVALID_PHONE' }],
      },
    ]);
    expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    await becomes(body['jobId'], { status: 'completed', pending: 0, rejected: 1, duplicates: 1 });
    await becomes(body['jobId'], { read: 60 });
    for (const phone of [first, second, ...phones.slice(-1)])
      expect((await receivedUpstream(phone)).map(({ count }) => count)).toEqual([1]);
    expect(JSON.stringify((await receivedUpstream(first))[0]?.body)).toContain('B-1');
    const { body: page } = await as('GET', `/jobs/${String(body['jobId'])}/recipients?limit=100`);
    expect(page).toMatchObject({ success: true, pagination: { total: 61, hasNext: false } });
    const shown = page['recipients'] as Record<string, unknown>[];
    expect(shown.find(({ phone }) => phone === first)).toMatchObject({
      index: 59,
      clientRef,
      error: null,
      message_id: expect.stringMatching(/^wamid\./) as string,
    });
    expect(shown.at(-1)).toMatchObject({
      phone: '12',
      status: 'rejected',
      error: { reason: 'INVALID_PHONE', code: null },
    });
    const { messages } = await account.api.listMessages({ jobId: String(body['jobId']), limit: 100 });
    expect(messages).toHaveLength(60);
    await eventually(() =>
      expect(listener.events().filter((event) => 'clientRef' in event && event.clientRef === clientRef)).not.toEqual(
        [],
      ),
    );
    expect(listener.events().find((event) => 'clientRef' in event && event.clientRef === clientRef)).toMatchObject({
      jobId: body['jobId'],
      to: first,
    });
  }, 90_000);

  it('creates one job per Idempotency-Key', async () => {
    const phones = freshPhones(5);
    const headers = { 'idempotency-key': randomUUID() };
    const first = await send(phones, {}, headers);
    const again = await send(phones, {}, headers);
    expect([again.status, again.body, again.headers.get('idempotency-replay')]).toEqual([201, first.body, 'true']);
    await becomes(first.body['jobId'], { status: 'completed' });
    for (const phone of phones) expect((await receivedUpstream(phone)).map(({ count }) => count)).toEqual([1]);
  });

  it('is rejected for errors of the whole request', async () => {
    const [phone = ''] = freshPhones(1);
    const refusalOf = async (recipients: unknown, more: object = {}): Promise<unknown[]> => {
      const { status, body } = await send(recipients, more);
      return [status, body['code']];
    };
    expect(await refusalOf(undefined)).toEqual([400, 'MISSING_FIELD']);
    expect(await refusalOf([919812345678])).toEqual([422, 'INVALID_VALUE']);
    expect(await refusalOf(['12', 'x'])).toEqual([422, 'INVALID_PHONE']);
    expect(await refusalOf([])).toEqual([422, 'INVALID_VALUE']);
    expect(await refusalOf(Array(10_001).fill(phone))).toEqual([400, 'BULK_LIMIT_EXCEEDED']);
    expect(await refusalOf([phone], { template: { name: 'nothing_like_it', language: { code: 'en_US' } } })).toEqual([
      400,
      'TEMPLATE_NOT_FOUND',
    ]);
    expect(await refusalOf([phone], { template: { name: template.name, language: { code: 'en_US' } } })).toEqual([
      400,
      'TEMPLATE_PARAMS_MISMATCH',
    ]);
    expect(await refusalOf([phone], { scheduledAt: '2020-01-01T00:00:00Z' })).toEqual([422, 'INVALID_VALUE']);
    const starter = await newAccount('No bulk', { plan: 'starter' });
    const { status, body } = await call('POST', '/messages/send/bulk', { apiKey: starter.apiKey, body: 'no json' });
    expect([status, body['code']]).toEqual([403, 'FEATURE_NOT_IN_PLAN']);
  }, 60_000);

  it('waits for its scheduled time, is listed, and can be cancelled', async () => {
    const { body } = await send(freshPhones(2), { scheduledAt: new Date(Date.now() + 86_400_000).toISOString() });
    expect((await jobOf(body['jobId'])).status).toBe('queued');
    const { body: list } = await as('GET', '/jobs?status=queued');
    // The account's earlier jobs have completed.
    expect((list['jobs'] as Job[]).map(({ jobId, status }) => [jobId, status])).toEqual([[body['jobId'], 'queued']]);
    expect((await as('POST', `/jobs/${String(body['jobId'])}/cancel`)).body).toMatchObject({
      success: true,
      job: { status: 'cancelled' },
    });
    await becomes(body['jobId'], { status: 'cancelled', cancelled: 2, pending: 0 });
  });

  it('pauses and reports why when its template is paused, then resumes', async () => {
    const own = await createTemplate([{ type: 'BODY', text: 'Good morning.' }]);
    await approved(account, [own.name]);
    const { body } = await send(freshPhones(1_500), { template: { name: own.name, language: { code: 'en_US' } } });
    const jobId = String(body['jobId']);
    await becomes(jobId, { status: 'processing' });
    await setTemplateStatus(own.name, { language: 'en_US', event: 'PAUSED' });
    const paused = await becomes(jobId, { status: 'paused', pauseReason: 'TEMPLATE_NOT_APPROVED' });
    expect(Number(paused['pending'])).toBeGreaterThan(0);
    // The platform may reject a message, and so pause the job, before the service has read the template's new status.
    await eventually(async () =>
      expect((await as('GET', `/templates?name=${own.name}`)).body).toMatchObject({ templates: [] }),
    );
    expect((await as('POST', `/jobs/${jobId}/resume`)).body).toMatchObject({ code: 'TEMPLATE_NOT_APPROVED' });
    await setTemplateStatus(own.name, { language: 'en_US', event: 'APPROVED' });
    await eventually(
      async () =>
        expect((await as('POST', `/jobs/${jobId}/resume`)).body).toMatchObject({
          job: { status: 'processing', pauseReason: null },
        }),
      { timeoutMs: 60_000 },
    );
    await as('POST', `/jobs/${jobId}/cancel`);
    await becomes(jobId, { status: 'cancelled', pending: 0 });
    // Use a scheduled job, because an operator's command may take longer than a job runs.
    const { body: later } = await send(freshPhones(2), {
      scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
    });
    const operator = (verb: string): Promise<Record<string, unknown>> =>
      done('jobs', verb, '--account', account.accountId, '--job', String(later['jobId']));
    expect(await operator('pause')).toMatchObject({ status: 'paused', pauseReason: 'REQUESTED' });
    expect(await operator('resume')).toMatchObject({ status: 'queued', pauseReason: null });
    expect(await operator('cancel')).toMatchObject({ status: 'cancelled' });
    const json = await done('audit', 'list', '--account', account.accountId);
    expect(JSON.stringify(json)).toContain('job.pause');
  }, 120_000);

  it('retries failed recipients as a new job', async () => {
    // Apply this only to one number, because tests of other files run concurrently.
    await control('POST', '/faults', { only: account.phoneNumberId, errorRate: 1, errorCode: 131026 });
    const { body } = await send(freshPhones(3));
    try {
      await becomes(body['jobId'], { status: 'completed', failed: 3 });
    } finally {
      await control('POST', '/faults', {});
    }
    const again = await as('POST', `/jobs/${String(body['jobId'])}/retry-failed`);
    expect([again.status, again.body]).toMatchObject([201, { success: true, accepted: 3 }]);
    expect(await becomes(again.body['jobId'], { status: 'completed', failed: 0 })).toMatchObject({
      retryOf: body['jobId'],
    });
  }, 60_000);
});
