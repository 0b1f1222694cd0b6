import { get } from 'node:http';
import {
  AppError,
  type ListRecipientsCommand,
  listRecipientsV1,
  searchTemplatesV1,
  newId,
  type RecipientRecord,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { call } from './support/http';

const jobId = newId('job');
const [sample] = listRecipientsV1.sample.response.recipients as [RecipientRecord];
const recipient = (index: number, more: Partial<RecipientRecord> = {}): RecipientRecord => ({
  ...sample,
  index,
  phone: String(919_800_000_000 + index),
  ...more,
});

describe('job downloads', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway();
    customer = await gateway.customer();
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.fakes.reset());

  /** Fakes a jobs service with the given number of recipients, a thousand per page. */
  function answerWith(recipients: (index: number) => RecipientRecord, count: number): void {
    gateway.fakes.answer(listRecipientsV1, (body) => {
      const { cursor, limit } = body as unknown as ListRecipientsCommand;
      const from = Number(cursor ?? 0);
      const page = Array.from({ length: Math.min(limit, count - from) }, (_unused, index) => recipients(from + index));
      const hasNext = from + limit < count;
      return {
        recipients: page,
        total: count,
        totalIsExact: true,
        hasNext,
        nextCursor: hasNext ? String(from + limit) : null,
      };
    });
  }

  const download = (path: string, { key = customer.apiKey, method = 'GET' } = {}) =>
    fetch(`${gateway.url}/v1/jobs/${path}`, { method, headers: { authorization: `Bearer ${key}` } });
  const cellsOf = (sheet: ExcelJS.Worksheet, row: number): unknown[] =>
    (sheet.getRow(row).values as unknown[]).slice(1);
  async function bookOf(response: Response): Promise<ExcelJS.Workbook> {
    const book = new ExcelJS.Workbook();
    await book.xlsx.load(await response.arrayBuffer());
    return book;
  }

  const HOSTILE = recipient(1, {
    phone: '=1+1',
    clientRef: '=HYPERLINK("http://x","a,b")\u0001',
    status: 'rejected',
    refusal: { code: 'INVALID_PHONE', message: '@phone number' },
    upstreamId: null,
    id: null,
  });

  it('are CSV without formulas', async () => {
    answerWith((index) => (index === 1 ? HOSTILE : recipient(index)), 2);
    const response = await download(`${jobId}/results.csv`);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([200, 'text/csv; charset=utf-8', `attachment; filename="${jobId}.csv"`]);
    const bytes = Buffer.from(await response.arrayBuffer());
    // Excel on Windows detects UTF-8 only by its byte-order mark.
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
    expect(bytes.toString('utf8', 3).split('\r\n')).toEqual([
      'index,phone,clientRef,status,message_id,id,errorReason,errorCode,errorMessage,acceptedAt,sentAt,deliveredAt,readAt,failedAt,from',
      `0,919800000000,order-7781,delivered,${sample.upstreamId},${sample.id},,,,${sample.acceptedAt},${sample.sentAt},${sample.deliveredAt},,`,
      `1,'=1+1,"'=HYPERLINK(""http://x"",""a,b"")\u0001",rejected,,,INVALID_PHONE,,'@phone number,${sample.acceptedAt},${sample.sentAt},${sample.deliveredAt},,`,
      '',
    ]);
  });

  it('include the error of a failed recipient', async () => {
    const error = { code: 131026, title: 'Undeliverable', message: 'not on the network' };
    answerWith(
      (index) =>
        recipient(index, {
          status: 'failed',
          error: { ...error, reason: 'UPSTREAM_ERROR', category: 'undeliverable', retriable: false },
        }),
      1,
    );
    const [names = [], row = []] = (await (await download(`${jobId}/results.csv`)).text())
      .split('\r\n')
      .map((line) => line.split(','));
    const sheet = (await bookOf(await download(`${jobId}/results.xlsx`))).worksheets[0] as ExcelJS.Worksheet;
    const wanted = ['UPSTREAM_ERROR', '131026', 'not on the network'];
    for (const [header, values] of [
      [names, row],
      [cellsOf(sheet, 1), cellsOf(sheet, 2)],
    ] as const)
      expect(['errorReason', 'errorCode', 'errorMessage'].map((name) => values[header.indexOf(name)])).toEqual(wanted);
  });

  it('filter recipients by state', async () => {
    answerWith((index) => recipient(index), 2_500);
    const response = await download(`${jobId}/results.csv?status=delivered`);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${jobId}-delivered.csv"`);
    await response.text();
    expect(gateway.fakes.of(listRecipientsV1).map(({ status }) => status)).toEqual(Array(3).fill('delivered'));
    await bookOf(await download(`${jobId}/results.xlsx?status=read`));
    expect(
      gateway.fakes
        .of(listRecipientsV1)
        .slice(3)
        .map(({ status }) => status),
    ).toEqual(Array(3).fill('read'));
    expect((await download(`${jobId}/results.xlsx?status=lost`)).status).toBe(400);
  });

  it('are spreadsheets with text cells, without formulas', async () => {
    answerWith((index) => (index === 1 ? HOSTILE : recipient(index)), 2);
    const response = await download(`${jobId}/results.xlsx`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    ]);
    const sheet = (await bookOf(response)).worksheets[0] as ExcelJS.Worksheet;
    expect(cellsOf(sheet, 1).slice(0, 4)).toEqual(['index', 'phone', 'clientRef', 'status']);
    expect(cellsOf(sheet, 2).slice(0, 4)).toEqual(['0', '919800000000', 'order-7781', 'delivered']);
    expect(cellsOf(sheet, 3).slice(0, 4)).toEqual(['1', "'=1+1", '\'=HYPERLINK("http://x","a,b")', 'rejected']);
    expect(sheet.getColumn(2).values.every((value) => value === undefined || typeof value === 'string')).toBe(true);
  });

  it.each(['csv', 'xlsx'])('include every recipient of many pages (%s)', async (kind) => {
    answerWith((index) => recipient(index), 4_321);
    const response = await download(`${jobId}/results.${kind}`);
    const rows =
      kind === 'csv'
        ? (await response.text()).split('\r\n').length - 2
        : ((await bookOf(response)).worksheets[0]?.rowCount ?? 0) - 1;
    expect(rows).toBe(4_321);
    expect(gateway.fakes.of(listRecipientsV1)).toHaveLength(5);
    expect(gateway.fakes.of(listRecipientsV1)[0]).toEqual({
      accountId: customer.accountId,
      jobId,
      page: 1,
      limit: 1_000,
    });
  });

  it.each(['csv', 'xlsx'])(
    'read pages no faster than the caller (%s)',
    async (kind) => {
      answerWith((index) => recipient(index, { clientRef: Math.random().toString(36).repeat(8) }), 500_000);
      const pages = (): number => gateway.fakes.of(listRecipientsV1).length;
      const request = get(`${gateway.url}/v1/jobs/${jobId}/results.${kind}`, {
        headers: { authorization: `Bearer ${customer.apiKey}` },
      });
      const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
        request.once('response', resolve),
      );
      response.pause();
      // Paging stops once the socket buffers are full.
      let [seen, since] = [-1, Date.now()];
      await eventually(
        () => {
          if (pages() !== seen) [seen, since] = [pages(), Date.now()];
          expect(Date.now() - since).toBeGreaterThan(700);
        },
        { timeoutMs: 60_000 },
      );
      // The job has 500 pages, and both socket buffers hold a few megabytes.
      expect(pages()).toBeLessThan(300);
      request.destroy();
      await eventually(() => expect(pages()).toBeLessThanOrEqual(seen + 1));
    },
    90_000,
  );

  it('abort if the jobs service fails midway', async () => {
    answerWith((index) => recipient(index), 3_000);
    let calls = 0;
    gateway.fakes.answer(listRecipientsV1, () => {
      calls += 1;
      if (calls > 1) throw new AppError('UNAVAILABLE');
      return { ...listRecipientsV1.sample.response, hasNext: true, nextCursor: 'x' };
    });
    for (const kind of ['csv', 'xlsx']) {
      calls = 0;
      // Before the first byte, the failure is an ordinary error response.
      const outcome = await download(`${jobId}/results.${kind}`)
        .then(async (response) => [response.status, await response.arrayBuffer()])
        .catch(() => ['broken off']);
      expect(outcome[0]).not.toBe(200);
    }
  });

  it.each(['results.csv', 'results.xlsx'])('return 404 for an unknown job (%s)', async (file) => {
    gateway.fakes.answer(listRecipientsV1, () => {
      throw new AppError('NOT_FOUND');
    });
    expect(await call(`${gateway.url}/v1/jobs/${jobId}/${file}`, { key: customer.apiKey })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
    expect(await call(`${gateway.url}/v1/jobs/job_x/${file}`, { key: customer.apiKey })).toMatchObject({ status: 404 });
    expect(await call(`${gateway.url}/v1/jobs/${jobId}/${file}`)).toMatchObject({ status: 401 });
  });

  it('respond to HEAD without content', async () => {
    answerWith((index) => recipient(index), 1);
    const response = await download(`${jobId}/results.xlsx`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-disposition')]).toEqual([
      200,
      `attachment; filename="${jobId}.xlsx"`,
    ]);
  });

  describe('sample spreadsheet', () => {
    it('has a text column per variable and instructions', async () => {
      const [template] = searchTemplatesV1.sample.response.templates;
      gateway.fakes.answer(searchTemplatesV1, () => ({
        nextCursor: null,
        templates: [
          {
            ...template,
            components: [
              { type: 'HEADER', format: 'DOCUMENT', example: { header_handle: ['https://example.com/a.pdf'] } },
              {
                type: 'BODY',
                text: 'Order {{2}} of {{1}}, {{ 2 }}',
                example: { body_text: [['Asha', '=A-17\u0001']] },
              },
              {
                type: 'BUTTONS',
                buttons: [{ type: 'QUICK_REPLY' }, { type: 'COPY_CODE', example: 'SAVE10' }],
              },
            ],
          },
        ],
      }));
      const response = await download('sample.xlsx?templateName=order_update&language=en_US');
      expect([response.status, response.headers.get('content-disposition')]).toEqual([
        200,
        'attachment; filename="recipients.xlsx"',
      ]);
      const [sheet, notes] = (await bookOf(response)).worksheets as [ExcelJS.Worksheet, ExcelJS.Worksheet];
      expect(cellsOf(sheet, 1)).toEqual([
        'phone',
        'header link',
        'header filename',
        '{{1}}',
        '{{2}}',
        'button 2',
        'clientRef',
      ]);
      expect([sheet.getColumn(1).numFmt, sheet.getColumn(5).numFmt, sheet.rowCount]).toEqual(['@', '@', 2]);
      // The row has no phone number, so that a sample reaches no one by mistake. Texts stay texts, whatever their first
      // character.
      expect(cellsOf(sheet, 2)).toEqual(['', 'https://example.com/a.pdf', '', 'Asha', '=A-17', 'SAVE10']);
      expect(cellsOf(notes, 2)).toEqual(['Body', 'Order {{2}} of {{1}}, {{ 2 }}']);
      expect(notes.getColumn(1).values).toEqual(
        expect.arrayContaining(['header link', 'header filename', '{{1}}', '{{2}}', 'button 1', 'button 2']),
      );
      expect(gateway.fakes.of(searchTemplatesV1)).toEqual([
        { accountId: customer.accountId, name: 'order_update', language: 'en_US', status: 'APPROVED', limit: 1 },
      ]);
    });

    it('requires no template, but rejects an unapproved one', async () => {
      const sheet = (await bookOf(await download('sample.xlsx'))).worksheets[0] as ExcelJS.Worksheet;
      expect([cellsOf(sheet, 1), sheet.rowCount]).toEqual([['phone', 'clientRef'], 1]);
      gateway.fakes.answer(searchTemplatesV1, () => ({ templates: [], nextCursor: null }));
      expect(await call(`${gateway.url}/v1/jobs/sample.xlsx?templateName=x`, { key: customer.apiKey })).toMatchObject({
        status: 400,
        body: {
          code: 'TEMPLATE_NOT_FOUND',
          message: 'template not found or not approved: no approved template has this name',
        },
      });
      const [template] = searchTemplatesV1.sample.response.templates;
      const languages = ['de', 'en_US'].map((language) => ({ ...template, name: 'x', language }));
      gateway.fakes.answer(searchTemplatesV1, ({ language }) => ({
        templates: language === undefined ? [...languages, { ...template, name: 'xy', language: 'fr' }] : [],
        nextCursor: null,
      }));
      const inFrench = `${gateway.url}/v1/jobs/sample.xlsx?templateName=x&language=fr`;
      expect(await call(inFrench, { key: customer.apiKey })).toMatchObject({
        status: 400,
        body: {
          code: 'TEMPLATE_NOT_FOUND',
          message: 'template not found or not approved: x has the languages de, en_US',
        },
      });
      expect(gateway.fakes.of(searchTemplatesV1).at(-1)).toMatchObject({ name: 'x', status: 'APPROVED', limit: 20 });
    });
  });
});
