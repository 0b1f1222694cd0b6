import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import {
  AppError,
  createCappedExcelJobV1,
  createExcelJobV1,
  createHeldExcelJobV1,
  createJobV1,
  estimateExcelJobV1,
  SHEET_MAX_BYTES,
} from '@switchboard/contracts';
import { eventually } from '@switchboard/testing';
import { FILES } from './support/files';
import { type Customer, type GatewayUnderTest, startGateway } from './support/gateway';
import { type Answer, call, exchangeBytes, parseAnswer } from './support/http';

const FIELDS = { templateName: 'order_update', language: 'en_US' };
/** File that starts like an .xlsx file; only the jobs service reads the rest. */
const SHEET = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(200_000, 'sheet')]);
const ROUTE = '/v1/messages/send/bulk/excel';

describe('bulk send by spreadsheet', () => {
  let gateway: GatewayUnderTest;
  let customer: Customer;

  beforeAll(async () => {
    gateway = await startGateway({ settings: { UPLOAD_TIMEOUT_SECONDS: 5 } });
    customer = await gateway.customer({ plan: 'scale' });
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.fakes.reset());

  const asked = (): Record<string, unknown>[] => gateway.fakes.of(createExcelJobV1);

  async function blobs(): Promise<string[]> {
    const entries = await readdir(gateway.config.BLOB_DIR, { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }

  function formOf(
    file: Buffer | undefined,
    fields: Record<string, string> = FIELDS,
    field = 'customerExcel',
  ): FormData {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    if (file) form.append(field, new Blob([new Uint8Array(file)]), 'customers.xlsx');
    return form;
  }

  async function send(
    form: FormData,
    { key = customer.apiKey, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const response = await fetch(`${gateway.url}${ROUTE}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      body: form,
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  }

  it("stores the file and creates a job within the plan's rows", async () => {
    const answer = await send(formOf(SHEET, { ...FIELDS, from: '15550783881' }));
    expect(answer).toMatchObject({ status: 201, body: { success: true, ...createExcelJobV1.sample.response } });
    const [{ blobKey, ...command } = {}] = asked();
    expect(command).toEqual({
      accountId: customer.accountId,
      jobId: expect.stringMatching(/^job_/),
      maxRows: 100_000,
      message: {
        type: 'template',
        template: { name: 'order_update', language: { code: 'en_US' } },
        from: '15550783881',
      },
    });
    expect(blobKey).toMatch(new RegExp(`^sheets/${customer.accountId}/req_`));
    // Only the jobs service deletes the file.
    expect(await blobs()).toEqual([String(blobKey).split('/').at(-1)]);
  });

  it('separates several numbers by commas', async () => {
    const fields = { ...FIELDS, from: '15550783881, 15550783882' };
    const numbers = ['15550783881', '15550783882'];
    expect((await send(formOf(SHEET, { ...fields, dryRun: 'true' }))).status).toBe(200);
    expect((await send(formOf(SHEET, fields))).status).toBe(201);
    expect(gateway.fakes.of(estimateExcelJobV1)).toMatchObject([{ numbers }]);
    expect(gateway.fakes.of(createCappedExcelJobV1)).toMatchObject([{ numbers }]);
    expect(asked()).toEqual([]);
  });

  it('accepts a file of 10 MB', async () => {
    const file = Buffer.concat([SHEET, Buffer.alloc(10 * 1_048_576 - SHEET.length)]);
    expect((await send(formOf(file))).status).toBe(201);
    expect((await send(formOf(Buffer.alloc(SHEET_MAX_BYTES, 'phone\n')))).status).toBe(201);
    expect(asked()).toHaveLength(2);
  });

  it('requires only the plan feature BULK_EXCEL', async () => {
    const own = await gateway.customer({ plan: 'scale' });
    const removedFeatures = ['MEDIA', 'BULK_MSG_LIMIT'];
    await gateway.services.overrides.setOverrides(own.accountId, { removedFeatures }, 'test');
    const file = Buffer.from('phone,header link\n919812345678,https://example.com/a.png\n');
    expect((await send(formOf(file), { key: own.apiKey })).status).toBe(201);
    expect(asked()).toHaveLength(1);
  });

  it('limits any plan to 100,000 rows', async () => {
    const own = await gateway.customer({ plan: 'scale' });
    const { overrides } = gateway.services;
    await expect(overrides.setOverrides(own.accountId, { excelRows: 100_001 }, 'test')).rejects.toThrow();
    await expect(gateway.services.plans.setPlan('vast', { excelRows: 100_001 }, 'test')).rejects.toThrow();
    await overrides.setOverrides(own.accountId, { excelRows: 99_999 }, 'test');
    expect((await send(formOf(SHEET), { key: own.apiKey })).status).toBe(201);
    expect(asked()).toMatchObject([{ maxRows: 99_999 }]);
  });

  it('counts as one request, regardless of its rows', async () => {
    const { apiKey } = await gateway.customer({ plan: 'scale' });
    const { status, headers } = await send(formOf(SHEET), { key: apiKey });
    expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual([
      201,
      '6000',
      '5999',
    ]);
  });

  it.each([
    ['UTF-8', Buffer.from('phone;1\n919812345678;García\n')],
    ['UTF-8 with a byte-order mark', Buffer.from('\uFEFFphone;1\n919812345678;García\n')],
    ['UTF-16', Buffer.from('\uFEFFphone;1\n919812345678;García\n', 'utf16le')],
    ['Windows-1252', Buffer.from('phone;1\n919812345678;Garc\u00eda\n', 'latin1')],
    ['a column that starts like an image', Buffer.from('BMI;phone\n22;919812345678\n')],
    ['HTML in a field', Buffer.from('phone;1\n919812345678;"\n<html>"\n')],
  ])('accepts a CSV file with %s', async (_what, file) => {
    expect((await send(formOf(file))).status).toBe(201);
    expect(asked()).toHaveLength(1);
  });

  it('returns the detected format and all warnings', async () => {
    const sheet = { format: 'csv' as const, encoding: 'windows-1252', delimiter: ';' };
    const warnings = [{ field: 'customerExcel', message: '3 hidden rows are included' }];
    gateway.fakes.answer(createExcelJobV1, () => ({ ...createExcelJobV1.sample.response, sheet, warnings }));
    const { body } = await send(formOf(SHEET, { ...FIELDS, colour: 'red' }));
    expect(body).toMatchObject({
      sheet,
      warnings: [...warnings, { field: 'colour', message: 'colour is not a known field and was ignored' }],
    });
  });

  it('can be scheduled', async () => {
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await send(formOf(SHEET, { ...FIELDS, scheduledAt }))).status).toBe(201);
    expect(asked()).toMatchObject([{ scheduledAt }]);
  });

  it("includes expireAt in the request's fingerprint", async () => {
    const expireAt = new Date(Date.now() + 3_600_000).toISOString();
    const sendOnce = (fields: Record<string, string>) =>
      send(formOf(SHEET, fields), { headers: { 'idempotency-key': 'expires' } });
    expect((await sendOnce({ ...FIELDS, expireAt })).status).toBe(201);
    expect((await sendOnce({ expireAt, ...FIELDS })).headers.get('idempotency-replay')).toBe('true');
    expect((await sendOnce(FIELDS)).body['code']).toBe('IDEMPOTENCY_MISMATCH');
    expect(asked()).toMatchObject([{ expireAt }]);
  });

  it("includes hold in the request's fingerprint", async () => {
    const sendOnce = (fields: Record<string, string>) =>
      send(formOf(SHEET, fields), { headers: { 'idempotency-key': 'held' } });
    expect((await sendOnce({ ...FIELDS, hold: 'true' })).status).toBe(201);
    expect((await sendOnce({ hold: 'true', ...FIELDS })).headers.get('idempotency-replay')).toBe('true');
    expect((await sendOnce(FIELDS)).body['code']).toBe('IDEMPOTENCY_MISMATCH');
    expect((await send(formOf(SHEET, { ...FIELDS, hold: 'yes' }))).body['code']).toBe('INVALID_PARAMETER');
    expect(gateway.fakes.of(createHeldExcelJobV1)).toMatchObject([{ hold: true }]);
    expect(asked()).toEqual([]);
    expect((await send(formOf(SHEET, { ...FIELDS, hold: 'false' }))).status).toBe(201);
    expect(asked()).toHaveLength(1);
  });

  describe('rejected spreadsheet', () => {
    let before: string[];
    beforeEach(async () => (before = await blobs()));
    afterEach(async () => expect(await blobs()).toEqual(before));

    it.each([
      ['without a file', () => formOf(undefined), 400, 'MISSING_FIELD', 'customerExcel is required'],
      [
        'with the file in another field',
        () => formOf(SHEET, FIELDS, 'file'),
        400,
        'INVALID_PARAMETER',
        'upload the file in the field customerExcel',
      ],
      [
        'without a template',
        () => formOf(SHEET, { language: 'en_US' }),
        400,
        'MISSING_FIELD',
        'templateName is required',
      ],
      ['without a language', () => formOf(SHEET, { templateName: 'x' }), 400, 'MISSING_FIELD', 'language is required'],
      [
        'with an invalid sending number',
        () => formOf(SHEET, { ...FIELDS, from: '+1' }),
        422,
        'INVALID_PHONE',
        'phone number format is invalid',
      ],
      [
        'with a start in the past',
        () => formOf(SHEET, { ...FIELDS, scheduledAt: '2020-01-01T00:00:00Z' }),
        422,
        'INVALID_VALUE',
        'scheduledAt must be within the next 35 days',
      ],
      [
        'with an expiry in the past',
        () => formOf(SHEET, { ...FIELDS, expireAt: '2020-01-01T00:00:00Z' }),
        422,
        'INVALID_VALUE',
        'expireAt must be in the future, within the next 70 days',
      ],
      [
        'with an overlong template name',
        () => formOf(SHEET, { ...FIELDS, templateName: 'x'.repeat(513) }),
        422,
        'TEXT_TOO_LONG',
        'templateName',
      ],
      [
        'with a NUL character in the name of the template',
        () => formOf(SHEET, { ...FIELDS, templateName: 'a\u0000b' }),
        422,
        'INVALID_VALUE',
        'templateName holds characters that cannot be stored',
      ],
      [
        'with an empty file',
        () => formOf(Buffer.alloc(0)),
        400,
        'FILE_INVALID',
        'the file cannot be read: it is empty',
      ],
      ['with an image', () => formOf(FILES.jpeg), 400, 'FILE_INVALID', 'the file cannot be read: it is image/jpeg'],
      [
        'with a web page',
        () => formOf(FILES.html),
        400,
        'FILE_INVALID',
        'the file cannot be read: it is text/html, neither an .xlsx nor a .csv file',
      ],
      [
        'with an oversized file',
        () => formOf(Buffer.concat([SHEET, Buffer.alloc(SHEET_MAX_BYTES)])),
        413,
        'PAYLOAD_TOO_LARGE',
        'the file is too large: at most 10 MB',
      ],
      [
        'with an oversized CSV file',
        () => formOf(Buffer.alloc(SHEET_MAX_BYTES + 1, 'phone\n')),
        413,
        'PAYLOAD_TOO_LARGE',
        'the file is too large: at most 10 MB',
      ],
    ])('leaves no file: %s', async (_what, form, status, code, text) => {
      const answer = await send(form());
      expect(answer).toMatchObject({
        status,
        body: { success: false, code, requestId: expect.stringMatching(/^req_/) },
      });
      expect(answer.body['message']).toContain(text);
      expect(asked()).toEqual([]);
    });

    it('reports all missing fields of an empty form', async () => {
      const { status, body } = await send(formOf(undefined, { hold: 'false' }));
      expect([status, body['code']]).toEqual([400, 'MISSING_FIELD']);
      const fields = (body['details'] as { field: string }[]).map(({ field }) => field);
      expect(new Set(fields)).toEqual(new Set(['templateName', 'language', 'customerExcel']));
    });

    it.each(['FILE_INVALID', 'TEMPLATE_NOT_FOUND', 'UNAVAILABLE'] as const)(
      'leaves no file if the jobs service returns %s',
      async (code) => {
        gateway.fakes.answer(createExcelJobV1, () => {
          throw new AppError(code);
        });
        expect((await send(formOf(SHEET))).body.code).toBe(code);
      },
    );

    it('returns 415 for a JSON body', async () => {
      expect(await call(`${gateway.url}${ROUTE}`, { key: customer.apiKey, body: FIELDS })).toMatchObject({
        status: 415,
        body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
      });
    });

    it('returns 403 before its body is read if the plan lacks the feature', async () => {
      const starter = await gateway.customer({ plan: 'starter' });
      const head = `POST ${ROUTE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${starter.apiKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n`;
      expect(parseAnswer(await exchangeBytes(gateway.url, head, { closeAfterMs: 1_000 }))).toMatchObject({
        status: 403,
        body: { code: 'FEATURE_NOT_IN_PLAN', message: 'feature not available in your plan: BULK_EXCEL' },
      });
    });
  });

  describe('with other requests in progress', () => {
    let answer: () => void;
    beforeEach(() => {
      const answered = new Promise<void>((resolve) => (answer = resolve));
      gateway.fakes.answer(createExcelJobV1, () => answered.then(() => createExcelJobV1.sample.response));
    });
    afterEach(() => answer());

    it('is rejected before its body if five are in progress', async () => {
      const five = Array.from({ length: 5 }, () => send(formOf(SHEET)));
      await eventually(() => expect(asked().length).toBe(5));
      const before = await blobs();
      const head = `POST ${ROUTE} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${customer.apiKey}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000\r\n\r\n`;
      const refused = parseAnswer(await exchangeBytes(gateway.url, head, { closeAfterMs: 1_000 }));
      expect(refused).toMatchObject({
        status: 429,
        body: {
          code: 'RATE_LIMITED',
          message: expect.stringMatching(/^rate limit exceeded: 5 spreadsheets of your account/) as string,
        },
      });
      expect(refused.headers.get('retry-after')).toBe('10');
      expect(await blobs()).toEqual(before);
      const other = await gateway.customer({ plan: 'scale' });
      const beside = send(formOf(SHEET), { key: other.apiKey });
      await eventually(() => expect(asked().length).toBe(6));
      answer();
      expect((await Promise.all([...five, beside])).map(({ status }) => status)).toEqual(
        Array.from({ length: 6 }, () => 201),
      );
      expect((await send(formOf(SHEET))).status).toBe(201);
    });

    it('discards the file of a disconnected caller', async () => {
      const before = await blobs();
      const gone = new AbortController();
      const sending = fetch(`${gateway.url}${ROUTE}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.apiKey}` },
        body: formOf(SHEET),
        signal: gone.signal,
      });
      await eventually(() => expect(asked().length).toBe(1));
      expect(await blobs()).toHaveLength(before.length + 1);
      gone.abort();
      await expect(sending).rejects.toThrow();
      await eventually(async () => expect(await blobs()).toEqual(before));
    });
  });

  it('creates one job per Idempotency-Key with any multipart boundary', async () => {
    const headers = { 'idempotency-key': createHash('sha256').update(customer.accountId).digest('hex') };
    const first = await send(formOf(SHEET), { headers });
    const before = await blobs();
    const again = await send(formOf(SHEET), { headers });
    expect([again.status, again.body, again.headers.get('idempotency-replay')]).toEqual([201, first.body, 'true']);
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const others = Object.entries({ templateName: 'b', language: 'de', from: '15550783881', scheduledAt });
    const forms = others.map(([name, value]) => formOf(SHEET, { ...FIELDS, [name]: value }));
    for (const form of [formOf(Buffer.concat([SHEET, SHEET])), ...forms])
      expect(await send(form, { headers })).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH' } });
    expect(asked()).toHaveLength(1);
    expect(await blobs()).toEqual(before);
  });

  it('creates the same job after a lost response', async () => {
    const headers = { 'idempotency-key': 'excel-lost' };
    gateway.fakes.answer(createExcelJobV1, () => {
      throw new AppError('UNAVAILABLE');
    });
    expect((await send(formOf(SHEET), { headers })).status).toBe(503);
    gateway.fakes.answer(createExcelJobV1, () => createJobV1.sample.response);
    expect((await send(formOf(SHEET), { headers })).status).toBe(201);
    const ids = asked().map(({ jobId }) => jobId);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
  });
});
