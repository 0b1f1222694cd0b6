import { ask, get, NOBODY, refusalOf } from './calls';

const LISTS = {
  messages: '/messages',
  contacts: '/contacts',
  conversations: '/conversations',
  jobs: '/jobs',
  blocks: '/blocks',
  notices: '/account-notices',
};
const HUGE = '9'.repeat(30);

interface Page {
  page: number;
  limit: number;
}
const pageOf = async (path: string): Promise<Page> => (await get(path)).body['pagination'] as Page;
const itemsOf = async (path: string, name: string): Promise<Record<string, unknown>[]> =>
  (await get(path)).body[name] as Record<string, unknown>[];

describe('chapter 7: reads', () => {
  it('7.1.1 returns items under the name of the resource, next to pagination', async () => {
    for (const [name, path] of Object.entries(LISTS)) {
      const { status, body } = await get(path);
      expect({ path, status, body }).toMatchObject({
        path,
        status: 200,
        body: { success: true, [name]: expect.any(Array) as unknown[] },
      });
      expect(Object.keys(body['pagination'] as object)).toEqual(
        expect.arrayContaining(['page', 'limit', 'total', 'totalPages', 'hasNext', 'nextCursor']),
      );
    }
  });

  it('7.1.3 returns page 1 with 20 items by default', async () => {
    for (const [name, path] of Object.entries(LISTS)) {
      expect(await pageOf(path)).toMatchObject({ page: 1, limit: 20 });
      expect((await itemsOf(path, name)).length).toBeLessThanOrEqual(20);
    }
  });

  it('7.1.4 treats any limit above 100 as 100', async () => {
    for (const path of Object.values(LISTS))
      for (const limit of ['101', '100000', HUGE]) {
        const { pagination, warnings } = (await get(`${path}?limit=${limit}`)).body;
        expect({ path, limit, pagination, warnings }).toMatchObject({
          path,
          limit,
          pagination: { limit: 100 },
          warnings: [{ field: 'limit' }],
        });
      }
  });

  it('7.1.5 returns 400 unless page and limit are positive integers', async () => {
    for (const path of Object.values(LISTS)) {
      for (const query of [
        'page=0',
        'page=-1',
        'page=1.5',
        'page=first',
        'limit=0',
        'limit=-5',
        'limit=',
        'limit=ten',
      ]) {
        expect({ path, query, answer: refusalOf(await get(`${path}?${query}`)) }).toEqual({
          path,
          query,
          answer: [400, 'INVALID_PARAMETER'],
        });
      }
    }
  });

  it('7.1.6 returns an empty page for any page number past the end', async () => {
    const lists = [
      [`/messages?phone=${NOBODY}&`, 'messages'],
      [`/contacts?search=${NOBODY}&`, 'contacts'],
      [`/conversations?search=${NOBODY}&`, 'conversations'],
    ] as const;
    for (const [path, name] of lists) {
      for (const page of ['7', '100000', HUGE]) {
        const { status, body } = await get(`${path}page=${page}`);
        expect({ path, page, status, items: body[name] }).toEqual({ path, page, status: 200, items: [] });
      }
    }
    for (const [name, path] of Object.entries(LISTS)) {
      const { status, body } = await get(`${path}?page=${HUGE}`);
      expect({ path, status, items: body[name] }).toEqual({ path, status: 200, items: [] });
    }
  });

  it('7.1.11 returns 400 for an unknown filter value and 422 for a malformed number', async () => {
    for (const query of [
      'messages?direction=up',
      'messages?status=lost',
      'messages?type=fax',
      'contacts?optedOut=maybe',
      'conversations?windowOpen=maybe',
      'jobs?status=lost',
      'templates?category=SALE',
    ])
      expect({ query, answer: refusalOf(await get(`/${query}`)) }).toEqual({
        query,
        answer: [400, 'INVALID_PARAMETER'],
      });
    const recipients = '/jobs/job_01jd0000000000000000000000/recipients';
    for (const path of [
      recipients,
      ...['csv', 'xlsx'].map((kind) => recipients.replace('recipients', `results.${kind}`)),
    ])
      expect({ path, answer: refusalOf(await get(`${path}?status=lost`)) }).toEqual({
        path,
        answer: [400, 'INVALID_PARAMETER'],
      });
    for (const path of ['/messages', recipients])
      expect(refusalOf(await get(`${path}?phone=12`))).toEqual([422, 'INVALID_PHONE']);
  });

  it('7.2.4 returns 404 for a message of another account', async () => {
    for (const id of ['msg_01jd0000000000000000000000', 'wamid.HBgNobody'])
      expect(await get(`/messages/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND', message: 'not found: no such message' },
      });
  });

  it('7.3.3 rejects a search unless q has 2 to 100 characters', async () => {
    expect(refusalOf(await get('/contacts/search'))).toEqual([400, 'MISSING_FIELD']);
    for (const path of ['/contacts/search?q', '/contacts?search', '/conversations?search']) {
      for (const text of ['a', '', '%20%20', '%2B%2B', 'e%CC%81', '%CC%81%CC%81', 'x'.repeat(101)])
        expect([path, text, ...refusalOf(await get(`${path}=${text}`))]).toEqual([path, text, 422, 'INVALID_VALUE']);
      expect((await get(`${path}=%20${'x'.repeat(100)}%20`)).status).toBe(200);
    }
  });

  it('7.4.5 returns 404 for an unknown conversation and 422 for a malformed number', async () => {
    expect(refusalOf(await get(`/conversations/${NOBODY}/messages`))).toEqual([404, 'NOT_FOUND']);
    expect(refusalOf(await get('/conversations/12/messages'))).toEqual([422, 'INVALID_PHONE']);
  });

  it('7.5.1 lists only approved templates, without pages', async () => {
    const { status, body } = await get('/templates');
    expect([status, body['pagination']]).toEqual([200, undefined]);
    for (const template of body['templates'] as object[]) expect(template).toMatchObject({ status: 'APPROVED' });
  });

  it('7.5.3 returns a template with the documented fields', async () => {
    const templates = await itemsOf('/templates', 'templates');
    expect(templates).not.toEqual([]);
    for (const template of templates) {
      expect(template).toMatchObject({
        id: expect.any(String) as string,
        name: expect.any(String) as string,
        status: 'APPROVED',
        language: expect.any(String) as string,
        components: expect.any(Array) as unknown[],
        category: expect.stringMatching(/^(MARKETING|UTILITY|AUTHENTICATION)$/) as string,
      });
    }
  });

  it('7.5.5 rejects creating, changing and deleting templates', async () => {
    const { paths } = (await get('/openapi.json', { apiKey: null })).body as { paths: Record<string, object> };
    const ofTemplates = Object.entries(paths).filter(([path]) => path.includes('template'));
    expect(ofTemplates.map(([path, methods]) => [path, Object.keys(methods)])).toEqual([['/v1/templates', ['get']]]);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(refusalOf(await ask(method, '/templates', method === 'DELETE' ? {} : { body: {} }))).toEqual([
        405,
        'METHOD_NOT_ALLOWED',
      ]);
    }
  });

  it('7.6.1 returns /me with the documented fields', async () => {
    expect((await get('/me')).body).toMatchObject({
      success: true,
      account: {
        id: expect.any(String) as string,
        name: expect.any(String) as string,
        createdAt: expect.any(String) as string,
      },
      apiClient: {
        id: expect.any(String) as string,
        name: expect.any(String) as string,
        keyPrefix: expect.any(String) as string,
        allowedIps: expect.any(Array) as unknown[],
        allowedRoutes: expect.any(Array) as unknown[],
      },
      plan: {
        name: expect.any(String) as string,
        features: expect.any(Array) as unknown[],
        limits: { bulkRecipients: expect.any(Number) as number, excelRows: expect.any(Number) as number },
      },
      credits: { utility: expect.any(Number) as number },
      rateLimit: {
        limit: expect.any(Number) as number,
        remaining: expect.any(Number) as number,
        windowSeconds: expect.any(Number) as number,
        resetAt: expect.any(String) as string,
      },
      numbers: expect.any(Array) as unknown[],
    });
    const { apiClient, numbers } = (await get('/me')).body as { apiClient: object; numbers: object[] };
    expect(apiClient).toHaveProperty('expiresAt');
    expect(numbers).not.toEqual([]);
    for (const number of numbers)
      expect(Object.keys(number).sort()).toEqual([
        'messagingLimit',
        'phoneNumber',
        'portfolioId',
        'qualityRating',
        'restrictions',
        'status',
      ]);
  });

  it('11.1.1 offers no API call to register an endpoint', async () => {
    for (const path of ['/webhooks', '/webhook-endpoints', '/endpoints'])
      expect(refusalOf(await ask('POST', path, { body: {} }))).toEqual([404, 'NOT_FOUND']);
    const { paths } = (await get('/openapi.json', { apiKey: null })).body as { paths: Record<string, object> };
    expect(Object.keys(paths).filter((path) => /hook|endpoint/.test(path))).toEqual([]);
  });
});
