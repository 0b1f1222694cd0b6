import ExcelJS from 'exceljs';
import type { Browser } from 'playwright-core';
import { newAccount, newUser } from '../support/account';
import { addressOf, openAs, startBrowser, type Visitor, type WatchedPage } from '../support/browser';
import { freshPhone, receivedUpstream } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

describe('bulk job forms', () => {
  let browser: Browser;
  let owner: Visitor;
  let page: WatchedPage;
  /** With a header image and a link. */
  let rich: string;
  /** With a button that opens a list of products. */
  let products: string;

  beforeAll(async () => {
    const [started, account] = await Promise.all([startBrowser(), newAccount('Job forms')]);
    browser = started;
    const templates = await Promise.all([
      createTemplate([
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U='] } },
        { type: 'BODY', text: 'Your order {{1}} is here.', example: { body_text: [['A-17']] } },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Thanks' },
            { type: 'URL', text: 'Look', url: 'https://example.com/{{1}}', example: ['https://example.com/7'] },
          ],
        },
      ]),
      createTemplate(
        [
          { type: 'BODY', text: 'Dear {{1}}, look at what is new here.', example: { body_text: [['Asha']] } },
          { type: 'BUTTONS', buttons: [{ type: 'MPM', text: 'View items' }] },
        ],
        { category: 'MARKETING' },
      ),
    ]);
    [rich = '', products = ''] = templates.map(({ name }) => name);
    [owner] = await Promise.all([newUser(account.accountId), approved(account, [rich, products])]);
    page = await openAs(browser, owner);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const go = (path: string) => page.goto(addressOf(path));
  const badge = (word: string) => page.locator('.page-head .st', { hasText: word });
  const button = (name: string) => page.getByRole('button', { name });
  /** Checks the rows and creates the job. */
  const checkAndCreate = async (): Promise<void> => {
    await button('Check rows').click();
    await button('Create job').click();
  };

  it('keep the input of a new job when templates fail to reload', async () => {
    const late = await openAs(browser, owner, '/jobs/new', { hasClock: true });
    await late.getByRole('button', { name: 'List of numbers' }).click();
    await late.getByLabel('Phone numbers').fill('919812345678');
    await late.route('**/console/v1/templates?*', (route) =>
      route.fulfill({ status: 503, json: { code: 'INTERNAL_ERROR', message: 'The templates are away.' } }),
    );
    await late.clock.runFor(6_000);
    await late.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
    await late.getByText('The templates are away.').waitFor();
    expect(await late.getByLabel('Phone numbers').inputValue()).toBe('919812345678');
    expect(late.problems).toEqual([]);
    await late.context().close();
  });

  it('accept the sample spreadsheet and require all values', async () => {
    const [bySheet, byList] = [freshPhone(), freshPhone()];
    const link = 'https://example.com/a.png';
    const sent = async (phone: string): Promise<unknown> => {
      await button('Start sending to 1 recipient').click();
      await badge('Completed').waitFor();
      const [message] = await receivedUpstream(phone);
      return (message?.body['template'] as { components: { parameters: object[] }[] }).components.map(
        ({ parameters }) => parameters[0],
      );
    };
    const header = { type: 'image', image: { link } };
    await go('/jobs/new');
    await page.getByLabel('Template').selectOption({ label: `${rich} · en_US` });
    await page.getByText('Spreadsheet columns: phone, header link, {{1}}, button 2.').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download sample spreadsheet' }).click(),
    ]);
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(await download.path());
    const row = book.worksheets[0]?.getRow(2);
    expect(row?.values).toEqual([undefined, '', '', 'A-17', '7']);
    if (row) [row.getCell(1).value, row.getCell(2).value] = [bySheet, link];
    const buffer = Buffer.from(await book.xlsx.writeBuffer());
    const file = { name: 'orders.xlsx', mimeType: 'application/octet-stream', buffer };
    await page.getByLabel('Spreadsheet', { exact: true }).setInputFiles(file);
    await checkAndCreate();
    expect(await sent(bySheet)).toEqual([header, { type: 'text', text: 'A-17' }, { type: 'text', text: '7' }]);

    await go('/jobs/new');
    await page.getByLabel('Template').selectOption({ label: `${rich} · en_US` });
    await button('List of numbers').click();
    await page.getByLabel('Phone numbers').fill(byList);
    const values = { 'File URL': link, '{{1}} in the text': 'B-1', 'URL suffix of “Look”': '8' };
    for (const [label, value] of Object.entries(values)) {
      expect(await button('Check rows').getAttribute('aria-disabled')).toBe('true');
      await page.getByLabel(label).fill(value);
    }
    await page.getByTestId('preview').getByText('B-1').waitFor();
    await checkAndCreate();
    expect(await sent(byList)).toEqual([header, { type: 'text', text: 'B-1' }, { type: 'text', text: '8' }]);
  }, 60_000);

  it('send a product list to phone numbers without a spreadsheet', async () => {
    const phone = freshPhone();
    await go('/jobs/new');
    await page.getByLabel('Template').selectOption({ label: `${products} · en_US` });
    await page.getByText('Spreadsheets do not support product lists').first().waitFor();
    expect(await button('Check rows').getAttribute('aria-disabled')).toBe('true');
    await button('List of numbers').click();
    await page.getByLabel('Phone numbers').fill(phone);
    const values = { '{{1}} in the text': 'Asha', 'Thumbnail product': 'SKU-1', Products: 'SKU-1, SKU-2' };
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    await checkAndCreate();
    await button('Start sending to 1 recipient').click();
    await badge('Completed').waitFor();
    const [message] = await receivedUpstream(phone);
    expect((message?.body['template'] as { components: object[] }).components).toMatchObject([
      { type: 'body', parameters: [{ text: 'Asha' }] },
      {
        sub_type: 'mpm',
        parameters: [{ action: { thumbnail_product_retailer_id: 'SKU-1', sections: [{ product_items: [{}, {}] }] } }],
      },
    ]);
  }, 60_000);
});
