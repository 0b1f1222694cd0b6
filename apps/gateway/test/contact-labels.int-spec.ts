import { AppError, setContactLabelsV1 } from '@switchboard/contracts';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const PATH = '/v1/contacts/919812345678';

describe('labels of a contact', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ settings: {} });
    customer = await gateway.customer();
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  async function update(body: unknown, path = PATH): Promise<{ status: number; body: Record<string, unknown> }> {
    const headers = { authorization: `Bearer ${customer.apiKey}`, 'content-type': 'application/json' };
    const response = await fetch(`${gateway.url}${path}`, { method: 'PATCH', headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  it('are replaced by name', async () => {
    const { status, body } = await update({ labels: ['VIP', 'New order'] });
    expect([status, body]).toEqual([200, { success: true, contact: setContactLabelsV1.sample.response.contact }]);
    await update({ labels: [] }, '/v1/contacts/IN.10000000000000000001');
    const { accountId } = customer;
    expect(gateway.fakes.of(setContactLabelsV1)).toEqual([
      { accountId, phone: '919812345678', labels: ['VIP', 'New order'] },
      { accountId, phone: 'IN.10000000000000000001', labels: [] },
    ]);
  });

  it.each<[string, unknown, number, string]>([
    ['no labels', {}, 400, 'MISSING_FIELD'],
    ['a text', { labels: 'VIP' }, 400, 'INVALID_PARAMETER'],
    ['a number', { labels: [7] }, 400, 'INVALID_PARAMETER'],
    ['too many labels', { labels: Array.from({ length: 101 }, (_, index) => `L${index}`) }, 422, 'INVALID_VALUE'],
    ['an empty name', { labels: [''] }, 422, 'INVALID_VALUE'],
    ['a blank name', { labels: [' '] }, 422, 'INVALID_VALUE'],
    ['a long name', { labels: ['x'.repeat(41)] }, 422, 'TEXT_TOO_LONG'],
    ['a control character', { labels: ['a\u0007'] }, 422, 'INVALID_VALUE'],
  ])('reject %s', async (_title, given, status, code) => {
    const { status: returned, body } = await update(given);
    expect([returned, body['code']]).toEqual([status, code]);
    expect(gateway.fakes.of(setContactLabelsV1)).toEqual([]);
  });

  it('reject unknown contacts and invalid numbers', async () => {
    gateway.fakes.answer(setContactLabelsV1, () => {
      throw new AppError('NOT_FOUND');
    });
    expect((await update({ labels: ['VIP'] })).status).toBe(404);
    expect((await update({ labels: ['VIP'] }, '/v1/contacts/12')).body['code']).toBe('INVALID_PHONE');
  });
});
