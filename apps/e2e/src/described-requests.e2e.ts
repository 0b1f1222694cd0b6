import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually, SAMPLE_RATES } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import { newAccount, type TestAccount } from './support/account';
import { fileOf } from './support/files';
import { demo, done, ROOT } from './support/installation';
import { writeInAny } from './support/simulator';

const ratesFile = join(tmpdir(), `described-rates-${process.pid}.csv`);

interface Described {
  operationId: string;
  method: string;
  path: string;
  type: string;
  name: string;
  value: Record<string, unknown>;
}

type Media = { examples?: Record<string, { value: Record<string, unknown> }> };
type Operation = { operationId: string; requestBody?: { content: Record<string, Media> } };

/** Returns every example request of the description in order, so that a code is sent before it is verified. */
function describedRequests(): Described[] {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
  };
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { operationId, requestBody }]) =>
      Object.entries(requestBody?.content ?? {}).flatMap(([type, { examples = {} }]) =>
        Object.entries(examples).map(([name, { value }]) => ({ operationId, method, path, type, name, value })),
      ),
    ),
  );
  return requests.sort(
    (one, other) => Number(one.operationId === 'verifyOtp') - Number(other.operationId === 'verifyOtp'),
  );
}

describe('example request of the API description', () => {
  let account: TestAccount;
  let inbound: string;

  beforeAll(async () => {
    account = await newAccount('Described requests');
    await eventually(async () => expect((await account.api.listTemplates()).templates.length).toBeGreaterThan(2));
    await writeFile(ratesFile, SAMPLE_RATES);
    await done('rates', 'import', ratesFile, '--replace');
    await done('otp', 'set', '--account', account.accountId, '--template', 'verification_code');
    await done('credits', 'top-up', '--account', account.accountId, '--amount', '10', '--reason', 'test');
    inbound = await writeInAny({
      from: '919812345678',
      to: account.phoneNumber,
      type: 'text',
      text: { body: 'Hello' },
    });
    await eventually(async () =>
      expect((await account.api.listMessages({ direction: 'inbound' })).messages).toMatchObject([
        { message_id: inbound },
      ]),
    );
  });

  afterAll(() => rm(ratesFile, { force: true }));

  /** Returns the path with the id of a held job that has a spend cap. */
  async function pathOf({ path }: Described): Promise<string> {
    if (!path.includes('{jobId}')) return path.replace('{phone}', '919812345678');
    const { jobId } = await account.api.sendBulk({
      type: 'template',
      template: { name: 'hello_world', language: { code: 'en_US' } },
      recipients: ['919812345678'],
      hold: true,
      maxSpend: { amount: '1.00', currency: 'USD' },
    });
    return path.replace('{jobId}', jobId);
  }

  async function fileNamed(name: string): Promise<File> {
    if (!name.endsWith('.xlsx')) return fileOf('document', name);
    const workbook = new ExcelJS.Workbook();
    const sample = await fetch(`${demo.baseUrl}/jobs/sample.xlsx?templateName=order_update&language=en_US`, {
      headers: { authorization: `Bearer ${account.apiKey}` },
    });
    await workbook.xlsx.load(await sample.arrayBuffer());
    const [sheet] = workbook.worksheets;
    const column = (sheet?.getRow(1).values as unknown[]).indexOf('phone');
    const cell = sheet?.getRow(2).getCell(column);
    if (cell) cell.value = '919812345678';
    return new File([new Uint8Array(await workbook.xlsx.writeBuffer())], name);
  }

  async function bodyOf({
    type,
    value,
  }: Described): Promise<{ body: string | FormData; headers: Record<string, string> }> {
    if (type === 'application/json')
      return {
        body: JSON.stringify(value).replaceAll(/wamid\.\w+/g, inbound),
        headers: { 'content-type': type },
      };
    const form = new FormData();
    for (const [name, text] of Object.entries(value))
      form.append(name, /^(file|customerExcel)$/.test(name) ? await fileNamed(String(text)) : String(text));
    return { body: form, headers: {} };
  }

  it.each(describedRequests())('succeeds as pasted: $operationId, $type, $name', async (request) => {
    const { body, headers } = await bodyOf(request);
    const answer = await fetch(new URL(await pathOf(request), demo.baseUrl), {
      method: request.method.toUpperCase(),
      headers: { ...headers, authorization: `Bearer ${account.apiKey}` },
      body,
    });
    const answered = (await answer.json()) as { success: boolean; warnings?: unknown };
    expect([answer.status, answered]).toEqual([
      /^(sendBulk|uploadMedia)/.test(request.operationId) && !('dryRun' in request.value) ? 201 : 200,
      expect.objectContaining({ success: true }),
    ]);
    expect(answered.warnings).toBeUndefined();
  });
});
