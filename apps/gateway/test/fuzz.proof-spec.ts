import { fuzz, type FuzzReport, operationsOf } from './fuzz/fuzz';
import { type GatewayUnderTest, startGateway } from './support/gateway';
import { described } from './support/checked-in';

const REQUESTS = 1_500;
/** Fraction of requests that may receive a 503 or a late response because the machine stalls. */
const STALLED_SHARE = 0.005;

describe('generated requests', () => {
  let gateway: GatewayUnderTest;
  let report: FuzzReport;

  beforeAll(async () => {
    gateway = await startGateway();
    await gateway.services.plans.setPlan(
      'unlimited',
      {
        rateLimit: 1_000_000,
        rateWindowSeconds: 60,
        bulkRecipients: 1_000,
        features: ['MEDIA', 'THIRD_PARTY_API', 'BULK_EXCEL'],
      },
      'test',
    );
    const { apiKey } = await gateway.customer({ plan: 'unlimited' });
    // The first spreadsheet loads a library, which takes seconds in tests that compile every module.
    expect(
      (await fetch(`${gateway.url}/v1/jobs/sample.xlsx`, { headers: { authorization: `Bearer ${apiKey}` } })).status,
    ).toBe(200);
    report = await fuzz({
      url: gateway.url,
      apiKey,
      description: described.description,
      requests: REQUESTS,
      concurrency: 4,
      seed: 20260302,
    });
  }, 300_000);
  afterAll(() => gateway.close());

  it('receive documented responses in time, without a 5xx', () => {
    expect(JSON.stringify(report.failures, null, 1).slice(0, 10_000)).toBe('[]');
    expect(report.failed).toBe(0);
    expect(report.repeated).toBeLessThanOrEqual(REQUESTS * STALLED_SHARE);
    expect(report.requests).toBe(REQUESTS);
  });

  it('reach every operation, successfully where possible', () => {
    const ids = operationsOf(described.description).map(({ operationId }) => operationId);
    expect(ids.filter((id) => !report.byOperation[id])).toEqual([]);
    // Schemas cannot generate existing ids, spreadsheets or approved templates.
    const ofJobs = [
      'listJobRecipients',
      'getJobResultsCsv',
      'getJobResultsXlsx',
      'pauseJob',
      'resumeJob',
      'cancelJob',
      'retryFailedRecipients',
    ];
    const ofMessages = ['getMessage', 'markMessageRead', 'showTyping'];
    const ofMedia = ['getMedia', 'getMediaInfo', 'deleteMedia'];
    const takeIds = ['getJob', ...ofMedia, ...ofMessages, ...ofJobs, 'sendBulk', 'sendBulkExcel', 'updateContact'];
    expect(ids.filter((id) => !report.accepted[id] && !takeIds.includes(id))).toEqual([]);
  });
});
