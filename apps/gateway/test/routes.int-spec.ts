import {
  AppError,
  getJobV1,
  listMessagesV1,
  listNumbersV1,
  listTemplatesV1,
  sendMessageV1,
  verifyCodeV1,
} from '@switchboard/contracts';
import { RouteTable } from '../src/http/route-table';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const TEXT = { to: '919812345678', type: 'text', text: { body: 'Your order has shipped' }, clientRef: 'order-1' };

describe('public API routes', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const asCustomer = (path: string, options: Parameters<typeof call>[1] = {}) =>
    call(`${gateway.url}${path}`, { key: customer.apiKey, ...options });

  it('send a message and return both of its ids', async () => {
    const { status, body } = await asCustomer('/v1/messages/send', { body: { ...TEXT, unknown: 1 } });
    expect(status).toBe(200);
    const { id, upstreamId } = sendMessageV1.sample.response;
    const warnings = [{ field: 'unknown', message: 'unknown is not a known field and was ignored' }];
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({ success: true, message_id: upstreamId, status: 'accepted', id, warnings }),
    );
    const [command] = gateway.fakes.of(sendMessageV1);
    expect(command).toEqual({
      accountId: customer.accountId,
      messageId: expect.stringMatching(/^msg_[0-9a-z]{26}$/) as string,
      message: TEXT,
      senderId: expect.stringMatching(/^key_/) as string,
    });
  });

  it('treat a null field as absent', async () => {
    const template = { name: 'order_update', language: { code: 'en_US' }, components: null };
    const { status } = await asCustomer('/v1/messages/send', {
      body: { to: '919812345678', type: 'template', template, from: null, clientRef: null, caption: null },
    });
    expect(status).toBe(200);
    const [command] = gateway.fakes.of(sendMessageV1);
    expect(command?.message).toEqual({
      to: '919812345678',
      type: 'template',
      template: { name: 'order_update', language: { code: 'en_US' } },
    });
  });

  it('return an error from messaging unchanged', async () => {
    gateway.fakes.answer(sendMessageV1, () => {
      throw new AppError('WINDOW_CLOSED');
    });
    const { status, body } = await asCustomer('/v1/messages/send', { body: TEXT });
    expect([status, body.code]).toEqual([400, 'WINDOW_CLOSED']);
  });

  it('list messages in the documented format', async () => {
    const { status, body } = await asCustomer(
      '/v1/messages?page=2&limit=500&direction=outbound&phone=919812345678&other=1',
    );
    expect(status).toBe(200);
    expect(gateway.fakes.of(listMessagesV1)).toEqual([
      { accountId: customer.accountId, page: 2, limit: 100, direction: 'outbound', phone: '919812345678' },
    ]);
    expect(body).toMatchObject({
      success: true,
      messages: [
        {
          message_id: expect.any(String),
          messageId: expect.any(String),
          text: { body: 'Your order has shipped' },
          caption: null,
          jobId: null,
        },
      ],
      pagination: { page: 2, limit: 100, total: 1, totalPages: 1, hasNext: false, nextCursor: null },
    });
  });

  it('return the account with plan, limits and numbers', async () => {
    await gateway.services.credits.topUp(
      { accountId: customer.accountId, category: 'utility', amount: 940, reason: 'test' },
      'test',
    );
    const { status, body, headers } = await asCustomer('/v1/me');
    expect(status).toBe(200);
    expect(body).toEqual({
      success: true,
      account: {
        id: customer.accountId,
        name: 'Customer',
        createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      },
      apiClient: {
        id: customer.keyId,
        name: 'key',
        keyPrefix: customer.apiKey.slice(0, 12),
        allowedIps: [],
        allowedRoutes: [],
        expiresAt: null,
      },
      plan: {
        name: 'scale',
        features: ['BULK_MSG_LIMIT', 'BULK_EXCEL', 'MEDIA', 'THIRD_PARTY_API'],
        limits: { bulkRecipients: 10_000, excelRows: 100_000 },
      },
      // Monthly grant of the plan plus a top-up.
      credits: { utility: 10_940 },
      rateLimit: {
        limit: 6000,
        remaining: Number(headers.get('x-ratelimit-remaining')),
        windowSeconds: 60,
        resetAt: expect.stringMatching(/Z$/) as string,
      },
      numbers: listNumbersV1.sample.response.numbers.map(
        ({ id: _id, phoneNumberId: _phoneNumberId, restrictions = [], ...number }) => ({ ...number, restrictions }),
      ),
    });
  });

  it('list approved templates, with case-insensitive filters', async () => {
    const { status, body } = await asCustomer('/v1/templates?category=utility&language=en-US&name=order_update');
    expect([status, body]).toEqual([200, { success: true, ...listTemplatesV1.sample.response }]);
    expect(gateway.fakes.of(listTemplatesV1)).toEqual([
      { accountId: customer.accountId, category: 'UTILITY', language: 'en-US', name: 'order_update' },
    ]);
  });

  it('verify a one-time password', async () => {
    const { status, body } = await asCustomer('/v1/otp/verify', { body: { phone: '919812345678', otp: '482913' } });
    expect([status, body]).toEqual([200, { success: true, verified: true }]);
  });

  it('reject a one-time password in the documented format', async () => {
    gateway.fakes.answer(verifyCodeV1, () => {
      throw new AppError('OTP_INVALID', { extra: { verified: false, attemptsRemaining: 4 } });
    });
    const { status, body } = await asCustomer('/v1/otp/verify', { body: { phone: '919812345678', otp: '482913' } });
    expect(status).toBe(400);
    expect(body).toEqual({
      success: false,
      verified: false,
      message: 'invalid or expired OTP',
      code: 'OTP_INVALID',
      attemptsRemaining: 4,
      details: [],
      requestId: expect.any(String) as string,
    });
  });

  it('return a job and reject an invalid job id', async () => {
    const { jobId } = getJobV1.sample.response.job;
    expect((await asCustomer(`/v1/jobs/${jobId}`)).body).toEqual({ success: true, ...getJobV1.sample.response });
    expect((await asCustomer('/v1/jobs/job_%00')).status).toBe(404);
    expect(gateway.fakes.of(getJobV1)).toHaveLength(1);
  });

  it('require authentication unless declared public', async () => {
    const { routes } = gateway.app.get(RouteTable);
    const open = routes.filter(({ publicBecause }) => publicBecause !== undefined);
    expect(open.map(({ method, url }) => `${method} ${url}`).sort()).toEqual([
      'GET /',
      'GET /.well-known/security.txt',
      'GET /callbacks/upstream',
      'GET /dashboard',
      'GET /dashboard/*',
      'GET /dashboard/assets/:file',
      'GET /docs',
      'GET /docs/*',
      'GET /docs/:file',
      'GET /docs/changelog',
      'GET /docs/changelog.md',
      'GET /docs/guides',
      'GET /docs/guides/:name',
      'GET /docs/postman.json',
      'GET /docs/reference/:page',
      'GET /docs/search.json',
      'GET /llms.txt',
      'GET /v1/openapi.json',
      'HEAD /',
      'HEAD /.well-known/security.txt',
      'HEAD /callbacks/upstream',
      'HEAD /dashboard',
      'HEAD /dashboard/*',
      'HEAD /dashboard/assets/:file',
      'HEAD /docs',
      'HEAD /docs/*',
      'HEAD /docs/:file',
      'HEAD /docs/changelog',
      'HEAD /docs/changelog.md',
      'HEAD /docs/guides',
      'HEAD /docs/guides/:name',
      'HEAD /docs/postman.json',
      'HEAD /docs/reference/:page',
      'HEAD /docs/search.json',
      'HEAD /llms.txt',
      'HEAD /v1/openapi.json',
      'POST /callbacks/upstream',
      'POST /console/v1/invitations/accept',
      'POST /console/v1/invitations/open',
      'POST /console/v1/password-resets/complete',
      'POST /console/v1/session',
      'POST /console/v1/session/second-factor',
    ]);
    const closed = routes.filter((route) => !open.includes(route));
    expect(closed.length).toBeGreaterThanOrEqual(10);
    for (const { method, url } of closed) {
      const { status } = await call(`${gateway.url}${url.replace(':jobId', 'job_1')}`, {
        method,
        body: method === 'POST' ? {} : undefined,
      });
      expect(`${method} ${url} ${status}`).toBe(`${method} ${url} 401`);
    }
  });

  it('are linked to the reference page', async () => {
    const page = await fetch(`${gateway.url}/docs`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    // The dashboard is not built in these tests.
    for (const [, file] of (await page.text()).matchAll(/(?:src|href)="(\/(?!dashboard)[^"]+)"/g))
      expect((await fetch(`${gateway.url}${file}`)).status).toBe(200);
    expect((await call(`${gateway.url}/docs/package.json`)).status).toBe(404);
  });
});
