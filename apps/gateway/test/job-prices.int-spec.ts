import { AppError, getJobChargesV1, getJobV1, listJobsV1, sumEstimatesV1 } from '@switchboard/contracts';
import { signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const { job } = getJobV1.sample.response;
const MONTH = new Date().toISOString().slice(0, 7);

describe('job prices', () => {
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

  const ofApi = (path: string) => call(`${gateway.url}/v1${path}`, { key: customer.apiKey });

  it('are shown in a job and in the list', async () => {
    const charges = { delivered: 3, billable: 2, amount: '0.0028', unrated: 1 };
    gateway.fakes.answer(getJobChargesV1, () => ({
      currency: 'USD',
      jobs: [{ jobId: job.jobId, ...charges }],
      total: null,
    }));
    const counts = { pending: 1, accepted: 2, sent: 3, delivered: 4, read: 5, failed: 6 };
    gateway.fakes.answer(getJobV1, () => ({ job: { ...job, ...counts } }));
    const reported = { currency: 'USD', amount: '0.0028', messages: 3, billable: 2, unrated: 1, open: 12 };
    const { body } = await ofApi(`/jobs/${job.jobId}`);
    expect(body).toMatchObject({ job: { estimate: job.estimate, reported } });
    expect((await ofApi('/jobs')).body).toMatchObject({ jobs: [{ reported: { ...reported, open: 0 } }] });
    expect(gateway.fakes.of(getJobChargesV1)).toEqual(
      Array(2).fill({ accountId: customer.accountId, jobIds: [job.jobId] }),
    );
  });

  it('are zero before the first report, and null if messaging is down', async () => {
    gateway.fakes.answer(getJobChargesV1, () => ({ currency: 'USD', jobs: [], total: null }));
    const none = { currency: 'USD', amount: '0.00', messages: 0, billable: 0, unrated: 0, open: 2 };
    expect((await ofApi(`/jobs/${job.jobId}`)).body).toMatchObject({ job: { reported: none } });
    for (const code of ['UNAVAILABLE', 'INTERNAL'] as const) {
      gateway.fakes.answer(getJobChargesV1, () => {
        throw new AppError(code);
      });
      expect(await ofApi(`/jobs/${job.jobId}`)).toMatchObject({ status: 200, body: { job: { reported: null } } });
    }
  });

  it('are totalled per month in the console', async () => {
    const { accountId } = customer;
    const { status, body } = await viewer.call('GET', '/console/v1/job-prices?month=2026-10&limit=5');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      month: '2026-10',
      currency: 'USD',
      estimated: sumEstimatesV1.sample.response,
      reported: { messages: 1, billable: 1, amount: '0.0014', unrated: 0 },
      jobs: [{ jobId: job.jobId, reported: job.reported }],
      pagination: { page: 1, limit: 5 },
    });
    expect(gateway.fakes.of(listJobsV1)).toEqual([{ accountId, month: '2026-10', page: 1, limit: 5 }]);
    expect(gateway.fakes.of(sumEstimatesV1)).toEqual([{ accountId, month: '2026-10', currency: 'USD' }]);
    await viewer.call('GET', '/console/v1/job-prices');
    expect(gateway.fakes.of(sumEstimatesV1).at(-1)).toMatchObject({ month: MONTH });
    expect((await viewer.call('GET', '/console/v1/job-prices?month=october')).body.code).toBe('INVALID_PARAMETER');
    gateway.fakes.answer(getJobChargesV1, () => ({ currency: null, jobs: [], total: null }));
    const unknown = await viewer.call('GET', '/console/v1/job-prices');
    expect(unknown.body).toMatchObject({ currency: null, estimated: null, reported: { amount: null, messages: 0 } });
  });
});
