import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Schemas } from '@switchboard/client';
import { eventually } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import { newAccount, newBusiness, type TestAccount } from './support/account';
import { api, post } from './support/api';
import { done } from './support/installation';
import { freshPhone, receivedUpstream } from './support/simulator';
import {
  KINDS,
  LINK,
  MARKETING,
  SKUS,
  action,
  body,
  button,
  buttons,
  offerEnd,
  text,
  type Kind,
} from './support/template-kinds';
import { approved, createTemplate } from './support/templates';

type Components = NonNullable<Schemas['TemplateContent']['components']>;

const language = { code: 'en_US' };

describe('a template with', () => {
  let wabaId: string;
  let account: TestAccount;
  const names: Record<string, string> = {};

  beforeAll(async () => {
    wabaId = await newBusiness();
    account = await newAccount('Doors', { wabaId });
    await Promise.all(
      Object.entries(KINDS).map(async ([kind, { components, options }]) => {
        names[kind] = (await createTemplate(components, { ...options, wabaId })).name;
      }),
    );
    await approved(account, Object.values(names));
  }, 90_000);

  /** Returns the single upstream message to a phone. */
  const onTheWire = (phone: string): Promise<unknown> =>
    eventually(
      async () => {
        const received = await receivedUpstream(phone);
        expect(received.map(({ count }) => count)).toEqual([1]);
        return (received[0]?.body['template'] as { components?: unknown }).components ?? [];
      },
      { timeoutMs: 60_000 },
    );

  const KEYS = Object.keys(KINDS);
  const kindOf = (kind: string): Kind & { name: string } => ({ ...(KINDS[kind] as Kind), name: names[kind] ?? '' });

  it.each(KEYS)('%s arrives correctly from a send, by components and by variables', async (kind) => {
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

  it.each(KEYS.filter((kind) => kindOf(kind).wire.length > 0))(
    '%s arrives correctly with component types in uppercase',
    async (kind) => {
      const { name, wire } = kindOf(kind);
      const to = freshPhone();
      await account.api.sendMessage({
        to,
        type: 'template',
        template: { name, language, components: inUpperCase(wire) as unknown as Components },
      });
      expect(await onTheWire(to)).toEqual(wire);
    },
  );

  it.each(KEYS)(
    '%s arrives correctly from a bulk send, by recipients and by job',
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
    '%s arrives correctly from its sample spreadsheet',
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
        // If the template has a sample, the spreadsheet already contains that sample.
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

  it('an offer requires its end with a time zone or in milliseconds', async () => {
    const { name, values, wire } = kindOf('a limited-time offer');
    const send = (end: string, to = freshPhone()) =>
      account.api.sendMessage({
        to,
        type: 'template' as const,
        template: { name, language, variables: { ...values, 'offer end': end } },
      });
    const to = freshPhone();
    await send('1893456000000', to);
    expect(await onTheWire(to)).toEqual([offerEnd(1_893_456_000_000), ...wire.slice(1)]);
    for (const wrong of ['2030-01-31', '2030-01-31T18:00:00', '1893456000', 'tomorrow'])
      expect(await send(wrong).catch((error: unknown) => error)).toMatchObject({
        status: 422,
        code: 'INVALID_VALUE',
        message: expect.stringContaining('variable offer end must be a time with its zone') as string,
      });
  });

  it('a product list accepts an object but no spreadsheet', async () => {
    const components = [
      { type: 'BODY', text: 'Dear {{1}}, look at what is new here.', example: { body_text: [['Asha']] } },
      buttons({ type: 'MPM', text: 'View items' }),
    ];
    const { name } = await createTemplate(components, { ...MARKETING, wabaId });
    await approved(account, [name]);
    const sections = [{ product_items: SKUS.map((id) => ({ product_retailer_id: id })) }];
    const products = button('mpm', '0', action({ thumbnail_product_retailer_id: 'SKU-1', sections }));
    const template = { name, language, components: [products] as unknown as Components };
    const variables = { '1': 'Asha' };
    const [single, byRecipient, byJob] = [freshPhone(), freshPhone(), freshPhone()];
    await account.api.sendMessage({ to: single, type: 'template', template: { ...template, variables } });
    await account.api.sendBulk({ recipients: [{ to: byRecipient, variables }], type: 'template', template });
    await account.api.sendBulk({ recipients: [byJob], type: 'template', template: { ...template, variables } });
    for (const phone of [single, byRecipient, byJob])
      expect(await onTheWire(phone)).toEqual([body(text('Asha')), products]);

    const refusalOf = (sent: Promise<unknown>): Promise<unknown> => sent.catch((error: unknown) => error);
    const needsList = {
      status: 400,
      code: 'TEMPLATE_PARAMS_MISMATCH',
      message: expect.stringContaining(
        'button 1 opens a list of products, which template.components alone can',
      ) as string,
    };
    const bare = { name, language, variables };
    expect(
      await refusalOf(account.api.sendMessage({ to: freshPhone(), type: 'template', template: bare })),
    ).toMatchObject(needsList);
    const twice = { ...template, variables, components: [body(text('Asha')), products] as unknown as Components };
    expect(
      await refusalOf(account.api.sendMessage({ to: freshPhone(), type: 'template', template: twice })),
    ).toMatchObject({ status: 400, code: 'INVALID_PARAMETER' });
    const book = await bookOf(await account.api.getSampleSheet({ templateName: name, language: language.code }));
    const sheet = book.worksheets[0] as ExcelJS.Worksheet;
    expect(textsOf(sheet, 1)).toEqual(['phone', '{{1}}', 'clientRef']);
    sheet.getRow(2).getCell(1).value = freshPhone();
    const customerExcel = new File([new Uint8Array(await book.xlsx.writeBuffer())], 'customers.xlsx');
    expect(
      await refusalOf(account.api.sendBulkExcel({ customerExcel, templateName: name, language: language.code })),
    ).toMatchObject(needsList);
  }, 60_000);

  it('an authentication code fills body and button through the OTP route', async () => {
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

  it('an invalid value is rejected by name before sending', async () => {
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
    const isNoLink = { status: 422, code: 'INVALID_LINK' };
    for (const bad of ['http://example.com/a.pdf', 'https://localhost/a.pdf', 'https://10.0.0.1/a.pdf']) {
      const document = { link: bad };
      const components: Components = [{ type: 'header', parameters: [{ type: 'document', document }] }];
      const to = freshPhone();
      const sent = account.api.sendMessage({ to, type: 'template', template: { name, language, components } });
      expect(await sent.catch((error: unknown) => error)).toMatchObject(isNoLink);
      expect(await refusalOf({ 'header link': bad })).toMatchObject(isNoLink);
      expect(await receivedUpstream(to)).toEqual([]);
    }
  });
});

describe('spreadsheet of the bulk guide', () => {
  const GUIDE = readFileSync(
    join(resolve(import.meta.dirname, '../../..'), 'docs/guides/bulk-and-spreadsheets.md'),
    'utf8',
  ).replaceAll('\\\n', '');
  const lineWith = (part: string): string =>
    GUIDE.split('\n').find((line) => line.startsWith('curl') && line.includes(part)) ?? '';

  it('is accepted once it has a phone number', async () => {
    const query = new URLSearchParams(/sample\.xlsx\?([^'"]+)/.exec(lineWith('/jobs/sample.xlsx'))?.[1]);
    const fields = Object.fromEntries(
      [...lineWith('customerExcel=@customers.xlsx').matchAll(/-F (\w+)=([^@\s]\S*)/g)].map(([, name, value]) => [
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
    await eventually(async () => expect(await receivedUpstream(phone)).toHaveLength(1));
    expect((await receivedUpstream(phone))[0]?.body['template']).toMatchObject({
      name: 'order_update',
      components: [body(text('A-17'), text('Monday')), button('url', '0', text('A-17'))],
    });
  }, 60_000);
});

/** Converts component types to uppercase, including those of cards. */
const inUpperCase = (components: readonly Kind['wire'][number][]): Kind['wire'] =>
  components.map(({ cards, ...component }) => ({
    ...component,
    type: component.type.toUpperCase(),
    ...(cards && {
      cards: (cards as { components: Kind['wire'] }[]).map((card) => ({
        ...card,
        components: inUpperCase(card.components),
      })),
    }),
  }));

/** Returns the name of the variable that a column fills. */
const bare = (column: string): string => column.replace(/\{\{(.*)\}\}/, '$1');

async function bookOf(response: Response): Promise<ExcelJS.Workbook> {
  const book = new ExcelJS.Workbook();
  await book.xlsx.load(await response.arrayBuffer());
  return book;
}

function textsOf(sheet: ExcelJS.Worksheet, row: number): string[] {
  return (sheet.getRow(row).values as unknown[]).slice(1).map(String);
}
