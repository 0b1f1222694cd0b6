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
  wire: { type: string; sub_type?: string; index?: string; parameters?: object[]; cards?: object[] }[];
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

const buttons = (...list: object[]) => ({ type: 'BUTTONS', buttons: list });
const END = '2030-01-31T18:00:00Z';
const offerEnd = (time: number) => ({
  type: 'limited_time_offer',
  parameters: [{ type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: time } }],
});
const action = (value: object): object => ({ type: 'action', action: value });
const CARD = {
  components: [
    media('IMAGE'),
    { type: 'BODY', text: 'Now only {{1}} for you.', example: { body_text: [['$1']] } },
    buttons(
      { type: 'QUICK_REPLY', text: 'More' },
      { type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}', example: ['https://example.com/lamp'] },
    ),
  ],
};
const PRODUCT_CARD = {
  components: [{ type: 'HEADER', format: 'PRODUCT' }, buttons({ type: 'SPM', text: 'View' })],
};
const MARKETING = { category: 'MARKETING' };
const SKUS = ['SKU-1', 'SKU-2'];
const CATALOG_ID = '194836987003835';

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
  'a GIF header': {
    options: MARKETING,
    components: [media('GIF'), PLAIN],
    values: { 'header link': `${LINK}.mp4` },
    wire: [header({ type: 'gif', gif: { link: `${LINK}.mp4` } })],
  },
  'a limited-time offer': {
    options: MARKETING,
    components: [
      { type: 'LIMITED_TIME_OFFER', limited_time_offer: { text: 'Ends soon!', has_expiration: true } },
      PLAIN,
      buttons(
        { type: 'COPY_CODE', example: 'SAVE20' },
        { type: 'URL', text: 'Buy', url: 'https://example.com/{{1}}', example: ['https://example.com/lamp'] },
      ),
    ],
    values: { 'offer end': END, 'button 1': 'SAVE20', 'button 2': 'lamp' },
    wire: [
      offerEnd(Date.parse(END)),
      button('copy_code', '0', { type: 'coupon_code', coupon_code: 'SAVE20' }),
      button('url', '1', text('lamp')),
    ],
  },
  'a catalogue': {
    options: MARKETING,
    components: [PLAIN, buttons({ type: 'CATALOG', text: 'View catalog' })],
    values: { 'button 1': 'SKU-1' },
    wire: [button('catalog', '0', action({ thumbnail_product_retailer_id: 'SKU-1' }))],
  },
  'a flow': {
    components: [
      { type: 'BODY', text: 'Dear {{1}}, book your next visit with us.', example: { body_text: [['Asha']] } },
      buttons({ type: 'FLOW', text: 'Book', flow_id: '1234567890', flow_action: 'navigate', navigate_screen: 'FIRST' }),
    ],
    values: { '1': 'Asha', 'button 1': 'visit-7' },
    wire: [body(text('Asha')), button('flow', '0', action({ flow_token: 'visit-7' }))],
  },
  'a carousel': {
    options: MARKETING,
    components: [PLAIN, { type: 'CAROUSEL', cards: [CARD, CARD] }],
    values: {
      ...{ 'card 1 header link': `${LINK}.png`, 'card 1 1': '$1', 'card 1 button 2': 'lamp' },
      ...{ 'card 2 header link': `${LINK}.png`, 'card 2 1': '$1', 'card 2 button 2': 'lamp' },
    },
    wire: [
      {
        type: 'carousel',
        cards: [0, 1].map((card_index) => ({
          card_index,
          components: [
            header({ type: 'image', image: { link: `${LINK}.png` } }),
            body(text('$1')),
            button('url', '1', text('lamp')),
          ],
        })),
      },
    ],
  },
  'a carousel of products': {
    options: MARKETING,
    components: [PLAIN, { type: 'CAROUSEL', cards: [PRODUCT_CARD, PRODUCT_CARD] }],
    values: {
      ...{ 'card 1 header product': 'SKU-1', 'card 1 header catalog': CATALOG_ID },
      ...{ 'card 2 header product': 'SKU-2', 'card 2 header catalog': CATALOG_ID },
    },
    wire: [
      {
        type: 'carousel',
        cards: SKUS.map((id, card_index) => ({
          card_index,
          components: [header({ type: 'product', product: { product_retailer_id: id, catalog_id: CATALOG_ID } })],
        })),
      },
    ],
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

  it('the end of an offer is a time with its zone or milliseconds, and nothing else', async () => {
    const { name, values, wire } = kindOf('a limited-time offer');
    const send = (end: string, to = freshPhone()) =>
      account.api.sendMessage({
        ...{ to, type: 'template' as const },
        template: { name, language, variables: { ...values, 'offer end': end } },
      });
    const to = freshPhone();
    await send('1893456000000', to);
    expect(await onTheWire(to)).toEqual([offerEnd(1_893_456_000_000), ...wire.slice(1)]);
    for (const wrong of ['2030-01-31', '2030-01-31T18:00:00', '1893456000', 'tomorrow'])
      expect(await send(wrong).catch((error: unknown) => error)).toMatchObject({
        ...{ status: 422, code: 'INVALID_VALUE' },
        message: expect.stringContaining('variable offer end must be a time with its zone') as string,
      });
  });

  it('a list of products is an object beside the variables, and goes by no sheet', async () => {
    const components = [
      { type: 'BODY', text: 'Dear {{1}}, look at what is new here.', example: { body_text: [['Asha']] } },
      buttons({ type: 'MPM', text: 'View items' }),
    ];
    const { name } = await createTemplate(components, MARKETING);
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
      ...{ status: 400, code: 'TEMPLATE_PARAMS_MISMATCH' },
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
