import { getUsageV1, listRatesV1 } from '@switchboard/contracts';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

describe('usage', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let viewer: Awaited<ReturnType<typeof signedIn>>;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 },
    });
    customer = await gateway.customer();
    viewer = await signedIn(gateway, customer.accountId, 'viewer');
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const callApi = async (query: string) => {
    const response = await fetch(`${gateway.url}/v1/usage${query}`, {
      headers: { authorization: `Bearer ${customer.apiKey}` },
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const callConsole = (query: string) => viewer.call('GET', `/console/v1/usage${query}`);

  it.each([
    ['the API', (query: string) => callApi(query)],
    ['the console', (query: string) => callConsole(query)],
  ])('is returned for the account by %s', async (_what, call) => {
    const month = new Date().toISOString().slice(0, 7);
    const { accountId } = customer;
    const { response } = getUsageV1.sample;
    expect(await call('')).toMatchObject({ status: 200, body: { success: true, month, by: 'category', ...response } });
    expect(await call('?month=2026-10&by=job')).toMatchObject({ status: 200, body: { month: '2026-10', by: 'job' } });
    expect(gateway.fakes.of(getUsageV1)).toEqual([
      { accountId, month, by: 'category' },
      { accountId, month: '2026-10', by: 'job' },
    ]);
    for (const query of [
      '?month=2026-13',
      '?month=october',
      '?month=0000-01',
      '?month=9999-12',
      '?by=country',
      '?month=2026-10&month=2026-11',
    ])
      expect(await call(query)).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } });
  });

  it("includes today's rates in the console", async () => {
    const { response } = listRatesV1.sample;
    expect(await viewer.call('GET', '/console/v1/rates')).toMatchObject({
      status: 200,
      body: { success: true, ...response },
    });
    expect(gateway.fakes.of(listRatesV1)).toEqual([{ on: new Date().toISOString().slice(0, 10) }]);
  });
});
