import { type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

describe('API description and reference page', () => {
  let gateway: GatewayUnderTest;

  beforeAll(async () => {
    const settings = { SECURITY_CONTACT: 'mailto:security@example.com', PUBLIC_BASE_URL: 'https://api.example.com' };
    gateway = await startGateway({ standing: [], settings });
  });
  afterAll(() => gateway.close());

  it.each([
    '/v1/openapi.json',
    '/docs',
    '/docs/reference/messages',
    '/docs/reference/events',
    '/docs/reference/errors',
    '/docs/search.json',
    '/docs/site.css',
    '/docs/site.js',
    '/docs/theme.js',
    '/docs/postman.json',
    '/docs/changelog',
    '/docs/changelog.md',
    '/docs/guides',
    '/docs/guides/webhooks',
    '/docs/guides/webhooks.md',
    '/llms.txt',
    '/.well-known/security.txt',
  ])('revalidates %s by entity tag', async (path) => {
    const first = await fetch(gateway.url + path);
    const etag = first.headers.get('etag') ?? '';
    expect([first.status, first.headers.get('cache-control'), (await first.text()).length > 10]).toEqual([
      200,
      'public, no-cache',
      true,
    ]);
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    const again = await fetch(gateway.url + path, { headers: { 'if-none-match': etag } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    expect((await fetch(gateway.url + path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
  });

  it('lets browsers cache the font', async () => {
    const page = await (await fetch(`${gateway.url}/docs`)).text();
    const [, path = ''] = /href="([^"]+\.woff2)"/.exec(page) ?? [];
    const font = await fetch(gateway.url + path);
    expect([font.status, font.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(await (await fetch(`${gateway.url}/docs/site.css`)).text()).toContain(`url('${path}')`);
  });

  it.each(['/docs', '/docs/reference/messages', '/docs/search.json', '/docs/site.js', '/docs/guides/webhooks'])(
    'responds to HEAD %s like GET, without a body',
    async (path) => {
      const [get, head] = await Promise.all([fetch(gateway.url + path), fetch(gateway.url + path, { method: 'HEAD' })]);
      const facts = ({ status, headers }: Response): unknown[] => [
        status,
        headers.get('etag'),
        headers.get('content-type'),
      ];
      expect([...facts(head), await head.text()]).toEqual([...facts(get), '']);
    },
  );

  it.each([
    '/docs/reference/nope',
    '/docs/guides/nope',
    '/docs/nope',
    '/docs/messages/send',
    `/docs/reference/${encodeURIComponent('<script>alert(1)</script>')}`,
    `/docs/reference/${encodeURIComponent('../../package.json')}`,
    '/docs/guides/__proto__',
  ])('shows browsers a page for the unknown address %.60s', async (path) => {
    const unknown = await fetch(gateway.url + path, { headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([unknown.status, unknown.headers.get('content-type'), unknown.headers.get('etag')]).toEqual([
      404,
      'text/html; charset=utf-8',
      null,
    ]);
    expect(unknown.headers.get('content-security-policy')).toContain("default-src 'none'");
    const text = await unknown.text();
    expect(text).toContain('<h1>Page not found</h1>');
    expect(text).not.toContain('alert(1)');
    expect((await call(gateway.url + path)).body.code).toBe('NOT_FOUND');
  });

  it('returns 404 for a very long address', async () => {
    expect(await call(`${gateway.url}/docs/reference/${'a'.repeat(8_000)}`)).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });

  it.each(['/docs', '/docs/reference/messages', '/docs/guides/webhooks'])(
    'serves %s under a strict content security policy',
    async (path) => {
      const page = await fetch(gateway.url + path);
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect((await page.text()).match(/<script[^>]*>[^<]*/g)).toEqual([
        '<script src="/docs/theme.js">',
        '<script src="/docs/site.js" defer>',
      ]);
    },
  );

  it('shows the public URL in code samples', async () => {
    const page = await fetch(`${gateway.url}/docs/reference/messages`);
    expect([page.headers.get('content-encoding'), await page.text()]).toEqual([
      'gzip',
      expect.stringContaining('https://api.example.com/v1/messages/send'),
    ]);
  });

  it('serves a Postman collection with the public URL', async () => {
    const { body } = await call(`${gateway.url}/docs/postman.json`);
    expect(body['variable']).toEqual([
      { key: 'baseUrl', value: 'https://api.example.com' },
      { key: 'apiKey', value: '' },
    ]);
  });

  it('serves security.txt only if a contact is configured', async () => {
    const file = await fetch(`${gateway.url}/.well-known/security.txt`);
    expect([file.headers.get('content-type'), (await file.text()).split('\n')]).toEqual([
      'text/plain; charset=utf-8',
      [
        'Contact: mailto:security@example.com',
        expect.stringMatching(/^Expires: \d{4}-\d\d-\d\dT00:00:00Z$/),
        'Canonical: https://api.example.com/.well-known/security.txt',
        '',
      ],
    ]);
    const other = await startGateway({ beside: gateway });
    try {
      const { status, body } = await call(`${other.url}/.well-known/security.txt`);
      expect([status, body]).toEqual([
        404,
        {
          success: false,
          message: 'not found: no such file',
          code: 'NOT_FOUND',
          details: [],
          requestId: expect.any(String),
        },
      ]);
    } finally {
      await other.close();
    }
  });

  it.each([
    ['/docs/', '/docs'],
    ['/docs/guides/', '/docs/guides'],
    ['/docs/guides/webhooks/?a=1', '/docs/guides/webhooks?a=1'],
    ['/docs//', '/docs'],
  ])('redirects %s to %s', async (given, wanted) => {
    const response = await fetch(`${gateway.url}${given}`, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([301, wanted]);
  });

  it('limits requests per address', async () => {
    const { apiKey } = await gateway.customer();
    const statuses = new Map<number, number>();
    for (let round = 0; round < 40; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => fetch(`${gateway.url}/docs/theme.js`)));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect(statuses.get(200)).toBeLessThan(340);
    expect(statuses.get(429)).toBeGreaterThan(50);
    // One request is refilled every 0.2 s, so at least one of several parallel requests is rejected.
    const others = await Promise.all(Array.from({ length: 20 }, () => call(`${gateway.url}/v1/openapi.json`)));
    const refused = others.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused)
      expect([body.code, Number(headers.get('retry-after'))]).toEqual(['RATE_LIMITED', 1]);
    expect((await call(`${gateway.url}/v1/templates`, { key: apiKey })).status).not.toBe(429);
    expect((await call(`${gateway.url}/v1/me`)).status).toBe(401);
  });
});
