import {
  createExcelJobV1,
  type CreatedJob,
  getJobV1,
  jobsErasePersonV1,
  listRecipientsV1,
  newId,
} from '@switchboard/contracts';
import { type SheetJobs, startSheetJobs } from './support/sheet-jobs';
import { type RunningJobs, TEMPLATE } from './support/start-jobs';

const accountId = newId('acc');
let sheets: SheetJobs;
let jobs: RunningJobs;

beforeAll(async () => {
  sheets = await startSheetJobs();
  jobs = sheets.jobs;
});
afterAll(() => sheets.stop());

interface Times {
  jobId?: string;
  scheduledAt?: string;
  expireAt?: string;
}

async function createExcel(file: Buffer, { jobId = newId('job'), ...times }: Times = {}): Promise<CreatedJob> {
  jobs.messaging.bodyVariables = ['1', '2'];
  const blobKey = await sheets.store(accountId, file);
  return jobs.gateway.request(createExcelJobV1, {
    accountId,
    jobId,
    blobKey,
    maxRows: 100,
    message: TEMPLATE,
    ...times,
  });
}

it('stores the format and warnings of a CSV job', async () => {
  const file = Buffer.from('phone;1;2\r\n919812345678;Garc\u00eda;"A;17"\r\n;Ravi;A-18\r\n', 'latin1');
  const jobId = newId('job');
  const created = await createExcel(file, { jobId });
  const sheet = { format: 'csv', encoding: 'windows-1252', delimiter: ';' };
  const warnings = [{ field: 'customerExcel', message: expect.stringContaining('Windows-1252') as string }];
  expect(created).toMatchObject({
    total: 2,
    accepted: 1,
    rejected: 1,
    sheet,
    warnings,
    errors: [{ index: 3, phone: '', message: 'phone number format is invalid: the cell is empty' }],
  });
  expect(await createExcel(file, { jobId })).toEqual(created);
  expect((await jobs.gateway.request(getJobV1, { accountId, jobId })).job).toMatchObject({ sheet, warnings });
});

it('reads user ids from the phone column or a separate column', async () => {
  const [one, two] = ['IN.10000000000000000001', 'IN.ENT.20000000000000000002'];
  const file = `User ID;1;2;phone\n${one};a;b;\n4711;a;b;919812345678\n;a;b;${two}\n4711;a;b;\n${one};a;b;${one}\n919800001027;a;b;\n`;
  const created = await createExcel(Buffer.from(file));
  expect(created).toMatchObject({
    total: 6,
    accepted: 3,
    duplicates: 1,
    // Digits in the column of user ids may be an internal id of the API client.
    errors: ['4711', '919800001027'].map((phone) => ({ phone, code: 'INVALID_PHONE' })),
    sheet: { delimiter: ';' },
  });
  const wanted = { accountId, jobId: created.jobId, page: 1, limit: 20 };
  const { recipients } = await jobs.gateway.request(listRecipientsV1, wanted);
  expect(recipients.map(({ index, phone }) => [index, phone])).toEqual([
    [2, one],
    [3, '919812345678'],
    [4, two],
    [5, '4711'],
    [7, '919800001027'],
  ]);
  const alone = await createExcel(Buffer.from(`user_id,1,2\n${one},a,b\n`));
  expect(alone).toMatchObject({ total: 1, accepted: 1 });
});

it('shows an empty phone as submitted, and null after an erasure', async () => {
  const { jobId } = await createExcel(Buffer.from('phone,1,2\n,a,b\n919812345679,,b\n919812345678,a,b\n'));
  await jobs.gateway.request(jobsErasePersonV1, { accountId, phones: ['919812345679', '919812345678'], dryRun: false });
  const { recipients } = await jobs.gateway.request(listRecipientsV1, { accountId, jobId, page: 1, limit: 100 });
  expect(recipients.map(({ index, phone, status }) => [index, phone, status])).toEqual([
    [2, '', 'rejected'],
    [3, null, 'rejected'],
    [4, null, 'cancelled'],
  ]);
});

it('applies the schedule and expiry of the request', async () => {
  const [scheduledAt, expireAt] = [1, 2].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString());
  const { jobId } = await createExcel(Buffer.from('phone,1,2\n919812345678,a,b\n'), { scheduledAt, expireAt });
  const { job } = await jobs.gateway.request(getJobV1, { accountId, jobId });
  expect(job).toMatchObject({ status: 'queued', scheduledAt, expireAt });
});
