import {
  AppError,
  listContactsV1,
  listConversationMessagesV1,
  listConversationsV1,
  listMessagesV1,
} from '@switchboard/contracts';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';
import { FILTER_VALUES } from './support/message-filters';

describe('public API lists', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ standing: ['messaging'] });
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const get = (path: string) => call(`${gateway.url}${path}`, { key: customer.apiKey });
  const pagination = {
    page: 1,
    limit: 20,
    total: 1,
    totalIsExact: true,
    totalPages: 1,
    hasNext: false,
    nextCursor: null,
  };

  it('return contacts exactly as documented', async () => {
    const { status, body } = await get('/v1/contacts?search=%2B91%2098&optedOut=false&page=2&limit=500');
    const { contacts } = listContactsV1.sample.response;
    const warnings = [{ field: 'limit', message: 'limit is at most 100: the page has 100 items at most' }];
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toBe(
      JSON.stringify({ success: true, contacts, pagination: { ...pagination, page: 2, limit: 100 }, warnings }),
    );
    expect(gateway.fakes.of(listContactsV1)).toEqual([
      { accountId: customer.accountId, page: 2, limit: 100, search: '9198', optedOut: false },
    ]);
  });

  it('filter contacts by label', async () => {
    expect((await get('/v1/contacts?label=New%20order')).status).toBe(200);
    expect(gateway.fakes.of(listContactsV1)).toEqual([
      { accountId: customer.accountId, page: 1, limit: 20, label: 'New order' },
    ]);
    for (const label of ['', 'x'.repeat(41)])
      expect((await get(`/v1/contacts?label=${label}`)).body.code).toBe('INVALID_VALUE');
  });

  it('count filtered lists only up to a limit', async () => {
    const counted = { total: 1_000, totalIsExact: false, hasNext: true, nextCursor: 'next' };
    gateway.fakes.answer(listContactsV1, () => ({ ...listContactsV1.sample.response, ...counted }));
    const { status, body } = await get('/v1/contacts?search=91');
    expect([status, body.pagination]).toEqual([200, { ...pagination, ...counted, totalPages: 50 }]);
  });

  it('require a search text to find contacts', async () => {
    expect((await get('/v1/contacts/search?q=Asha%20R')).status).toBe(200);
    expect(gateway.fakes.of(listContactsV1)).toEqual([
      { accountId: customer.accountId, page: 1, limit: 20, search: 'AshaR' },
    ]);
    const missing = await get('/v1/contacts/search');
    expect([missing.status, missing.body.code, missing.body.message]).toEqual([400, 'MISSING_FIELD', 'q is required']);
    expect((await get('/v1/contacts/search?q=a')).status).toBe(422);
    expect((await get('/v1/contacts/search?q=ab')).status).toBe(200);
  });

  it.each(['contacts/search?q', 'contacts?search', 'conversations?search'])(
    'validate the length of %s',
    async (path) => {
      const name = path.split('?')[1];
      for (const text of ['', '%20%20', '%20a%20', '+'])
        expect(await get(`/v1/${path}=${text}`)).toMatchObject({
          status: 422,
          body: {
            code: 'INVALID_VALUE',
            message: `${name} must have at least 2 characters, not counting blanks, pluses and accents`,
          },
        });
      expect(await get(`/v1/${path}=${'x'.repeat(101)}`)).toMatchObject({
        status: 422,
        body: { code: 'INVALID_VALUE', message: `${name} must have at most 100 characters` },
      });
      expect((await get(`/v1/${path}=%20${'x'.repeat(100)}%20`)).status).toBe(200);
    },
  );

  it('return conversations exactly as documented', async () => {
    const { status, body } = await get('/v1/conversations?windowOpen=true');
    const conversations = listConversationsV1.sample.response.conversations.map(
      ({ lastMessage: { upstreamId, ...rest }, ...record }) => {
        const { phone, userId, username, name, queue: _queue, labels: _labels, ...others } = record;
        return { phone, userId, username, name, lastMessage: { message_id: upstreamId, ...rest }, ...others };
      },
    );
    expect(status).toBe(200);
    expect(JSON.stringify(body)).toBe(JSON.stringify({ success: true, conversations, pagination }));
    expect(gateway.fakes.of(listConversationsV1)).toEqual([
      { accountId: customer.accountId, page: 1, limit: 20, windowOpen: true },
    ]);
  });

  it('return messages with a contact, or 404 or 422', async () => {
    const { status, body } = await get('/v1/conversations/919812345678/messages?limit=5');
    expect([status, (body.messages as unknown[]).length]).toEqual([200, 1]);
    expect(gateway.fakes.of(listConversationMessagesV1)).toEqual([
      { accountId: customer.accountId, phone: '919812345678', page: 1, limit: 5 },
    ]);
    gateway.fakes.answer(listConversationMessagesV1, () => {
      throw new AppError('NOT_FOUND');
    });
    expect((await get('/v1/conversations/919812345679/messages')).status).toBe(404);
    for (const phone of ['12', '+919812345678', 'abc', '%00']) {
      const refused = await get(`/v1/conversations/${encodeURIComponent(decodeURIComponent(phone))}/messages`);
      expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_PHONE']);
    }
  });

  it('pass message filters to messaging', async () => {
    await get('/v1/messages?jobId=job_01jd0000000000000000000000&since=2026-03-02&until=2026-03-03T00:00:00Z');
    expect(gateway.fakes.of(listMessagesV1)).toEqual([
      {
        accountId: customer.accountId,
        page: 1,
        limit: 20,
        jobId: 'job_01jd0000000000000000000000',
        since: '2026-03-02T00:00:00.000Z',
        until: '2026-03-03T00:00:00.000Z',
      },
    ]);
    gateway.fakes.reset();
    await get(`/v1/messages?${new URLSearchParams({ ...FILTER_VALUES }).toString()}`);
    const { messageId: upstreamId, ...others } = FILTER_VALUES;
    expect(gateway.fakes.of(listMessagesV1)).toEqual([
      { accountId: customer.accountId, page: 1, limit: 20, ...others, upstreamId },
    ]);
  });

  it.each([
    '/v1/contacts?optedOut=yes',
    '/v1/conversations?windowOpen=1',
    '/v1/conversations?limit=0',
    '/v1/contacts?cursor=%00',
  ])('reject %s', async (path) => {
    const { status, body } = await get(path);
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETER']);
  });

  it.each([
    ['messages', 'phone=12', 'phone'],
    ['contacts', 'search=a', 'search'],
    ['contacts/search', 'q=a', 'q'],
    ['conversations', 'search=a', 'search'],
    ['jobs/job_01jd0000000000000000000000/recipients', 'phone=12', 'phone'],
  ])('report all invalid parameters of %s together', async (path, filter, name) => {
    const { status, body } = await get(`/v1/${path}?limit=0&${filter}`);
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETER']);
    expect(body.details).toHaveLength(2);
    expect(body.details).toEqual(
      expect.arrayContaining([
        { field: 'limit', message: 'limit must be a positive integer' },
        expect.objectContaining({ field: name }),
      ]),
    );
  });
});
