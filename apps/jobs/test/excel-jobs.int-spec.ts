import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AppError,
  createExcelJobV1,
  createHeldExcelJobV1,
  getJobV1,
  listRecipientsV1,
  newId,
} from '@switchboard/contracts';
import { eventually, silentLogger, workbooks } from '@switchboard/testing';
import { SheetCleanup } from '../src/sheets/sheet-cleanup';
import { excelBook } from './support/program-books';
import { type SheetJobs, startSheetJobs } from './support/sheet-jobs';
import { type RunningJobs, TEMPLATE } from './support/start-jobs';

const { bookOf, inline, number, row } = workbooks;
const accountId = newId('acc');
let sheets: SheetJobs;
let jobs: RunningJobs;

beforeAll(async () => {
  sheets = await startSheetJobs();
  jobs = sheets.jobs;
});
afterAll(() => sheets.stop());

const stored = (file: Buffer): Promise<string> => sheets.store(accountId, file);

async function keys(): Promise<string[]> {
  const all: string[] = [];
  for await (const { key } of sheets.blobs.list('sheets/')) all.push(key);
  return all;
}

it('creates a job from a sheet and reports invalid rows by number', async () => {
  const rows = [
    row(inline('Phone'), inline('{{2}}'), inline('clientRef'), inline('note'), inline('1')),
    row(number('9.19812345678E+11'), inline('A-17'), inline('order-7781'), inline('x'), inline('Asha')),
    '<row/>',
    row(inline('12'), inline('A-18'), inline(''), inline(''), inline('Ravi')),
    row(inline('+91 98123-45679'), inline(''), inline(''), inline(''), inline('Ravi')),
    row(inline('2026-03-02'), inline('A-19'), inline(''), inline(''), inline('Ravi')),
    row(inline('919812345678'), inline('A-20'), inline(''), inline(''), inline('Asha')),
  ];
  const created = await sheets.create(accountId, bookOf({ sheets: [{ rows: rows.join('') }] }));
  expect(created).toEqual({
    jobId: expect.stringMatching(/^job_/),
    status: 'queued',
    total: 5,
    accepted: 1,
    rejected: 3,
    duplicates: 1,
    errors: [
      {
        index: 4,
        phone: '12',
        code: 'INVALID_PHONE',
        message: 'phone number format is invalid: digits only, with country code, without +',
      },
      {
        index: 5,
        phone: '919812345679',
        code: 'TEMPLATE_PARAMS_MISMATCH',
        message: 'template parameters do not match the template: column {{2}} is empty',
      },
      {
        index: 6,
        phone: '2026-03-02',
        code: 'INVALID_PHONE',
        message: 'phone number format is invalid: the cell holds a date: write it as text',
      },
    ],
    sheet: { format: 'xlsx', encoding: null, delimiter: null },
  });
  const { recipients } = await jobs.gateway.request(listRecipientsV1, {
    accountId,
    jobId: created.jobId,
    page: 1,
    limit: 1_000,
  });
  expect(
    recipients.map(({ index, phone, clientRef, status }) => [index, phone, clientRef, status === 'rejected']),
  ).toEqual([
    [2, '919812345678', 'order-7781', false],
    [4, '12', null, true],
    [5, '919812345679', null, true],
    [6, '2026-03-02', null, true],
  ]);
  const [{ components } = { components: null }] = (await jobs.dataSource.query(
    'SELECT components FROM recipients WHERE job_id = $1 AND position = 2',
    [created.jobId],
  )) as { components: unknown }[];
  expect(components).toEqual([
    {
      type: 'body',
      parameters: [
        { type: 'text', text: 'Asha' },
        { type: 'text', text: 'A-17' },
      ],
    },
  ]);
  expect(await keys()).toEqual([]);
});

it.each([
  [
    'other columns than the template',
    ['1', '2'],
    row(inline('phone'), inline('1')),
    'TEMPLATE_PARAMS_MISMATCH',
    'template parameters do not match the template: the spreadsheet lacks the column "{{2}}"',
  ],
  [
    'columns without a template variable',
    [],
    row(inline('phone'), inline('{{1}}')),
    'TEMPLATE_PARAMS_MISMATCH',
    'template parameters do not match the template: the template has no variable for the column "{{1}}"',
  ],
  [
    'no valid number',
    [],
    row(inline('phone')) + row(inline('12')),
    'INVALID_PHONE',
    'phone number format is invalid: no recipient is valid',
  ],
  ['no rows', [], row(inline('phone')), 'INVALID_VALUE', 'there are no recipients'],
  [
    'no phone column',
    [],
    row(inline('mobile')),
    'FILE_INVALID',
    'the file cannot be read: it has no column named phone or user id; its first row has mobile',
  ],
])('rejects a sheet with %s, stores nothing and removes the file', async (_what, variables, rows, code, text) => {
  const before = await sheets.jobCount();
  await expect(sheets.create(accountId, bookOf({ sheets: [{ rows }] }), { variables })).rejects.toMatchObject({
    name: 'AppError',
    code,
    message: text,
  });
  expect(await keys()).toEqual([]);
  expect(await sheets.jobCount()).toBe(before);
});

it('reports row errors when no row is valid', async () => {
  const rows = row(inline('phone')) + row(inline('12')) + row(inline('13'));
  await expect(sheets.create(accountId, bookOf({ sheets: [{ rows }] }), { variables: [] })).rejects.toMatchObject({
    code: 'INVALID_PHONE',
    details: [{ field: 'row 2' }, { field: 'row 3' }],
  });
});

it('returns a send error before reading the file', async () => {
  jobs.messaging.refusal = new AppError('TEMPLATE_NOT_FOUND');
  await expect(sheets.create(accountId, Buffer.from('no sheet'))).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
  jobs.messaging.refusal = undefined;
  expect(await keys()).toEqual([]);
});

it('stores nothing if a sheet is damaged or exceeds limits midway', async () => {
  const before = await sheets.jobCount();
  const many =
    row(inline('phone')) +
    Array.from({ length: 3_000 }, (_unused, index) => row(number(String(919_800_000_000 + index)))).join('');
  await expect(
    sheets.create(accountId, bookOf({ sheets: [{ rows: `${many}<row r="7"/>` }] }), { variables: [] }),
  ).rejects.toMatchObject({ code: 'FILE_INVALID' });
  await expect(
    sheets.create(accountId, bookOf({ sheets: [{ rows: many }] }), { variables: [], maxRows: 2_999 }),
  ).rejects.toMatchObject({ code: 'BULK_LIMIT_EXCEEDED' });
  expect(await sheets.jobCount()).toBe(before);
  expect(await jobs.dataSource.query("SELECT 1 FROM recipients WHERE phone LIKE '9198000%'")).toEqual([]);
  await expect(
    sheets.create(accountId, bookOf({ sheets: [{ rows: many }] }), { variables: [], maxRows: 3_000 }),
  ).resolves.toMatchObject({ total: 3_000, accepted: 3_000 });
});

it('returns the first result for a repeated job, without its file', async () => {
  const jobId = newId('job');
  const first = await sheets.create(accountId, excelBook(), { jobId });
  expect(first).toMatchObject({ total: 2, accepted: 2 });
  expect(await sheets.create(accountId, Buffer.from('something else'), { jobId })).toEqual(first);
  expect(
    await jobs.gateway.request(createExcelJobV1, {
      accountId,
      jobId,
      blobKey: `sheets/${accountId}/gone`,
      maxRows: 1,
      message: TEMPLATE,
    }),
  ).toEqual(first);
  expect(await keys()).toEqual([]);
});

it('creates a held job that waits to be resumed', async () => {
  const jobId = newId('job');
  expect(await sheets.create(accountId, excelBook(), { jobId, contract: createHeldExcelJobV1 })).toMatchObject({
    status: 'paused',
    accepted: 2,
  });
  expect((await jobs.gateway.request(getJobV1, { accountId, jobId })).job.pauseReason).toBe('HELD');
});

it('returns UNAVAILABLE if neither the file nor the job exists', async () => {
  await expect(
    jobs.gateway.request(createExcelJobV1, {
      accountId,
      jobId: newId('job'),
      blobKey: `sheets/${accountId}/gone`,
      maxRows: 1,
      message: TEMPLATE,
    }),
  ).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

it('rejects a queued file before its caller times out', async () => {
  const [first, second] = [newId('job'), newId('job')];
  const blocker = jobs.dataSource.createQueryRunner();
  await blocker.startTransaction();
  await blocker.query('LOCK TABLE recipients IN EXCLUSIVE MODE');
  const stuck = sheets.create(accountId, excelBook(), { jobId: first });
  await eventually(async () =>
    expect(
      await jobs.dataSource.query("SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'recipients'::regclass"),
    ).not.toEqual([]),
  );
  const blobKey = await stored(excelBook());
  // Shorter than the lock timeout of a statement, so that the first file is still blocked.
  const waiting = jobs.gateway.request(
    createExcelJobV1,
    { accountId, jobId: second, blobKey, maxRows: 10, message: TEMPLATE },
    { timeoutMs: 3_000 },
  );
  await expect(waiting).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/nothing was made of it$/) as string,
  });
  await blocker.rollbackTransaction();
  await blocker.release();
  expect(await stuck).toMatchObject({ accepted: 2 });
  expect(await jobs.dataSource.query('SELECT 1 FROM jobs WHERE id = $1', [second])).toEqual([]);
  expect(await keys()).toEqual([]);
});

it('deletes only old orphaned files', async () => {
  const [old, fresh] = [await stored(excelBook()), await stored(excelBook())];
  const yesterday = new Date(Date.now() - 25 * 3_600_000);
  await utimes(join(sheets.folder, old), yesterday, yesterday);
  await new SheetCleanup(sheets.blobs, silentLogger).deleteOrphans(new Date());
  expect(await keys()).toEqual([fresh]);
  await sheets.blobs.delete(fresh);
});
