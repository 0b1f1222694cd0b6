import {
  AppError,
  controlJobV1,
  createExcelJobV1,
  createHeldExcelJobV1,
  createHeldJobV1,
  createJobV1,
  estimateJobV1,
  getJobV1,
  listJobsV1,
  listRecipientsV1,
  searchTemplatesV1,
  newId,
  renameJobV1,
  retryFailedV1,
  SAMPLE_JOB,
  stageJobRowsV1,
} from '@switchboard/contracts';
import ExcelJS from 'exceljs';
import type { Role } from '../src/request-context/roles';
import { type ConsoleAnswer, signedIn } from './support/console';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';

type SignedInBrowser = Awaited<ReturnType<typeof signedIn>>;

const MESSAGE = { type: 'template', template: { name: 'order_update', language: { code: 'en_US' } } };
const SHEET = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(20_000, 'sheet')]);
const jobId = newId('job');

function formOf(fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ templateName: 'order_update', language: 'en_US', ...fields }))
    form.append(name, value);
  form.append('customerExcel', new Blob([new Uint8Array(SHEET)]), 'customers.xlsx');
  return form;
}

describe('console bulk jobs', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;
  let admin: SignedInBrowser;

  beforeAll(async () => {
    gateway = await startGateway({
      standing: ['jobs', 'templates'],
      settings: { CONSOLE_REQUESTS_PER_MINUTE: 10_000 },
    });
  });
  beforeEach(async () => {
    gateway.fakes.reset();
    await gateway.database.dataSource.query('DELETE FROM sign_in_attempts');
    customer = await gateway.customer({ plan: 'scale' });
    admin = await signedIn(gateway, customer.accountId, 'admin');
  });
  afterAll(() => gateway.close());

  const noted = async (): Promise<unknown> =>
    gateway.database.dataSource.query(
      "SELECT actor, action, target, details, outcome, error_code AS code FROM audit_log WHERE account_id = $1 AND action LIKE 'job.%' ORDER BY id",
      [customer.accountId],
    );
  const download = (path: string): Promise<Response> =>
    fetch(`${gateway.url}/console/v1/jobs/${path}`, { headers: { cookie: admin.cookie } });

  it('creates an audited held job from a list', async () => {
    const recipients = ['919812345678', { to: '12', clientRef: 'a' }];
    const { status, body } = await admin.call('POST', '/console/v1/jobs', {
      body: { ...MESSAGE, recipients, hold: true },
    });
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { success: true, ...createHeldJobV1.sample.response },
    });
    const [command] = gateway.fakes.of(createHeldJobV1);
    expect(command).toEqual({
      accountId: customer.accountId,
      jobId: expect.stringMatching(/^job_/),
      message: MESSAGE,
      hold: true,
      parts: 0,
      rows: [
        { position: 0, phone: '919812345678' },
        { position: 1, phone: '12', clientRef: 'a' },
      ],
    });
    expect(await noted()).toEqual([
      {
        actor: `user:${admin.user.userId}`,
        action: 'job.create',
        target: command?.jobId,
        details: { type: 'template', template: 'order_update', hold: true },
        outcome: 'done',
        code: null,
      },
    ]);
  });

  it("splits long lists and enforces the plan's limit", async () => {
    const phones = Array.from({ length: 2_300 }, (_, index) => String(919_800_000_000 + index));
    const send = (): Promise<ConsoleAnswer> =>
      admin.call('POST', '/console/v1/jobs', { body: { ...MESSAGE, recipients: phones } });
    expect((await send()).status).toBe(201);
    expect(gateway.fakes.of(stageJobRowsV1)).toHaveLength(2);
    await gateway.services.overrides.setOverrides(customer.accountId, { bulkRecipients: 2_299 }, 'test');
    expect(await send()).toMatchObject({ status: 400, body: { code: 'BULK_LIMIT_EXCEEDED' } });
    expect(gateway.fakes.of(createJobV1)).toHaveLength(1);
  });

  it('creates an audited held job from a spreadsheet', async () => {
    await gateway.services.overrides.setOverrides(customer.accountId, { excelRows: 500 }, 'test');
    const { status, body } = await admin.call('POST', '/console/v1/jobs/excel', { body: formOf({ hold: 'true' }) });
    expect({ status, body }).toMatchObject({ status: 201, body: createHeldExcelJobV1.sample.response });
    const [{ blobKey, ...command } = {}] = gateway.fakes.of(createHeldExcelJobV1);
    expect(blobKey).toMatch(new RegExp(`^sheets/${customer.accountId}/req_`));
    expect(command).toEqual({
      accountId: customer.accountId,
      jobId: expect.stringMatching(/^job_/),
      message: MESSAGE,
      maxRows: 500,
      hold: true,
    });
    expect(await noted()).toMatchObject([
      { action: 'job.create', target: command.jobId, outcome: 'done', details: { hold: true } },
    ]);
    const refused = await admin.call('POST', '/console/v1/jobs/excel', { body: formOf({ hold: 'perhaps' }) });
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMETER' } });
    expect(gateway.fakes.of(createHeldExcelJobV1)).toHaveLength(1);
  });

  it('requires the features of the plan', async () => {
    await gateway.services.overrides.setOverrides(
      customer.accountId,
      { removedFeatures: ['BULK_MSG_LIMIT', 'BULK_EXCEL'] },
      'test',
    );
    const list = await admin.call('POST', '/console/v1/jobs', {
      body: { ...MESSAGE, recipients: ['919812345678'] },
    });
    const sheet = await admin.call('POST', '/console/v1/jobs/excel', { body: formOf() });
    expect([list, sheet].map(({ status, body }) => [status, body.message])).toEqual([
      [403, 'feature not available in your plan: BULK_MSG_LIMIT'],
      [403, 'feature not available in your plan: BULK_EXCEL'],
    ]);
    expect([...gateway.fakes.of(createJobV1), ...gateway.fakes.of(createExcelJobV1)]).toEqual([]);
  });

  it('records rejected jobs as rejected', async () => {
    gateway.fakes.answer(createJobV1, () => {
      throw new AppError('TEMPLATE_NOT_APPROVED');
    });
    const { status } = await admin.call('POST', '/console/v1/jobs', {
      body: { ...MESSAGE, recipients: ['919812345678'] },
    });
    expect(status).toBe(400);
    expect(await noted()).toMatchObject([{ outcome: 'refused', code: 'TEMPLATE_NOT_APPROVED' }]);
  });

  it('lets admins, but not viewers, control jobs', async () => {
    const actions = ['resume', 'pause', 'cancel', 'retry-failed'];
    const all = async (browser: SignedInBrowser): Promise<number[]> => {
      const statuses: number[] = [];
      for (const action of actions)
        statuses.push((await browser.call('POST', `/console/v1/jobs/${jobId}/${action}`)).status);
      return statuses;
    };
    const viewer = await signedIn(gateway, customer.accountId, 'viewer' satisfies Role);
    expect(await all(viewer)).toEqual([403, 403, 403, 403]);
    expect(gateway.fakes.of(controlJobV1)).toEqual([]);
    gateway.fakes.answer(getJobV1, () => ({ job: { ...SAMPLE_JOB, status: 'paused', pauseReason: 'HELD' } }));
    expect(await all(admin)).toEqual([200, 200, 200, 201]);
    expect(gateway.fakes.of(controlJobV1).map(({ action }) => action)).toEqual(['resume', 'pause', 'cancel']);
    const [{ newJobId } = {}] = gateway.fakes.of(retryFailedV1);
    expect(await noted()).toMatchObject([
      ...['job.resume', 'job.pause', 'job.cancel'].map((action) => ({ action, target: jobId, outcome: 'done' })),
      { action: 'job.retry-failed', target: jobId, outcome: 'done', details: { newJobId } },
    ]);
    // The audit log distinguishes the start of a held job from its continuation.
    expect(await noted()).toMatchObject([{ details: { pauseReason: 'HELD' } }, { details: {} }, {}, {}]);
  });

  it('creates a named job, and renames it with an audit entry', async () => {
    const named = { ...MESSAGE, recipients: ['919812345678'], name: ' Winter sale ' };
    await admin.call('POST', '/console/v1/jobs', { body: named });
    expect(gateway.fakes.of(createJobV1)).toMatchObject([{ name: 'Winter sale' }]);
    expect(gateway.fakes.of(createJobV1)[0]?.message).not.toHaveProperty('name');
    await admin.call('POST', '/console/v1/jobs', { body: { ...named, dryRun: true } });
    expect(gateway.fakes.of(estimateJobV1)).toHaveLength(1);
    expect(gateway.fakes.of(estimateJobV1)[0]).not.toHaveProperty('name');
    await admin.call('POST', '/console/v1/jobs/excel', { body: formOf({ name: 'Winter sale' }) });
    expect(gateway.fakes.of(createExcelJobV1)).toMatchObject([{ name: 'Winter sale' }]);
    const rename = (name: unknown): Promise<ConsoleAnswer> =>
      admin.call('PATCH', `/console/v1/jobs/${jobId}`, { body: { name } });
    expect((await rename('Spring sale ')).status).toBe(200);
    expect((await rename(' ')).status).toBe(200);
    expect(gateway.fakes.of(renameJobV1).map(({ name }) => name)).toEqual(['Spring sale', null]);
    expect(((await noted()) as object[]).slice(2)).toMatchObject([
      { action: 'job.rename', target: jobId, details: { name: 'Spring sale' }, outcome: 'done' },
      { action: 'job.rename', target: jobId, details: { name: null }, outcome: 'done' },
    ]);
  });

  it.each([
    ['x'.repeat(101), 422, 'TEXT_TOO_LONG'],
    ['Winter\nsale', 422, 'INVALID_VALUE'],
    [7, 400, 'INVALID_PARAMETER'],
  ])('rejects the name %j of a job with %i', async (name, status, code) => {
    const created = await admin.call('POST', '/console/v1/jobs', {
      body: { ...MESSAGE, recipients: ['919812345678'], name },
    });
    const renamed = await admin.call('PATCH', `/console/v1/jobs/${jobId}`, { body: { name } });
    expect([created, renamed]).toMatchObject([
      { status, body: { code, details: [{ field: 'name' }] } },
      { status, body: { code, details: [{ field: 'name' }] } },
    ]);
    expect([...gateway.fakes.of(createJobV1), ...gateway.fakes.of(renameJobV1)]).toEqual([]);
  });

  it('passes values for all rows of a spreadsheet on', async () => {
    const send = (variables: string): Promise<ConsoleAnswer> =>
      admin.call('POST', '/console/v1/jobs/excel', { body: formOf({ variables }) });
    const values = { 'header link': 'https://example.com/a.png' };
    expect((await send(JSON.stringify(values))).status).toBe(201);
    expect(gateway.fakes.of(createExcelJobV1)).toMatchObject([{ message: { template: { variables: values } } }]);
    for (const variables of ['x', '["a"]', '{"1":1}'])
      expect(await send(variables)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PARAMETER', details: [{ field: 'variables' }] },
      });
  });

  it('searches jobs by a part of the name', async () => {
    expect((await admin.call('GET', '/console/v1/jobs?search=winter%20s')).status).toBe(200);
    expect(gateway.fakes.of(listJobsV1)).toEqual([
      { accountId: customer.accountId, page: 1, limit: 20, search: 'winter s' },
    ]);
  });

  it('passes on a state conflict unchanged', async () => {
    gateway.fakes.answer(controlJobV1, () => {
      throw new AppError('JOB_STATE_CONFLICT');
    });
    expect(await admin.call('POST', `/console/v1/jobs/${jobId}/resume`)).toMatchObject({
      status: 409,
      body: { code: 'JOB_STATE_CONFLICT' },
    });
  });

  it('searches recipients by phone number only', async () => {
    const path = `/console/v1/jobs/${jobId}/recipients`;
    expect((await admin.call('GET', `${path}?status=failed&phone=919812345678`)).status).toBe(200);
    expect(gateway.fakes.of(listRecipientsV1)).toEqual([
      { accountId: customer.accountId, jobId, page: 1, limit: 20, status: 'failed', phone: '919812345678' },
    ]);
    expect(await admin.call('GET', `${path}?phone=12`)).toMatchObject({ status: 422, body: { code: 'INVALID_PHONE' } });
  });

  it('serves a spreadsheet of results for people', async () => {
    await gateway.services.accounts.setTimeZone({ accountId: customer.accountId, actor: 'test' }, 'Asia/Kolkata');
    const { recipients, ...page } = listRecipientsV1.sample.response;
    const values = { '{{1}}': '=A1', 'header link': 'https://example.com/a.png' };
    gateway.fakes.answer(listRecipientsV1, () => ({
      ...page,
      recipients: recipients.map((row) => ({ ...row, values })),
    }));
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(await (await download(`${jobId}/results.xlsx`)).arrayBuffer());
    // Empty cells have no value.
    const rowsOf = (row: number): unknown[] => ((book.worksheets[0]?.getRow(row).values ?? []) as unknown[]).slice(1);
    expect(rowsOf(1)).toEqual([
      ...['Row', 'Phone number', '{{1}}', 'header link', 'Outcome', 'Reason'],
      ...['Sent', 'Delivered', 'Read', 'Failed'].map((time) => `${time} (Asia/Kolkata)`),
      ...['From', 'Your reference'],
    ]);
    expect(rowsOf(2)).toEqual([
      ...['1', '919812345678', "'=A1", 'https://example.com/a.png', 'Delivered', undefined],
      ...['2026-03-02 15:45', '2026-03-02 15:45', undefined, undefined, '15550783881', 'order-7781'],
    ]);
    expect(gateway.fakes.of(listRecipientsV1)).toMatchObject([{ accountId: customer.accountId, withValues: true }]);
  });

  it('serves result files by state, and a sample spreadsheet', async () => {
    const csv = await download(`${jobId}/results.csv?status=failed`);
    expect([csv.status, csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      `attachment; filename="${jobId}-failed.csv"`,
    ]);
    expect((await csv.text()).split('\r\n')[0]).toContain('index,phone,clientRef,status');
    const xlsx = await download(`${jobId}/results.xlsx`);
    expect([
      xlsx.status,
      Buffer.from(await xlsx.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ]).toEqual([200, 'PK']);
    expect(gateway.fakes.of(listRecipientsV1).map(({ status, accountId }) => [status, accountId])).toEqual([
      ['failed', customer.accountId],
      [undefined, customer.accountId],
    ]);
    const sample = await download('sample.xlsx?templateName=order_update&language=en_US');
    expect([
      sample.status,
      Buffer.from(await sample.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ]).toEqual([200, 'PK']);
    expect(gateway.fakes.of(searchTemplatesV1)).toMatchObject([{ name: 'order_update', language: 'en_US' }]);
    expect((await download(`${jobId}/results.csv?status=lost`)).status).toBe(400);
    expect((await fetch(`${gateway.url}/console/v1/jobs/${jobId}/results.csv`)).status).toBe(401);
  });
});
