import { sendMessageV1 } from '@switchboard/contracts';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { expectOurShape } from './support/error-shape';
import { call, exchangeBytes, parseAnswer } from './support/http';

const SEND = '/v1/messages/send';
const TO = '919812345678';
const text = (fields: object): object => ({ to: TO, type: 'text', text: { body: 'hi' }, ...fields });

/** Request bodies, each with a title, the expected status and the expected code. */
const JSON_BODIES: [string, unknown, number, string][] = [
  ['no JSON', '{"to":', 400, 'INVALID_JSON'],
  ['an empty body', '', 400, 'INVALID_JSON'],
  ['a body of spaces', '   ', 400, 'INVALID_JSON'],
  ['a list', [], 400, 'INVALID_PARAMETER'],
  ['null', 'null', 400, 'INVALID_PARAMETER'],
  ['a number', '1', 400, 'INVALID_PARAMETER'],
  ['a string', '"to"', 400, 'INVALID_PARAMETER'],
  ['20,000 nested lists', '['.repeat(20_000) + ']'.repeat(20_000), 400, 'INVALID_JSON'],
  ['20,000 nested objects', `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`, 400, 'INVALID_JSON'],
  ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 400, 'INVALID_JSON'],
  [
    'a text that is not UTF-8',
    Buffer.from('{"to":"919812345678","type":"text","text":{"body":"caf\u00e9"}}', 'latin1'),
    400,
    'INVALID_JSON',
  ],
  ['nothing in it', {}, 400, 'MISSING_FIELD'],
  ['no recipient', { type: 'text', text: { body: 'hi' } }, 400, 'MISSING_FIELD'],
  ['a recipient that is null', text({ to: null }), 400, 'MISSING_FIELD'],
  ['no text', { to: TO, type: 'text' }, 400, 'MISSING_FIELD'],
  ['no text body', text({ text: {} }), 400, 'MISSING_FIELD'],
  ['a recipient that is a number', text({ to: 919812345678 }), 400, 'INVALID_PARAMETER'],
  ['a recipient that is a list', text({ to: [TO] }), 400, 'INVALID_PARAMETER'],
  ['a text that is a list', text({ text: [{ body: 'hi' }] }), 400, 'INVALID_PARAMETER'],
  ['a text that is an empty list', text({ text: [] }), 400, 'INVALID_PARAMETER'],
  ['a text that is a string', text({ text: 'hi' }), 400, 'INVALID_PARAMETER'],
  ['an unknown type', text({ type: 'fax' }), 400, 'INVALID_PARAMETER'],
  ['a type that is an object', text({ type: { toString: 'text' } }), 400, 'INVALID_PARAMETER'],
  [
    'a template language that is a list',
    { to: TO, type: 'template', template: { name: 'a', language: [] } },
    400,
    'INVALID_PARAMETER',
  ],
  [
    'template components in a nested list',
    { to: TO, type: 'template', template: { name: 'a', language: { code: 'en' }, components: [[{ type: 'body' }]] } },
    400,
    'INVALID_PARAMETER',
  ],
  [
    'template components that are null',
    { to: TO, type: 'template', template: { name: 'a', language: { code: 'en' }, components: [null] } },
    400,
    'INVALID_PARAMETER',
  ],
  [
    'template parameters in a nested list',
    {
      to: TO,
      type: 'template',
      template: { name: 'a', language: { code: 'en' }, components: [{ type: 'body', parameters: [[]] }] },
    },
    400,
    'INVALID_PARAMETER',
  ],
  ['a plus before the number', text({ to: `+${TO}` }), 422, 'INVALID_PHONE'],
  ['Arabic digits', text({ to: '٩١٩٨١٢٣٤٥٦٧٨' }), 422, 'INVALID_PHONE'],
  ['a NUL character', text({ text: { body: 'a\u0000b' } }), 422, 'INVALID_VALUE'],
  ['a lone surrogate', '{"to":"919812345678","type":"text","text":{"body":"\\ud800"}}', 422, 'INVALID_VALUE'],
  ['an empty text', text({ text: { body: '' } }), 422, 'INVALID_VALUE'],
  ['a text of 4,097 characters', text({ text: { body: 'x'.repeat(4097) } }), 422, 'TEXT_TOO_LONG'],
  ['1 MB and a byte', `"${'x'.repeat(1_048_575)}"`, 413, 'PAYLOAD_TOO_LARGE'],
];

describe('error responses', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  it.each(JSON_BODIES)('rejects a send with %s', async (_what, body, status, code) => {
    const answer = await call(`${gateway.url}${SEND}`, { method: 'POST', key: customer.apiKey, body });
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expectOurShape(answer);
    expect(gateway.fakes.of(sendMessageV1)).toEqual([]);
  });

  it.each([
    ['GET', '/nothing', 404, 'NOT_FOUND'],
    ['GET', '/v1', 404, 'NOT_FOUND'],
    ['GET', '/v2/me', 404, 'NOT_FOUND'],
    ['GET', '/v1/me/', 404, 'NOT_FOUND'],
    ['GET', '/v1/ME', 404, 'NOT_FOUND'],
    ['GET', '//v1/me', 404, 'NOT_FOUND'],
    ['GET', '/v1/../v1/nothing', 404, 'NOT_FOUND'],
    ['GET', '/v1/jobs/%E0%A4%A', 400, 'INVALID_PARAMETER'],
    ['GET', `/v1/jobs/${'j'.repeat(300)}`, 404, 'NOT_FOUND'],
    ['GET', `/v1/jobs/${'j'.repeat(5000)}`, 404, 'NOT_FOUND'],
    ['GET', '/v1/jobs/..%2f..%2fme', 404, 'NOT_FOUND'],
    ['GET', '/v1/messages?page=0', 400, 'INVALID_PARAMETER'],
    ['GET', '/v1/messages?page=1&page=2', 400, 'INVALID_PARAMETER'],
    ['GET', '/v1/messages?status=%00', 400, 'INVALID_PARAMETER'],
    ['GET', '/v1/messages?phone=%2B919812345678', 422, 'INVALID_PHONE'],
    ['GET', '/v1/templates?name=%00', 422, 'INVALID_VALUE'],
    ['GET', '/v1/templates?name=a&name=b', 400, 'INVALID_PARAMETER'],
    ['GET', '/v1/templates?category=spam', 400, 'INVALID_PARAMETER'],
    ['POST', '/v1/templates', 405, 'METHOD_NOT_ALLOWED'],
    ['PUT', '/v1/templates', 405, 'METHOD_NOT_ALLOWED'],
    ['PATCH', '/v1/templates', 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE', '/v1/templates', 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE', '/v1/templates/1387372356726668', 404, 'NOT_FOUND'],
    ['PUT', '/v1/templates/1387372356726668', 404, 'NOT_FOUND'],
    ['GET', SEND, 405, 'METHOD_NOT_ALLOWED'],
    ['PUT', SEND, 405, 'METHOD_NOT_ALLOWED'],
    ['DELETE', '/v1/me', 405, 'METHOD_NOT_ALLOWED'],
    ['OPTIONS', '/v1/me', 405, 'METHOD_NOT_ALLOWED'],
    ['PROPFIND', '/v1/me', 405, 'METHOD_NOT_ALLOWED'],
    ['GET', '/v1/contacts/919812345678/block', 405, 'METHOD_NOT_ALLOWED'],
    ['POST', '/docs', 405, 'METHOD_NOT_ALLOWED'],
  ])('rejects %s %s', async (method, path, status, code) => {
    // Sends raw bytes, because fetch would normalize the path.
    const request = `${method} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${customer.apiKey}\r\nConnection: close\r\n\r\n`;
    const answer = parseAnswer(await exchangeBytes(gateway.url, request));
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expectOurShape(answer);
    if (status === 404) expect(answer.body.message).toMatch(/^not found(: |$)/);
    if (status === 405) expect(answer.headers.get('allow')).toMatch(/^[A-Z]+(, [A-Z]+)*$/);
    if (path === SEND) expect(answer.headers.get('allow')).toBe('POST');
    if (path.endsWith('/block')) expect(answer.headers.get('allow')).toBe('DELETE, POST');
  });

  it.each([
    ['text/plain', 'hello'],
    ['application/x-www-form-urlencoded', 'to=1'],
    ['application/xml', '<to/>'],
    ['nonsense', '{}'],
  ])('rejects a body of type %s', async (type, body) => {
    const answer = await call(`${gateway.url}${SEND}`, {
      key: customer.apiKey,
      body,
      headers: { 'content-type': type },
    });
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expectOurShape(answer);
  });

  it('rejects a form on a JSON route', async () => {
    for (const path of ['/v1/otp/verify', '/v1/messages/send/bulk', '/v1/messages/send/authentication/utility']) {
      const answer = await call(`${gateway.url}${path}`, {
        key: customer.apiKey,
        body: '--x--',
        headers: { 'content-type': 'multipart/form-data; boundary=x' },
      });
      expect([path, answer.status, answer.body.code]).toEqual([path, 415, 'UNSUPPORTED_MEDIA_TYPE']);
      expectOurShape(answer);
    }
  });

  it.each([
    ['{', 'INVALID_JSON'],
    ['[]', 'INVALID_PARAMETER'],
    ['7', 'INVALID_PARAMETER'],
  ])('rejects the body %s where none is needed', async (body, code) => {
    const path = '/v1/jobs/job_01jd0000000000000000000000/pause';
    const answer = await call(`${gateway.url}${path}`, { key: customer.apiKey, body });
    expect([answer.status, answer.body.code]).toEqual([400, code]);
    expectOurShape(answer);
  });

  it('rejects a compressed body', async () => {
    const answer = await call(`${gateway.url}${SEND}`, {
      key: customer.apiKey,
      body: '{}',
      headers: { 'content-encoding': 'gzip' },
    });
    expect([answer.status, answer.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expectOurShape(answer);
  });

  it('do not contain the cause of an unexpected error', async () => {
    gateway.fakes.answer(sendMessageV1, () => {
      throw new TypeError('relation "secret" does not exist');
    });
    const answer = await call(`${gateway.url}${SEND}`, { key: customer.apiKey, body: text({}) });
    expect([answer.status, answer.body.message]).toEqual([500, 'internal server error']);
    expectOurShape(answer);
    expect(JSON.stringify(answer.body)).not.toContain('secret');
  });

  it('return 401 before 404 and 405', async () => {
    for (const [method, path] of [
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/me'],
      ['POST', '/v1/templates'],
    ] as const) {
      const answer = await call(`${gateway.url}${path}`, { method });
      expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'UNAUTHORIZED']);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      expectOurShape(answer);
      expect([404, 405]).toContain((await call(`${gateway.url}${path}`, { method, key: customer.apiKey })).status);
    }
    expect((await call(`${gateway.url}/v1/openapi.json`, { method: 'DELETE' })).status).toBe(405);
    expect((await call(`${gateway.url}/v2/me`)).status).toBe(404);
  });

  it.each(['/v1/messages', '/v1/contacts', '/v1/conversations', '/v1/jobs'])('clamps any limit of %s', async (path) => {
    const { status, body } = await call(`${gateway.url}${path}?limit=${'9'.repeat(30)}`, { key: customer.apiKey });
    expect([status, body.pagination]).toEqual([200, expect.objectContaining({ limit: 100 })]);
  });

  it('contain the fixed messages verbatim', async () => {
    const messageOf = async (body: object): Promise<unknown> =>
      (await call(`${gateway.url}${SEND}`, { key: customer.apiKey, body })).body.message;
    expect(await messageOf({ type: 'text', text: { body: 'x' } })).toBe('to is required');
    expect(await messageOf(text({ to: '12' }))).toBe(
      'phone number format is invalid: digits only, with country code, without +',
    );
    expect((await call(`${gateway.url}/v1/me`)).body.message).toBe(
      'missing or invalid API key: send the header Authorization: Bearer <API key>',
    );
    expect((await call(`${gateway.url}/nothing?key=1`)).body.message).toBe('not found: no such route: GET /nothing');
  });

  it.each([
    ['{"to":', 'it ends too early'],
    ['{"to":"919812345678",}', 'error at position 21'],
    ['{to:"919812345678"}', 'error at position 1'],
    ["'{}'", "unexpected character '"],
  ])('reports %s as invalid JSON: %s', async (body, place) => {
    const answer = await call(`${gateway.url}${SEND}`, { key: customer.apiKey, body });
    expect(answer.body.message).toBe(`the body is not valid JSON: ${place}`);
  });

  it.each([
    ['/messages/send', '/v1/messages/send'],
    ['/v1/messages/send/', '/v1/messages/send'],
    ['/messages/send/', '/v1/messages/send'],
  ])('suggests for POST %s the route %s', async (path, meant) => {
    const { status, body } = await call(`${gateway.url}${path}`, { key: customer.apiKey, body: text({}) });
    expect([status, body.message]).toEqual([404, `not found: no such route: POST ${path}; did you mean ${meant}?`]);
  });

  it.each([
    ['{"__proto__":{"polluted":1},"to":"919812345678","type":"text","text":{"body":"hi"}}', 200],
    ['{"constructor":{"prototype":{"polluted":1}},"to":"919812345678","type":"text","text":{"body":"hi"}}', 200],
    ['{"to":"919812345678","type":"text","text":{"__proto__":{"body":"hi"}}}', 400],
  ])('prevents prototype pollution by %s', async (body, status) => {
    const answer = await call(`${gateway.url}${SEND}`, { key: customer.apiKey, body });
    expect(answer.status).toBe(status);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    for (const command of gateway.fakes.of(sendMessageV1)) expect(JSON.stringify(command)).not.toContain('polluted');
  });

  it("contain the caller's request id if it is safe", async () => {
    const idFor = async (given: string): Promise<string | null> =>
      (await call(`${gateway.url}/v1/me`, { headers: { 'x-request-id': given } })).headers.get('x-request-id');
    for (const given of ['order-77.A_b', 'x', 'x'.repeat(128)]) expect(await idFor(given)).toBe(given);
    for (const given of ['', 'a b', 'a:b', 'a/b', 'x'.repeat(129), '<script>', '"', 'caf\xe9'])
      expect(await idFor(given)).toMatch(/^req_[0-9a-z]{26}$/);
  });

  it('have the security headers of an API', async () => {
    const { headers } = await call(`${gateway.url}/nothing`);
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('DENY');
    // The header has no meaning over plain HTTP and must not be sent.
    expect(headers.get('strict-transport-security')).toBeNull();
    expect(headers.get('x-powered-by')).toBeNull();
  });
});
