import { randomInt, randomUUID } from 'node:crypto';
import { ApiError, type Schemas } from '@switchboard/client';
import { eventually, hostileFiles, workbooks } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import { newAccount, type TestAccount } from './support/account';
import { done } from './support/installation';
import { receivedUpstream } from './support/simulator';
import { approved, createTemplate } from './support/templates';

type Job = Schemas['Job'];
const COUNTS = [
  'pending',
  'accepted',
  'sent',
  'delivered',
  'read',
  'failed',
  'cancelled',
  'rejected',
  'duplicates',
] as const;
const language = 'en_US';
/** Maximum time until a file is rejected, in milliseconds. On an idle machine it takes half a second. */
const REFUSED_WITHIN_MS = 5_000;
const MOST_TRIES = 3;

describe('bulk send by spreadsheet', () => {
  let account: TestAccount;
  let order: string;
  let plain: string;

  beforeAll(async () => {
    account = await newAccount('Excel');
    const [withVariables, without] = await Promise.all([
      createTemplate([
        {
          type: 'BODY',
          text: 'Hello {{1}}, your order {{2}} is on its way.',
          example: { body_text: [['Asha', 'A-17']] },
        },
      ]),
      createTemplate([{ type: 'BODY', text: 'Good morning.' }]),
    ]);
    [order, plain] = [withVariables.name, without.name];
    await approved(account, [order, plain]);
  }, 90_000);

  const freshPhones = (count: number): string[] => {
    const first = randomInt(10_000_000, 90_000_000);
    return Array.from({ length: count }, (_unused, index) => `9197${first + index}`);
  };
  const send = (
    file: Uint8Array,
    templateName = order,
    options?: { idempotencyKey: string },
  ): ReturnType<TestAccount['api']['sendBulkExcel']> =>
    account.api.sendBulkExcel(
      { customerExcel: new File([new Uint8Array(file)], 'customers.xlsx'), templateName, language },
      options,
    );
  const refusalOf = async (sending: Promise<unknown>): Promise<ApiError> => {
    const outcome = await sending.catch((error: unknown) => error);
    if (outcome instanceof ApiError) return outcome;
    throw new Error(`was not refused: ${JSON.stringify(outcome)}`, { cause: outcome });
  };

  /** Waits until the job matches. Its counts must add up at every read. */
  async function becomes(jobId: string, expected: Partial<Job>): Promise<Job> {
    const look = async (): Promise<Job> => {
      const { job } = await account.api.getJob({ jobId });
      expect(COUNTS.reduce((sum, name) => sum + job[name], 0)).toBe(job.total);
      expect(job).toMatchObject(expected);
      return job;
    };
    await eventually(look);
    return look();
  }

  it('sends to each recipient once and reports errors per row', async () => {
    const [first = '', second = '', third = ''] = freshPhones(3);
    const created = await send(
      await sheetOf([
        ['Phone', '{{2}}', 'note', 'clientRef', '1'],
        [Number(first), 'B-1', 'x', 'row-2', 'Asha'],
        [],
        [`+${second.slice(0, 2)} ${second.slice(2, 7)}-${second.slice(7)}`, 'B-2', '', '', 'Ravi'],
        ['12', 'B-3', '', '', 'Ravi'],
        [third, '', '', '', 'Ravi'],
        [new Date('2026-03-02'), 'B-5', '', '', 'Ravi'],
        [first, 'B-6', '', '', 'Asha'],
      ]),
    );
    expect(created).toMatchObject({
      success: true,
      status: 'queued',
      total: 6,
      accepted: 2,
      rejected: 3,
      duplicates: 1,
    });
    expect(created.errors.map(({ index, code, message }) => [index, code, message])).toEqual([
      [5, 'INVALID_PHONE', 'phone number format is invalid: digits only, with country code, without +'],
      [6, 'TEMPLATE_PARAMS_MISMATCH', 'template parameters do not match the template: column {{2}} is empty'],
      [7, 'INVALID_PHONE', 'phone number format is invalid: the cell holds a date: write it as text'],
    ]);
    expect(await becomes(created.jobId, { status: 'completed', read: 2 })).toMatchObject({
      type: 'excel',
      template: order,
      rejected: 3,
      duplicates: 1,
      pending: 0,
    });
    const [message, ...more] = await receivedUpstream(first);
    expect([message?.count, more]).toEqual([1, []]);
    expect(JSON.stringify(message?.body)).toMatch(/"Asha".*"B-1"/);
    expect((await receivedUpstream(second)).map(({ count }) => count)).toEqual([1]);
    const { recipients } = await account.api.listJobRecipients({ jobId: created.jobId });
    expect(recipients.map(({ index, phone, clientRef, status }) => [index, phone, clientRef, status])).toEqual([
      [2, first, 'row-2', 'read'],
      [4, second, null, 'read'],
      [5, '12', null, 'rejected'],
      [6, third, null, 'rejected'],
      [7, '46083', null, 'rejected'],
    ]);
  }, 60_000);

  it('fills variables with formula results and dates as displayed', async () => {
    const [phone = ''] = freshPhones(1);
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('one');
    sheet.addRows([
      ['phone', '1', '2'],
      [Number(phone), { formula: 'CONCAT("As","ha")', result: 'Asha' }, new Date('2026-03-02')],
    ]);
    sheet.getCell('C2').numFmt = 'd mmmm yyyy';
    const { jobId } = await send(new Uint8Array(await book.xlsx.writeBuffer()));
    await becomes(jobId, { status: 'completed', read: 1 });
    const [message] = await receivedUpstream(phone);
    expect(JSON.stringify(message?.body)).toMatch(/"Asha".*"2 March 2026"/);
  }, 60_000);

  it('sends numbers as displayed and returns warnings', async () => {
    const [phone = '', hidden = ''] = freshPhones(2);
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('one');
    sheet.addRows([
      ['phone', '1', '2', 'clientRef'],
      [Number(phone), 42, 0.25, 1234.5],
      [Number(hidden), 7, 0.5, 7],
    ]);
    sheet.getCell('B2').numFmt = '000000';
    sheet.getCell('B3').numFmt = '"INV-"0000';
    sheet.getColumn('C').numFmt = '0%';
    sheet.getColumn('D').numFmt = '#,##0.00';
    sheet.getCell('D3').numFmt = '000';
    sheet.getRow(3).hidden = true;
    sheet.getColumn('C').hidden = true;
    const { jobId, ...created } = await send(new Uint8Array(await book.xlsx.writeBuffer()));
    const facts = {
      sheet: { format: 'xlsx', encoding: null, delimiter: null },
      warnings: [
        { field: 'customerExcel', message: '1 hidden row is included' },
        { field: 'customerExcel', message: '1 hidden column is included: 2' },
        { field: 'clientRef', message: expect.stringContaining('column clientRef has a number format') as string },
      ],
    };
    expect(created).toMatchObject({ accepted: 2, ...facts });
    expect((await account.api.getJob({ jobId })).job).toMatchObject(facts);
    await becomes(jobId, { status: 'completed', read: 2 });
    expect(JSON.stringify((await receivedUpstream(phone))[0]?.body)).toMatch(/"000042".*"25%"/);
    expect(JSON.stringify((await receivedUpstream(hidden))[0]?.body)).toMatch(/"INV-0007".*"50%"/);
    const { recipients } = await account.api.listJobRecipients({ jobId });
    expect(recipients.map(({ clientRef }) => clientRef)).toEqual(['1234.5', '007']);
  }, 60_000);

  it('accepts a time of day as displayed', async () => {
    const [phone = ''] = freshPhones(1);
    const cells = [workbooks.number(phone), '<c t="d"><v>09:30:00</v></c>', workbooks.inline('A-17')];
    const header = ['phone', '1', '2'].map(workbooks.inline);
    const rows = workbooks.row(...header) + workbooks.row(...cells);
    const { jobId } = await send(new Uint8Array(workbooks.bookOf({ sheets: [{ rows }] })));
    await becomes(jobId, { status: 'completed', read: 1 });
    expect(JSON.stringify((await receivedUpstream(phone))[0]?.body)).toContain('"09:30:00"');
  }, 60_000);

  it.each([
    ['UTF-8 and commas', ',', 'utf-8', (text: string) => Buffer.from(text)],
    ['UTF-8 with a mark and tabs', '\t', 'utf-8', (text: string) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 and semicolons', ';', 'utf-16le', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Windows-1252 and semicolons', ';', 'windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ])(
    'accepts a CSV file like a spreadsheet: %s',
    async (_what, delimiter, encoding, encoded) => {
      const [first = '', second = ''] = freshPhones(2);
      // Template variables must not contain a tab.
      const mark = delimiter === '\t' ? ',' : delimiter;
      const rows = [
        ['Phone', '{{1}}', '{{2}}', 'note'],
        [`"+${first}"`, 'García', `"B${mark} ""1"""`, '"two\r\nlines"'],
        ['', '', '', ''],
        ['12', 'Ravi', 'B-2', ''],
        [second, 'Ravi', '', ''],
        [first, 'García', 'B-3', ''],
      ];
      const file = encoded(rows.map((cells) => cells.join(delimiter)).join('\r\n'));
      const created = await send(new Uint8Array(file));
      expect(created).toMatchObject({
        total: 4,
        accepted: 1,
        rejected: 2,
        duplicates: 1,
        sheet: { format: 'csv', encoding, delimiter },
        errors: [
          { index: 4, code: 'INVALID_PHONE' },
          { index: 5, code: 'TEMPLATE_PARAMS_MISMATCH', message: expect.stringContaining('{{2}} is empty') as string },
        ],
      });
      expect(created.warnings ?? []).toHaveLength(encoding === 'windows-1252' ? 1 : 0);
      await becomes(created.jobId, { status: 'completed', read: 1 });
      const [message] = await receivedUpstream(first);
      expect(JSON.stringify(message?.body)).toContain(JSON.stringify(`B${mark} "1"`));
      expect(JSON.stringify(message?.body)).toContain('García');
    },
    60_000,
  );

  it('reports the row of a misplaced quotation mark in a CSV file', async () => {
    expect(await refusalOf(send(Buffer.from('phone,1,2\n919812345678,a,b\n919812345679,5" pipe,b\n')))).toMatchObject({
      status: 400,
      code: 'FILE_INVALID',
      message: expect.stringContaining('row 3 has a quotation mark in the wrong place') as string,
    });
  });

  it('accepts the filled-in sample and exports results as CSV and spreadsheet', async () => {
    const phones = freshPhones(2);
    const book = await bookOf(await account.api.getSampleSheet({ templateName: order, language }));
    const sheet = book.worksheets[0] as ExcelJS.Worksheet;
    expect(textsOf(sheet, 1)).toEqual(['phone', '{{1}}', '{{2}}', 'clientRef']);
    // The template's own samples, which include no phone number.
    expect(textsOf(sheet, 2)).toEqual(['', 'Asha', 'A-17']);
    phones.forEach((phone, index) => (sheet.getRow(index + 2).values = [phone, 'Asha', 'C-1', `=ref-${phone}`]));
    const { jobId, accepted } = await send(new Uint8Array(await book.xlsx.writeBuffer()));
    expect(accepted).toBe(2);
    await becomes(jobId, { status: 'completed', read: 2 });
    const bytes = Buffer.from(await (await account.api.getJobResultsCsv({ jobId })).arrayBuffer());
    expect(bytes.toString('hex', 0, 3)).toBe('efbbbf');
    const [names, ...lines] = bytes
      .toString('utf8', 3)
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    expect(names?.slice(0, 5)).toEqual(['index', 'phone', 'clientRef', 'status', 'message_id']);
    expect(lines.map((line) => line.slice(0, 4))).toEqual(
      phones.map((phone, index) => [String(index + 2), phone, `'=ref-${phone}`, 'read']),
    );
    const results = (await bookOf(await account.api.getJobResultsXlsx({ jobId }))).worksheets[0] as ExcelJS.Worksheet;
    expect([2, 3].map((row) => textsOf(results, row).slice(0, 5))).toEqual(lines.map((line) => line.slice(0, 5)));
  }, 60_000);

  it('treats a blank value as empty, as in other sends', async () => {
    const [phone = ''] = freshPhones(1);
    const blank = ' \u00A0';
    const template = (more: object) => ({ name: order, language: { code: language }, ...more });
    const parameters = [blank, 'B-1'].map((text) => ({ type: 'text' as const, text }));
    const empty = (reason: string): object => ({
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining(reason) as string,
    });
    const sendOf = (more: object): Promise<ApiError> =>
      refusalOf(account.api.sendMessage({ to: phone, type: 'template', template: template(more) }));
    expect(await sendOf({ variables: { 1: blank, 2: 'B-1' } })).toMatchObject(empty('variable 1 is empty'));
    expect(await sendOf({ variables: [blank, 'B-1'] })).toMatchObject(empty('variable 1 is empty'));
    expect(await sendOf({ components: [{ type: 'body', parameters }] })).toMatchObject(empty('that is not empty'));
    const recipients = [{ to: phone, variables: { 1: blank, 2: 'B-1' } }];
    const bulk = refusalOf(account.api.sendBulk({ recipients, type: 'template', template: template({}) }));
    expect((await bulk).details).toMatchObject([{ message: expect.stringContaining('variable 1 is empty') as string }]);
    const row = refusalOf(send(Buffer.from(`phone;1;2\n${phone};"${blank}";B-1\n`)));
    expect((await row).details).toMatchObject([{ message: expect.stringContaining('{{1}} is empty') as string }]);
    expect(await receivedUpstream(phone)).toEqual([]);
  });

  it('creates one job per Idempotency-Key and file', async () => {
    const [phone = '', other = ''] = freshPhones(2);
    const file = await sheetOf([['phone'], [phone]]);
    const key = { idempotencyKey: randomUUID() };
    const [first, second] = [await send(file, plain, key), await send(file, plain, key)];
    expect(second).toEqual(first);
    expect(await refusalOf(send(await sheetOf([['phone'], [other]]), plain, key))).toMatchObject({
      status: 422,
      code: 'IDEMPOTENCY_MISMATCH',
    });
    await becomes(first.jobId, { status: 'completed', total: 1 });
    expect((await receivedUpstream(phone)).map(({ count }) => count)).toEqual([1]);
    expect(await receivedUpstream(other)).toEqual([]);
  });

  it('rejects hostile files quickly, without delaying valid ones', async () => {
    const { length: jobs } = (await account.api.listJobs()).jobs;
    for (const [what, { file, reason }] of Object.entries(hostileFiles)) {
      const bytes = file();
      let isSoon = false;
      let refused: ApiError | undefined;
      // Retry, because a delay may be due to other load on the machine.
      for (let tries = 0; tries < MOST_TRIES && !isSoon; tries += 1) {
        const startedAt = performance.now();
        refused = await refusalOf(send(bytes, plain));
        isSoon = performance.now() - startedAt < REFUSED_WITHIN_MS;
      }
      const { status, code, message = '' } = refused ?? {};
      const isReason = reason.test(message);
      expect({ what, status, code, message, isSoon, isReason }).toMatchObject({
        status: 400,
        code: 'FILE_INVALID',
        message: expect.stringMatching(/^the file cannot be read: ./) as string,
        isSoon: true,
        isReason: true,
      });
    }
    const { accepted } = await send(await sheetOf([['phone'], freshPhones(1)]), plain);
    expect([accepted, (await account.api.listJobs()).jobs.length]).toEqual([1, jobs + 1]);
  }, 120_000);

  it('is rejected as a whole for errors of the file itself', async () => {
    const file = await sheetOf([['phone'], ...freshPhones(4)]);
    const given = async (rows: unknown[][], template?: string): Promise<unknown> =>
      refusalOf(send(await sheetOf(rows), template));
    expect(await refusalOf(send(file, 'nothing_like_it'))).toMatchObject({ status: 400, code: 'TEMPLATE_NOT_FOUND' });
    expect(await refusalOf(send(file))).toMatchObject({
      status: 400,
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining('the spreadsheet lacks the columns "{{1}}", "{{2}}"') as string,
    });
    expect(await given([['mobile'], [1]], plain)).toMatchObject({
      status: 400,
      code: 'FILE_INVALID',
      message: expect.stringContaining('mobile') as string,
    });
    expect(await given([['phone'], ['12']], plain)).toMatchObject({ status: 422, code: 'INVALID_PHONE' });
    expect(await given([['phone']], plain)).toMatchObject({ status: 422, code: 'INVALID_VALUE' });
    await done('accounts', 'override', '--account', account.accountId, '--excel-rows', '3');
    await eventually(async () => expect((await account.api.getMe()).plan.limits.excelRows).toBe(3));
    expect(await refusalOf(send(file, plain))).toMatchObject({
      status: 400,
      code: 'BULK_LIMIT_EXCEEDED',
      message: expect.stringContaining('more than 3 rows') as string,
    });
    await done('accounts', 'override', '--account', account.accountId, '--remove-feature', 'BULK_EXCEL');
    await eventually(async () =>
      expect(await refusalOf(send(file, plain))).toMatchObject({ status: 403, code: 'FEATURE_NOT_IN_PLAN' }),
    );
  }, 90_000);
});

/** Builds a spreadsheet as a shop's program would. */
async function sheetOf(rows: unknown[]): Promise<Uint8Array> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('Customers').addRows(rows.map((row) => (Array.isArray(row) ? row : [row])));
  return new Uint8Array(await book.xlsx.writeBuffer());
}

async function bookOf(response: Response): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(await response.arrayBuffer());
  return book;
}

function textsOf(sheet: ExcelJS.Worksheet, row: number): string[] {
  return (sheet.getRow(row).values as unknown[]).slice(1).map(String);
}
