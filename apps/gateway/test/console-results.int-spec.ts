import { getJobV1, getResultsV1, newId } from '@switchboard/contracts';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

const { response } = getResultsV1.sample;
const [GROUP] = response.groups;

describe('console results', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let viewer: Awaited<ReturnType<typeof signedIn>>;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['messaging', 'jobs'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 },
    });
    customer = await gateway.customer();
    viewer = await signedIn(gateway, customer.accountId, 'viewer');
  });
  beforeEach(() => gateway.fakes.reset());
  afterAll(() => gateway.close());

  const call = (path: string) => viewer.call('GET', `/console/v1/${path}`);
  const asked = () => gateway.fakes.of(getResultsV1);

  it('are returned for the account and the range', async () => {
    const { accountId } = customer;
    const range = { since: '2026-11-01', until: '2026-11-29' };
    expect(await call('results?by=label&since=2026-11-01&until=2026-11-29')).toMatchObject({
      status: 200,
      body: { success: true, by: 'label', ...range, ...response },
    });
    expect((await call('results?until=2026-11-29')).status).toBe(200);
    expect((await call('results')).body.until).toBe(new Date().toISOString().slice(0, 10));
    expect(asked().slice(0, 2)).toEqual([
      { accountId, by: 'label', ...range },
      { accountId, by: 'template', since: '2026-10-31', until: '2026-11-29' },
    ]);
  });

  it('have the current names of users by agent', async () => {
    const { user } = viewer;
    gateway.fakes.answer(getResultsV1, () => ({
      ...response,
      groups: [
        { ...GROUP, key: user.userId, name: null },
        { ...GROUP, key: null, name: null },
      ],
    }));
    const { groups } = (await call('results?by=agent')).body as { groups: { name: string | null }[] };
    expect(groups.map(({ name }) => name)).toEqual([user.name, null]);
  });

  it('have the names of jobs', async () => {
    const [named, plain] = [newId('job'), newId('job')];
    gateway.fakes.answer(getResultsV1, () => ({
      ...response,
      groups: [named, plain].map((key) => ({ ...GROUP, key, name: 'order_update' }) as NonNullable<typeof GROUP>),
    }));
    gateway.fakes.answer(getJobV1, ({ jobId }) => ({
      job: { ...getJobV1.sample.response.job, jobId, name: jobId === named ? 'Winter sale' : null },
    }));
    const { groups } = (await call('results?by=job')).body as { groups: { name: string | null }[] };
    expect(groups.map(({ name }) => name)).toEqual(['Winter sale', 'order_update']);
  });

  it.each([
    ['by=country', 400, 'INVALID_PARAMETER'],
    ['since=2026-11-01&since=2026-11-02', 400, 'INVALID_PARAMETER'],
    ['since=november', 422, 'INVALID_VALUE'],
    ['since=2026-02-30', 422, 'INVALID_VALUE'],
    ['until=1999-01-01', 422, 'INVALID_VALUE'],
    ['since=2026-11-02&until=2026-11-01', 422, 'INVALID_VALUE'],
    ['since=2026-01-01&until=2026-04-03', 422, 'INVALID_VALUE'],
  ])('reject the query %s', async (query, status, code) => {
    for (const path of ['results', 'results.csv'])
      expect(await call(`${path}?${query}`)).toMatchObject({ status, body: { code } });
    expect(asked()).toEqual([]);
  });

  it('are downloaded as CSV without formulas', async () => {
    gateway.fakes.answer(getResultsV1, () => ({
      ...response,
      groups: [
        { ...GROUP, key: 'lbl_1', name: '=SUM(A1)' },
        { ...GROUP, key: null, name: null, reasons: [], responses: 0, medianResponseSeconds: null },
      ],
    }));
    const { status, headers, body } = await call('results.csv?by=label&since=2026-11-01&until=2026-11-29');
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      expect.stringContaining('results-label-2026-11-01-2026-11-29.csv'),
    ]);
    expect(String(body.text).replace('\uFEFF', '').trimEnd().split('\r\n')).toEqual([
      'key,name,sent,delivered,read,answered,pressed,failed,responses,medianResponseSeconds,reasons',
      `lbl_1,'=SUM(A1),120,117,88,31,12,4,31,412,"UNDELIVERABLE 3, UPSTREAM_ERROR 1"`,
      ',,120,117,88,31,12,4,0,,',
    ]);
  });
});
