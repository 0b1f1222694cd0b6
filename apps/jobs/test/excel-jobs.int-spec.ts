import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import {
  AppError,
  createExcelJobV1,
  createHeldExcelJobV1,
  type CreatedJob,
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

async function createExcel(
  file: Buffer,
  {
    jobId = newId('job'),
    maxRows = 100_000,
    variables = ['1', '2'],
    contract = createExcelJobV1,
    message = TEMPLATE,
  } = {},
): Promise<CreatedJob> {
  jobs.messaging.bodyVariables = variables;
  const blobKey = await stored(file);
  return jobs.gateway.request(contract, { accountId, jobId, blobKey, maxRows, message });
}

async function keys(): Promise<string[]> {
  const all: string[] = [];
  for await (const { key } of sheets.blobs.list('sheets/')) all.push(key);
  return all;
}

const jobCount = async (): Promise<number> =>
  Number(((await jobs.dataSource.query('SELECT count(*)::int AS count FROM jobs')) as { count: number }[])[0]?.count);

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
  const created = await createExcel(bookOf({ sheets: [{ rows: rows.join('') }] }));
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

describe('template with a header and buttons', () => {
  beforeAll(() => {
    jobs.messaging.components = [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Order {{1}}' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY' }, { type: 'URL', url: 'https://example.com/{{1}}' }] },
    ];
  });
  afterAll(() => {
    jobs.messaging.components = undefined;
  });
  const cells = (...texts: string[]): string => row(...texts.map((text) => inline(text)));
  const create = (...rows: string[]) =>
    createExcel(bookOf({ sheets: [{ rows: rows.join('') }] }), { variables: ['1'] });

  it('is filled from columns, and invalid cells are reported by column', async () => {
    const link = 'https://example.com/a.pdf';
    const created = await create(
      cells('phone', 'Header Link', 'header filename', 'button 2', '1', 'Button 1'),
      cells('919812345670', link, '', 'x', 'A-17', ''),
      cells('919812345671', link, 'Bill.pdf', 'y', 'A-18', 'later'),
      cells('919812345672', link, '', '', 'A-19', ''),
      cells('919812345673', 'http://example.com/a.pdf', '', 'x', 'A-20', ''),
      cells('919812345674', 'https://localhost/a.pdf', '', 'x', 'A-21', ''),
      cells('919812345675', '', 'Bill.pdf', 'x', 'A-22', ''),
    );
    const begin = 'template parameters do not match the template: ';
    expect(created.errors.map(({ index, code, message }) => [index, code, message])).toEqual([
      [4, 'TEMPLATE_PARAMS_MISMATCH', `${begin}column button 2 is empty`],
      [5, 'INVALID_LINK', 'column header link must be an https URL with a public host'],
      [6, 'INVALID_LINK', 'column header link must be an https URL with a public host'],
      [7, 'TEMPLATE_PARAMS_MISMATCH', `${begin}column header link is empty`],
    ]);
    const stored = (await jobs.dataSource.query(
      "SELECT components FROM recipients WHERE job_id = $1 AND status <> 'rejected' ORDER BY position",
      [created.jobId],
    )) as { components: unknown }[];
    const text = (value: string) => ({ type: 'text', text: value });
    const componentsOf = (document: object, order: string, end: string): object[] => [
      { type: 'header', parameters: [{ type: 'document', document }] },
      { type: 'body', parameters: [text(order)] },
      { type: 'button', sub_type: 'url', index: '1', parameters: [text(end)] },
    ];
    const [header, body, url] = componentsOf({ link, filename: 'Bill.pdf' }, 'A-18', 'y');
    const reply = { type: 'button', sub_type: 'quick_reply', index: '0' };
    expect(stored.map(({ components }) => components)).toEqual([
      componentsOf({ link }, 'A-17', 'x'),
      [header, body, { ...reply, parameters: [{ type: 'payload', payload: 'later' }] }, url],
    ]);
  });

  it('takes a missing column or an empty cell from the values for all rows', async () => {
    const [link, own] = ['https://example.com/a.pdf', 'https://example.com/b.pdf'];
    const template = { name: 'order_update', language: { code: 'en_US' }, variables: { 'header link': link } };
    const message = { ...TEMPLATE, template };
    const linksOf = async (rows: string[]): Promise<unknown> => {
      const file = bookOf({ sheets: [{ rows: rows.join('') }] });
      const { jobId, rejected } = await createExcel(file, { variables: ['1'], message });
      expect(rejected).toBe(0);
      const { recipients } = await jobs.gateway.request(listRecipientsV1, {
        ...{ accountId, jobId, page: 1, limit: 10 },
        withValues: true,
      });
      return recipients.map(({ values }) => values);
    };
    const values = { '{{1}}': 'A-17', 'button 2': 'x' };
    expect(await linksOf([cells('phone', '1', 'button 2'), cells('919812345670', 'A-17', 'x')])).toEqual([
      { 'header link': link, ...values },
    ]);
    const columns = cells('phone', '1', 'button 2', 'header link');
    expect(
      await linksOf([columns, cells('919812345670', 'A-17', 'x', ''), cells('919812345671', 'A-17', 'x', own)]),
    ).toEqual([
      { 'header link': link, ...values },
      { 'header link': own, ...values },
    ]);
  });

  it.each([
    [['phone', '1'], 'the spreadsheet lacks the columns "header link", "button 2"'],
    [
      ['phone', '1', 'header link', 'button 2', 'Button 3', '{{2}}'],
      'the template has no variable for the columns "Button 3", "{{2}}"',
    ],
    [
      ['phone', '1', 'header {{1}}', 'button 2'],
      'the spreadsheet lacks the column "header link", and the template has no variable for the column "header {{1}}"',
    ],
  ])('rejects a sheet with the columns %j', async (columns, reason) => {
    const before = await jobCount();
    await expect(create(cells(...columns), cells('919812345670'))).rejects.toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: `template parameters do not match the template: ${reason}`,
    });
    expect(await jobCount()).toBe(before);
  });
});

describe('newer template types', () => {
  afterEach(() => {
    jobs.messaging.components = undefined;
  });
  const cells = (...texts: string[]): string => row(...texts.map((text) => inline(text)));
  const create = (components: object[], ...rows: string[]): Promise<CreatedJob> => {
    jobs.messaging.components = components;
    return createExcel(bookOf({ sheets: [{ rows: rows.join('') }] }), { variables: [] });
  };

  it('fill cards and the end of an offer', async () => {
    const link = 'https://example.com/a.png';
    const card = {
      components: [
        { type: 'HEADER', format: 'IMAGE' },
        { type: 'BODY', text: 'Only {{1}} now.' },
      ],
    };
    const offer = { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Soon', has_expiration: true } };
    const created = await create(
      [offer, { type: 'CAROUSEL', cards: [card] }],
      cells('phone', 'Card 1 Header Link', 'card 1 {{1}}', 'Offer end'),
      cells('919812345670', link, '$1', '2030-01-31T18:00:00Z'),
      cells('919812345671', link, '$1', '2030-01-31'),
      cells('919812345672', link, '', '1893456000000'),
    );
    expect(created.errors.map(({ index, code, message }) => [index, code, message])).toEqual([
      [3, 'INVALID_VALUE', expect.stringMatching(/^column offer end must be a time with its zone/)],
      [4, 'TEMPLATE_PARAMS_MISMATCH', expect.stringMatching(/column card 1 \{\{1\}\} is empty$/)],
    ]);
    const [stored] = (await jobs.dataSource.query(
      'SELECT components FROM recipients WHERE job_id = $1 ORDER BY position',
      [created.jobId],
    )) as { components: unknown }[];
    expect(stored?.components).toEqual([
      {
        type: 'limited_time_offer',
        parameters: [
          { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: Date.UTC(2030, 0, 31, 18) } },
        ],
      },
      {
        type: 'carousel',
        cards: [
          {
            card_index: 0,
            components: [
              { type: 'header', parameters: [{ type: 'image', image: { link } }] },
              { type: 'body', parameters: [{ type: 'text', text: '$1' }] },
            ],
          },
        ],
      },
    ]);
  });

  it('reject a sheet for a product list', async () => {
    const before = await jobCount();
    const components = [{ type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] }];
    await expect(create(components, cells('phone'), cells('919812345670'))).rejects.toMatchObject({
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining('button 1 opens a list of products') as string,
    });
    expect(await jobCount()).toBe(before);
  });
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
  const before = await jobCount();
  await expect(createExcel(bookOf({ sheets: [{ rows }] }), { variables })).rejects.toMatchObject({
    name: 'AppError',
    code,
    message: text,
  });
  expect(await keys()).toEqual([]);
  expect(await jobCount()).toBe(before);
});

it('reports row errors when no row is valid', async () => {
  const rows = row(inline('phone')) + row(inline('12')) + row(inline('13'));
  await expect(createExcel(bookOf({ sheets: [{ rows }] }), { variables: [] })).rejects.toMatchObject({
    code: 'INVALID_PHONE',
    details: [{ field: 'row 2' }, { field: 'row 3' }],
  });
});

it('returns a send error before reading the file', async () => {
  jobs.messaging.refusal = new AppError('TEMPLATE_NOT_FOUND');
  await expect(createExcel(Buffer.from('no sheet'))).rejects.toMatchObject({ code: 'TEMPLATE_NOT_FOUND' });
  jobs.messaging.refusal = undefined;
  expect(await keys()).toEqual([]);
});

it('stores nothing if a sheet is damaged or exceeds limits midway', async () => {
  const before = await jobCount();
  const many =
    row(inline('phone')) +
    Array.from({ length: 3_000 }, (_unused, index) => row(number(String(919_800_000_000 + index)))).join('');
  await expect(
    createExcel(bookOf({ sheets: [{ rows: `${many}<row r="7"/>` }] }), { variables: [] }),
  ).rejects.toMatchObject({ code: 'FILE_INVALID' });
  await expect(
    createExcel(bookOf({ sheets: [{ rows: many }] }), { variables: [], maxRows: 2_999 }),
  ).rejects.toMatchObject({ code: 'BULK_LIMIT_EXCEEDED' });
  expect(await jobCount()).toBe(before);
  expect(await jobs.dataSource.query("SELECT 1 FROM recipients WHERE phone LIKE '9198000%'")).toEqual([]);
  await expect(
    createExcel(bookOf({ sheets: [{ rows: many }] }), { variables: [], maxRows: 3_000 }),
  ).resolves.toMatchObject({ total: 3_000, accepted: 3_000 });
});

it('returns the first result for a repeated job, without its file', async () => {
  const jobId = newId('job');
  const first = await createExcel(excelBook(), { jobId });
  expect(first).toMatchObject({ total: 2, accepted: 2 });
  expect(await createExcel(Buffer.from('something else'), { jobId })).toEqual(first);
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
  expect(await createExcel(excelBook(), { jobId, contract: createHeldExcelJobV1 })).toMatchObject({
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
  const stuck = createExcel(excelBook(), { jobId: first });
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
