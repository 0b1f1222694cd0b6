import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Schemas } from '@switchboard/client';
import { eventually } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import { newAccount, type TestAccount } from './support/account';
import { api, post } from './support/api';
import { done } from './support/installation';
import { freshPhone, receivedUpstream } from './support/simulator';
import { approved, createTemplate } from './support/templates';

type Components = NonNullable<Schemas['TemplateContent']['components']>;

interface Kind {
  components: object[];
  options?: { category?: string; parameterFormat?: string };
  /** By the names of the variables. What the template has a sample of is that sample. */
  values: Record<string, string>;
  /** What the upstream platform should get. */
  wire: { type: string; sub_type?: string; index?: string; parameters: object[] }[];
  /** The variables that the sample sheet leaves out. */
  notInSample?: string[];
}

const LINK = 'https://example.com/media/file';
const HANDLE = { header_handle: ['4::aW1hZ2U='] };
const text = (value: string, name?: string): object => ({
  type: 'text',
  ...(name !== undefined && { parameter_name: name }),
  text: value,
});
const PLAIN = { type: 'BODY', text: 'Good morning to you.' };
const media = (format: string): object => ({ type: 'HEADER', format, example: HANDLE });
const header = (...parameters: object[]) => ({ type: 'header', parameters });
const body = (...parameters: object[]) => ({ type: 'body', parameters });
const button = (sub_type: string, index: string, parameter: object) => ({
  ...{ type: 'button', sub_type, index, parameters: [parameter] },
});

/** Every kind of template whose values this service sends. */
const KINDS: Record<string, Kind> = {
  'nothing that varies': { components: [PLAIN], values: {}, wire: [] },
  'a text header, a numbered body out of order, and several buttons': {
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['A-17'] } },
      {
        type: 'BODY',
        text: 'On {{2}} the parcel of {{1}} comes to your door.',
        example: { body_text: [['Asha', 'Monday']] },
      },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Not now' },
          { type: 'QUICK_REPLY', text: 'Thanks' },
          { type: 'URL', text: 'Shop', url: 'https://example.com' },
          {
            type: 'URL',
            text: 'Track',
            url: 'https://example.com/track/{{1}}',
            example: ['https://example.com/track/order-7'],
          },
          { type: 'PHONE_NUMBER', text: 'Call', phone_number: '15550001111' },
        ],
      },
    ],
    values: { 'header 1': 'A-17', '1': 'Asha', '2': 'Monday', 'button 2': 'thanks', 'button 4': 'order-7' },
    wire: [
      header(text('A-17')),
      body(text('Asha'), text('Monday')),
      button('quick_reply', '1', { type: 'payload', payload: 'thanks' }),
      button('url', '3', text('order-7')),
    ],
    notInSample: ['button 2'],
  },
  'a named header and body, and a link': {
    options: { parameterFormat: 'NAMED' },
    components: [
      {
        ...{ type: 'HEADER', format: 'TEXT', text: 'From {{shop}}' },
        example: { header_text_named_params: [{ param_name: 'shop', example: 'Acme' }] },
      },
      {
        ...{ type: 'BODY', text: 'Your order {{order_id}} is ready, dear {{first_name}}, please come.' },
        example: {
          body_text_named_params: [
            { param_name: 'order_id', example: 'A-17' },
            { param_name: 'first_name', example: 'Asha' },
          ],
        },
      },
      {
        type: 'BUTTONS',
        buttons: [{ type: 'URL', text: 'Look', url: 'https://example.com/{{1}}', example: ['https://example.com/7'] }],
      },
    ],
    values: { 'header shop': 'Acme', order_id: 'A-17', first_name: 'Asha', 'button 1': '7' },
    wire: [
      header(text('Acme', 'shop')),
      body(text('A-17', 'order_id'), text('Asha', 'first_name')),
      button('url', '0', text('7')),
    ],
  },
  'an image header': {
    components: [media('IMAGE'), PLAIN],
    values: { 'header link': `${LINK}.png` },
    wire: [header({ type: 'image', image: { link: `${LINK}.png` } })],
  },
  'a video header': {
    components: [media('VIDEO'), PLAIN],
    values: { 'header link': `${LINK}.mp4` },
    wire: [header({ type: 'video', video: { link: `${LINK}.mp4` } })],
  },
  'a document header': {
    components: [media('DOCUMENT'), PLAIN],
    values: { 'header link': `${LINK}.pdf`, 'header filename': 'Bill 7.pdf' },
    wire: [header({ type: 'document', document: { link: `${LINK}.pdf`, filename: 'Bill 7.pdf' } })],
  },
  'a location header': {
    components: [{ type: 'HEADER', format: 'LOCATION' }, PLAIN],
    values: {
      ...{ 'header latitude': '12.9716', 'header longitude': '-77.5946' },
      ...{ 'header name': 'City store', 'header address': '1 Market Road' },
    },
    wire: [
      header({
        type: 'location',
        location: { latitude: '12.9716', longitude: '-77.5946', name: 'City store', address: '1 Market Road' },
      }),
    ],
  },
  'a coupon code': {
    options: { category: 'MARKETING' },
    components: [
      { type: 'BODY', text: 'Take {{1}} off your next order.', example: { body_text: [['20%']] } },
      { type: 'BUTTONS', buttons: [{ type: 'COPY_CODE', example: 'SAVE20' }] },
    ],
    values: { '1': '20%', 'button 1': 'SAVE20' },
    wire: [body(text('20%')), button('copy_code', '0', { type: 'coupon_code', coupon_code: 'SAVE20' })],
  },
  'the code of an authentication': {
    options: { category: 'AUTHENTICATION' },
    components: [
      { type: 'body', add_security_recommendation: true },
      { type: 'buttons', buttons: [{ type: 'otp', otp_type: 'copy_code', text: 'Copy code' }] },
    ],
    values: { '1': '123456', 'button 1': '123456' },
    wire: [body(text('123456')), button('url', '0', text('123456'))],
  },
};

const language = { code: 'en_US' };

describe('a template with', () => {
  let account: TestAccount;
  const names: Record<string, string> = {};

  beforeAll(async () => {
    account = await newAccount('Doors');
    await Promise.all(
      Object.entries(KINDS).map(async ([kind, { components, options }]) => {
        names[kind] = (await createTemplate(components, options)).name;
      }),
    );
    await approved(account, Object.values(names));
  }, 90_000);

  /** What reached the upstream platform for a phone, once. */
  const onTheWire = (phone: string): Promise<unknown> =>
    eventually(
      async () => {
        const received = await receivedUpstream(phone);
        expect(received.map(({ count }) => count)).toEqual([1]);
        return (received[0]?.body['template'] as { components?: unknown }).components ?? [];
      },
      { timeoutMs: 25_000 },
    );

  const KEYS = Object.keys(KINDS);
  const kindOf = (kind: string): Kind & { name: string } => ({ ...(KINDS[kind] as Kind), name: names[kind] ?? '' });

  it.each(KEYS)('%s arrives as it was meant, by components and by variables, in a send', async (kind) => {
    const { name, wire, values } = kindOf(kind);
    const given = wire.length > 0;
    const templates = [
      { name, language, ...(given && { components: wire as unknown as Components }) },
      { name, language, ...(given && { variables: values }) },
    ];
    for (const template of templates) {
      const to = freshPhone();
      await account.api.sendMessage({ to, type: 'template', template });
      expect(await onTheWire(to)).toEqual(wire);
    }
  });

  it.each(KEYS)(
    '%s arrives as it was meant, from recipients and from the job, in a bulk send',
    async (kind) => {
      const { name, wire, values } = kindOf(kind);
      const given = wire.length > 0;
      const [byVariables, byComponents, byJob] = [freshPhone(), freshPhone(), freshPhone()];
      const recipients = [
        { to: byVariables, ...(given && { variables: values }) },
        { to: byComponents, ...(given && { components: wire as unknown as Components }) },
      ];
      const created = await account.api.sendBulk({ recipients, type: 'template', template: { name, language } });
      expect(created).toMatchObject({ accepted: 2, errors: [] });
      const template = { name, language, ...(given && { variables: values }) };
      await account.api.sendBulk({ recipients: [byJob], type: 'template', template });
      for (const phone of [byVariables, byComponents, byJob]) expect(await onTheWire(phone)).toEqual(wire);
    },
    60_000,
  );

  it.each(KEYS)(
    '%s arrives as it was meant, from its sample sheet',
    async (kind) => {
      const { name, wire, values, notInSample = [] } = kindOf(kind);
      const phone = freshPhone();
      const book = await bookOf(await account.api.getSampleSheet({ templateName: name, language: language.code }));
      const sheet = book.worksheets[0] as ExcelJS.Worksheet;
      const columns = textsOf(sheet, 1);
      const expected = Object.keys(values).filter((key) => !notInSample.includes(key));
      expect(columns.map(bare)).toEqual(expect.arrayContaining(['phone', ...expected, 'clientRef']) as string[]);
      expect(columns).toHaveLength(expected.length + 2);
      const row = sheet.getRow(2);
      columns.forEach((column, index) => {
        const cell = row.getCell(index + 1);
        const value = column === 'phone' ? phone : values[bare(column)];
        // Where the template has a sample, the sheet has it already.
        if (cell.text !== '') expect([column, cell.text]).toEqual([column, value]);
        else if (value !== undefined) cell.value = value;
      });
      const file = new File([new Uint8Array(await book.xlsx.writeBuffer())], 'customers.xlsx');
      const form = { customerExcel: file, templateName: name, language: language.code };
      const created = await account.api.sendBulkExcel(form);
      expect(created).toMatchObject({ total: 1, accepted: 1, errors: [] });
      const isSent = ({ index, sub_type }: Kind['wire'][number]): boolean =>
        sub_type === undefined || !notInSample.includes(`button ${Number(index) + 1}`);
      expect(await onTheWire(phone)).toEqual(wire.filter(isSent));
    },
    60_000,
  );

  it('the code of an authentication gets it into body and button, by the route for codes', async () => {
    const { name, wire } = kindOf('the code of an authentication');
    await done('otp', 'set', '--account', account.accountId, '--template', name);
    const to = freshPhone();
    const { status } = await post(
      '/messages/send/authentication/utility',
      { to, otp: '123456' },
      { apiKey: account.apiKey },
    );
    expect(status).toBe(200);
    expect(await onTheWire(to)).toEqual(wire);
  });

  it('a wrong value is refused before anything is sent, and the refusal names it', async () => {
    const { name } = kindOf('a document header');
    const refusalOf = (variables: Record<string, string>): Promise<unknown> =>
      account.api
        .sendMessage({ to: freshPhone(), type: 'template', template: { name, language, variables } })
        .catch((error: unknown) => error);
    const link = `${LINK}.pdf`;
    expect(await refusalOf({ 'header link': 'http://example.com/a.pdf' })).toMatchObject({
      status: 422,
      code: 'INVALID_LINK',
      message: 'variable header link must be an https URL with a public host',
    });
    expect(await refusalOf({ 'header filename': 'Bill.pdf' })).toMatchObject({
      status: 400,
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining('variable header link is missing') as string,
    });
    expect(await refusalOf({ 'header link': link, 'button 1': 'x' })).toMatchObject({
      status: 400,
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining('the template has no variable button 1') as string,
    });
  });
});

describe("the README's example of a spreadsheet", () => {
  const README = readFileSync(join(resolve(import.meta.dirname, '../../..'), 'README.md'), 'utf8');
  const lineWith = (part: string): string =>
    README.split('\n').find((line) => line.startsWith('curl') && line.includes(part)) ?? '';

  it('takes the sheet that it downloads, once a phone is in it', async () => {
    const query = new URLSearchParams(/sample\.xlsx\?([^'"]+)/.exec(lineWith('/v1/jobs/sample.xlsx'))?.[1]);
    const fields = Object.fromEntries(
      [...lineWith('/v1/messages/send/bulk/excel').matchAll(/-F (\w+)=([^@\s]\S*)/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    ) as { templateName: string; language: string };
    expect(Object.fromEntries(query)).toEqual(fields);
    const book = await bookOf(await api.getSampleSheet(fields));
    const phone = freshPhone();
    (book.worksheets[0] as ExcelJS.Worksheet).getRow(2).getCell(1).value = phone;
    const customerExcel = new File([new Uint8Array(await book.xlsx.writeBuffer())], 'customers.xlsx');
    expect(await api.sendBulkExcel({ customerExcel, ...fields })).toMatchObject({ accepted: 1, rejected: 0 });
    await eventually(async () => expect(await receivedUpstream(phone)).toHaveLength(1), { timeoutMs: 25_000 });
    expect((await receivedUpstream(phone))[0]?.body['template']).toMatchObject({
      name: 'order_update',
      components: [body(text('A-17'), text('Monday')), button('url', '0', text('A-17'))],
    });
  }, 60_000);
});

/** The name of the variable that a column fills. */
const bare = (column: string): string => column.replace(/\{\{(.*)\}\}/, '$1');

async function bookOf(response: Response): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(await response.arrayBuffer());
  return book;
}

function textsOf(sheet: ExcelJS.Worksheet, row: number): string[] {
  return (sheet.getRow(row).values as unknown[]).slice(1).map(String);
}
