import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import { newAccount } from './support/account';
import { type Answer, call, type CallOptions, get } from './support/api';
import { done } from './support/installation';
import { freshPhone } from './support/simulator';

interface Description {
  paths: Record<string, Record<string, { requestBody?: { required: boolean; content: Record<string, object> } }>>;
}

/** Checks the table of spec §6.2 on every kind of route. */
describe('error table of every API operation', () => {
  let operations: [method: string, path: string][];
  let takingJson: string[];
  let accountId: string;

  beforeAll(async () => {
    const description = (await get('/openapi.json', { apiKey: null })).body as unknown as Description;
    const isPublic = (path: string): boolean => path.endsWith('/openapi.json');
    operations = Object.entries(description.paths).flatMap(([path, methods]) =>
      isPublic(path)
        ? []
        : Object.keys(methods).map((method): [string, string] => [method.toUpperCase(), exampleOf(path)]),
    );
    takingJson = Object.entries(description.paths).flatMap(([path, { post }]) =>
      post?.requestBody?.required && post.requestBody.content['application/json'] ? [exampleOf(path)] : [],
    );
    ({ accountId } = await newAccount('Errors', { plan: 'starter' }));
  }, 60_000);

  const createKey = async (...words: string[]): Promise<string> =>
    String((await done('keys', 'create', '--account', accountId, '--name', 'errors', ...words))['apiKey']);

  /** Calls every operation and returns the responses that differ from the expected one. */
  async function deviating(
    expected: { status: number; code: string; message: string },
    options: CallOptions,
  ): Promise<string[]> {
    const faults: string[] = [];
    for (const [method, path] of operations) {
      const answer = await call(method, path, { ...options, ...(method === 'POST' && { body: {} }) });
      const { status, body } = answer;
      const asExpected =
        status === expected.status &&
        body['code'] === expected.code &&
        String(body['message']).includes(expected.message) &&
        isOurs(answer);
      if (!asExpected) faults.push(`${method} ${path} answers ${status} ${JSON.stringify(body)}`);
    }
    expect(operations.length).toBeGreaterThanOrEqual(10);
    return faults;
  }

  const UNAUTHORIZED = { status: 401, code: 'UNAUTHORIZED', message: 'missing or invalid API key' };

  it.each([
    ['no key', { apiKey: null }],
    ['a key that never was', { apiKey: `sb_live_${randomUUID()}` }],
    ['another scheme', { apiKey: null, headers: { authorization: 'Basic dXNlcjpwYXNz' } }],
    ['an empty key', { apiKey: null, headers: { authorization: 'Bearer ' } }],
  ])('returns 401 with the same text for %s', async (_what, options) => {
    expect(await deviating(UNAUTHORIZED, options)).toEqual([]);
  });

  it('returns 401 for a revoked key', async () => {
    const { apiKey, keyId } = await done('keys', 'create', '--account', accountId, '--name', 'revoked');
    await done('keys', 'revoke', '--key', String(keyId));
    expect(await deviating(UNAUTHORIZED, { apiKey: String(apiKey) })).toEqual([]);
  });

  it('returns 403 for a key without permission for the route', async () => {
    const apiKey = await createKey('--route', 'GET /v1/media/:id');
    const refused = { status: 403, code: 'ROUTE_NOT_ALLOWED', message: 'may not use this route' };
    expect((await deviating(refused, { apiKey })).filter((fault) => !fault.startsWith('GET /media/'))).toEqual([]);
  });

  it('returns 403 for a disallowed address before the route is checked', async () => {
    const apiKey = await createKey('--ip', '203.0.113.0/24', '--route', 'GET /v1/media/:id');
    expect(
      await deviating(
        { status: 403, code: 'IP_NOT_ALLOWED', message: 'this address may not use the API key' },
        { apiKey, headers: { 'x-forwarded-for': '203.0.113.9' } },
      ),
    ).toEqual([]);
  });

  it('returns 429 with Retry-After for a client that exceeds the limit', async () => {
    const plan = `once_${randomUUID().slice(0, 8)}`;
    await done('plans', 'set', '--name', plan, '--rate-limit', '1', '--rate-window', '3600');
    const { accountId: limited } = await done('accounts', 'create', '--name', 'Limited', '--plan', plan);
    const apiKey = String((await done('keys', 'create', '--account', String(limited), '--name', 'k'))['apiKey']);
    expect((await get('/me', { apiKey })).status).toBe(200);
    expect(await deviating({ status: 429, code: 'RATE_LIMITED', message: 'rate limit exceeded' }, { apiKey })).toEqual(
      [],
    );
    const { headers } = await get('/me', { apiKey });
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^\d{10}$/),
      'retry-after': expect.stringMatching(/^[1-9]\d*$/),
    });
  });

  it('returns 403 for media outside the plan before the body is validated', async () => {
    const apiKey = await createKey();
    const expected = {
      status: 403,
      body: {
        success: false,
        code: 'FEATURE_NOT_IN_PLAN',
        message: expect.stringMatching(/^feature not available in your plan/),
      },
    };
    for (const type of ['image', 'document', 'video', 'audio'])
      expect(await call('POST', '/messages/send', { apiKey, body: { type } })).toMatchObject(expected);
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    expect(await call('POST', '/messages/send', { apiKey, headers: form, body: 'no form at all' })).toMatchObject(
      expected,
    );
  });

  it('returns 404 for unknown paths and versions, and 405 for other methods', async () => {
    const apiKey = await createKey();
    for (const path of ['/nothing', '/messages/send/nothing', '/../v2/me', '/me/', '/otp']) {
      const answer = await get(path, { apiKey });
      expect({ path, ...answer }).toMatchObject({
        path,
        status: 404,
        body: { code: 'NOT_FOUND', message: expect.stringMatching(/^not found: no such route: GET \//) },
      });
    }
    const deletable = operations.flatMap(([method, path]) => (method === 'DELETE' ? [path] : []));
    for (const [method, path] of operations.filter(([, each]) => !deletable.includes(each))) {
      const answer = await call('DELETE', path, { apiKey });
      expect({ path, ...answer }).toMatchObject({
        path,
        status: 405,
        body: { code: 'METHOD_NOT_ALLOWED', message: expect.stringMatching(/^method not allowed: use /) },
      });
      expect(answer.headers.get('allow')).toContain(method);
    }
  });

  it('returns 400 and 415 for every kind of invalid body on every route', async () => {
    const whole = await newAccount('Every feature');
    // The body limit of a bulk call starts at 6 MB and grows with the number of recipients that the plan allows.
    await done('accounts', 'override', '--account', whole.accountId, '--bulk-recipients', '10');
    // Exceed the limit only slightly, within what a connection usually buffers.
    const tooMuch = (path: string): object => ({ x: 'x'.repeat(path.endsWith('/bulk') ? 6_300_000 : 2_000_000) });
    const cases = (path: string): [string, CallOptions, number, string][] => [
      ['text that is not JSON', { body: '{"to":' }, 400, 'INVALID_JSON'],
      ['nothing', { headers: { 'content-type': 'application/json' }, body: '' }, 400, 'INVALID_JSON'],
      ['a list', { body: [] }, 400, 'INVALID_PARAMETER'],
      ['a number', { body: '7' }, 400, 'INVALID_PARAMETER'],
      ['no fields', { body: {} }, 400, 'MISSING_FIELD'],
      ['another content type', { body: 'a,b', headers: { 'content-type': 'text/csv' } }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
      ['too much', { body: tooMuch(path) }, 413, 'PAYLOAD_TOO_LARGE'],
    ];
    expect(takingJson.length).toBeGreaterThanOrEqual(4);
    for (const path of takingJson) {
      for (const [what, options, status, code] of cases(path)) {
        const request = () => call('POST', path, { apiKey: whole.apiKey, ...options });
        // A client that is still writing a large body when the connection is closed reads no response.
        const answer = await (status === 413 ? eventually(request) : request());
        expect({ path, what, ...answer }).toMatchObject({ path, what, status, body: { code } });
        expect(isOurs(answer)).toBe(true);
      }
    }
  }, 90_000);

  it('returns 422 for invalid phone numbers wherever one is accepted', async () => {
    const apiKey = await createKey();
    for (const phone of [
      '12',
      '+919812345678',
      '0919812345678',
      '91 98123 45678',
      '９１９８１２３４５６７８',
      '9'.repeat(16),
    ]) {
      const answers = await Promise.all([
        call('POST', '/messages/send', { apiKey, body: { to: phone, type: 'text', text: { body: 'x' } } }),
        call('POST', '/otp/verify', { apiKey: undefined, body: { phone, otp: '482913' } }),
        get(`/messages?phone=${encodeURIComponent(phone)}`, { apiKey }),
        get(`/conversations/${encodeURIComponent(phone)}/messages`, { apiKey }),
      ]);
      for (const answer of answers)
        expect({ phone, ...answer }).toMatchObject({
          phone,
          status: 422,
          body: {
            code: 'INVALID_PHONE',
            message: expect.stringMatching(
              /^phone number format is invalid: digits only, with country code, without \+(; did you mean \d+\?)?$/,
            ),
          },
        });
    }
  });

  it('keeps a valid request id and generates one otherwise', async () => {
    const kept = await get('/nothing', { headers: { 'x-request-id': 'mine-1234' } });
    expect([kept.headers.get('x-request-id'), kept.body['requestId']]).toEqual(['mine-1234', 'mine-1234']);
    const made = await get(`/conversations/${freshPhone()}/messages`, {
      headers: { 'x-request-id': 'not valid'.repeat(50) },
    });
    expect(made.headers.get('x-request-id')).toMatch(/^req_/);
  });
});

/** Fills a path with an unknown id of the right format. */
function exampleOf(path: string): string {
  return path
    .slice('/v1'.length)
    .replace('{phone}', '15005559999')
    .replace('{jobId}', 'job_01jd0000000000000000000000')
    .replace('{id}', 'med_01jd0000000000000000000000');
}

/** Returns true if an error has exactly the documented shape. */
function isOurs({ headers, body }: Answer): boolean {
  const { success, message, code, details = [], requestId, ...more } = body;
  const isShaped =
    success === false &&
    typeof message === 'string' &&
    typeof code === 'string' &&
    Array.isArray(details) &&
    headers.get('x-request-id') === requestId;
  return (
    isShaped && Object.keys(more).length === 0 && headers.get('content-type')?.startsWith('application/json') === true
  );
}
