import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import type { Browser, Locator } from 'playwright-core';
import { newAccount, newBusiness, type TestAccount, newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { FILES } from '../support/files';
import { freshPhone, receivedUpstream, setTemplateStatus } from '../support/simulator';

describe('template editor', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;

  beforeAll(async () => {
    const wabaId = await newBusiness();
    [browser, account] = await Promise.all([startBrowser(), newAccount('Kinds of templates', { wabaId })]);
    page = await openAs(browser, await newUser(account.accountId));
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const body = () => page.getByLabel('Body text');
  const badge = (word: string) => page.locator('.page-head .st', { hasText: word });
  const card = (number: number): Locator => page.getByRole('group', { name: `Card ${number}`, exact: true });
  const noFaults = () => page.getByText('No errors').waitFor();
  const saved = () =>
    page
      .locator('.sticky')
      .getByText(/^Saved /)
      .waitFor();

  /** Creates a draft with a name whose review the platform leaves to the test. */
  async function newDraft(what: string, category = 'Marketing'): Promise<string> {
    const name = `hold_${what}_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
    await page.goto(addressOf('/templates/new'));
    await page.getByLabel('Name').fill(name);
    await button(category).click();
    await button('Continue to the editor').click();
    await page.getByLabel('Category').waitFor();
    await badge('Draft').waitFor();
    return name;
  }

  async function submitted(name: string): Promise<void> {
    await noFaults();
    await button('Submit for approval').click();
    await badge('Pending').waitFor();
    await setTemplateStatus(name, { language: 'en_US', event: 'APPROVED' });
    await badge('Approved').waitFor();
  }

  /** Sends the template from its page with values by label. @returns what the platform received */
  async function sent(values: Record<string, string>): Promise<unknown> {
    const phone = freshPhone();
    await button('Test send').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Phone' }).fill(phone);
    for (const [label, value] of Object.entries(values)) {
      // Until then, the field of the file has the approved sample.
      if (label.startsWith('File URL')) await dialog.getByRole('button', { name: 'Use a link' }).first().click();
      await dialog.getByLabel(label).fill(value);
    }
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Message accepted by the platform.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    const [message] = await receivedUpstream(phone);
    return (message?.body['template'] as { components?: unknown }).components;
  }

  it('creates and sends a template with named variables', async () => {
    const name = await newDraft('named', 'Utility');
    await button('Text').click();
    await page.getByLabel('Header text').fill('For {{who}}');
    await body().fill('Order {{order}} comes on {{day}} as planned');
    await body().press('End');
    await button('Add variable').click();
    expect(await body().inputValue()).toBe('Order {{order}} comes on {{day}} as planned {{value_1}}.');
    await body().fill('Order {{order}} comes on {{1}} as planned.');
    await page.getByText('The variables of a template have either numbers or names, not both.').waitFor();
    await body().fill('Order {{order}} comes on {{day}} as planned.');
    await page.getByLabel('Sample for who of Header').fill('Asha');
    await page.getByLabel('Sample for order of Body').fill('A-17');
    await button('Submit for approval').click();
    await page.getByText('Enter a sample for {{day}} of the body.').waitFor();
    await page.getByLabel('Sample for day of Body').fill('Monday');
    expect(await page.getByTestId('preview').textContent()).toContain('For AshaOrder A-17 comes on Monday as planned.');
    await submitted(name);
    expect(await sent({ '{{day}} in the text': 'Friday' })).toEqual([
      { type: 'header', parameters: [{ type: 'text', parameter_name: 'who', text: 'Asha' }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', parameter_name: 'order', text: 'A-17' },
          { type: 'text', parameter_name: 'day', text: 'Friday' },
        ],
      },
    ]);
  });

  it('creates and sends a carousel', async () => {
    const name = await newDraft('carousel');
    await button('Carousel').click();
    await body().fill('Look at what is new this week.');
    const fill = async (number: number, text: string): Promise<void> => {
      await card(number)
        .locator('input[type=file]')
        .setInputFiles({ name: `${text}.png`, mimeType: FILES.image.mimeType, buffer: FILES.image.bytes });
      await card(number).getByText(`${text}.png uploaded.`).waitFor();
      await card(number).getByLabel(`Body of card ${number}`).fill(`The ${text} is here for you.`);
      await card(number).getByLabel(`Button text of card ${number}`).fill('Buy');
      await card(number).getByLabel(`Button link of card ${number}`).fill(`https://example.com/${text}/{{1}}`);
      await page.getByLabel(`Sample for 1 of Link of “Buy” of card ${number}`).fill('a');
    };
    await page.locator('.sticky').getByText('Incomplete').waitFor();
    expect(await page.locator('.fault').count()).toBe(0);
    await page.setViewportSize({ width: 1280, height: 900 });
    await button('Submit for approval').click();
    const bar = page.locator('.sticky');
    await bar.getByText('8 errors').waitFor();
    const links = await bar.locator('.fault-links button').allTextContents();
    expect(links).toEqual(
      [1, 2].flatMap((number) => ['image', 'body', 'button text', 'link'].map((part) => `Card ${number}: ${part}`)),
    );
    const [save, hand] = await Promise.all(
      ['Save draft', 'Submit for approval'].map((name) => button(name).boundingBox()),
    );
    expect(hand?.y).toBe(save?.y);
    expect((await bar.boundingBox())?.height).toBeLessThan(2 * (hand?.height ?? 0));
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Choose file');
    await card(1).getByText('A link is needed.').waitFor();
    await fill(1, 'lamp');
    await fill(2, 'chair');
    await noFaults();
    expect(await button('Remove card 1').getAttribute('aria-description')).toBe('At least 2 cards');

    await button('Add card').click();
    await bar.getByRole('button', { name: 'Card 3: image' }).click();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Choose file');
    await fill(3, 'table');
    await button('Move card 3 left').click();
    expect(await card(2).getByLabel('Body of card 2').inputValue()).toBe('The table is here for you.');
    await card(2).getByText('table.png uploaded.').waitFor();
    await button('Remove card 3').click();
    await noFaults();

    const shown = page.getByTestId('preview-card');
    expect(await shown.allTextContents()).toEqual([
      expect.stringContaining('The lamp is here for you.'),
      expect.stringContaining('The table is here for you.'),
    ]);
    const strip = page.getByRole('group', { name: 'Cards', exact: true });
    await strip.focus();
    await page.keyboard.press('ArrowRight');
    await eventually(async () =>
      expect(await page.evaluate<number>(`document.querySelector('.phone-cards').scrollLeft`)).toBeGreaterThan(0),
    );
    await saved();
    expect(await layoutViolations(page)).toEqual([]);

    await page.reload();
    await badge('Draft').waitFor();
    expect(await card(2).getByLabel('Body of card 2').inputValue()).toBe('The table is here for you.');
    await submitted(name);
    const files = ['https://example.com/1.png', 'https://example.com/2.png'] as const;
    const components = await sent({
      'File URL of card 1': files[0],
      'File URL of card 2': files[1],
      'URL suffix of “Buy” of card 1': 'x',
      'URL suffix of “Buy” of card 2': 'y',
    });
    const cardOf = (card_index: number, link: string, end: string) => ({
      card_index,
      components: [
        { type: 'header', parameters: [{ type: 'image', image: { link } }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: end }] },
      ],
    });
    expect(components).toEqual([{ type: 'carousel', cards: [cardOf(0, files[0], 'x'), cardOf(1, files[1], 'y')] }]);
  }, 90_000);

  it('confirms a format change that removes parts', async () => {
    const name = await newDraft('offer');
    await body().fill('Our offer of this week is here.');
    await page.getByLabel('Footer text').fill('Acme');
    await button('Offer').click();
    await page.getByRole('dialog', { name: 'Change format?' }).getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('Footer text').inputValue()).toBe('Acme');
    await button('Offer').click();
    await button('Change format').click();
    await page.getByLabel('Footer text').waitFor({ state: 'detached' });
    await page.getByLabel('Offer text').fill('Ends soon, be quick!');
    await page.getByText('20 characters are too many: at most 16.').waitFor();
    await page.getByLabel('Offer text').fill('Ends soon!');
    await page.getByLabel('Button 1: sample code').fill('SAVE10');
    await page.getByLabel('Button 2: text').fill('Buy');
    await page.getByLabel('Button 2: link').fill('https://example.com');
    await page.getByLabel('Language').selectOption('ar');
    await page.locator('.phone-chat[dir=rtl]').waitFor();
    await page.getByLabel('Language').selectOption('en_US');
    expect(await page.getByTestId('preview').textContent()).toContain('Ends soon!Ends in 2 daysCode SAVE10');
    expect(await layoutViolations(page)).toEqual([]);
    await submitted(name);
    expect(await sent({ 'Offer end': '2030-01-01T00:00', 'Code of button 1': 'SAVE20' })).toMatchObject([
      {
        type: 'limited_time_offer',
        parameters: [{ limited_time_offer: { expiration_time_ms: expect.any(Number) as number } }],
      },
      { sub_type: 'copy_code', parameters: [{ coupon_code: 'SAVE20' }] },
    ]);
  });

  it('creates a product list, a product and a flow', async () => {
    const products = await newDraft('products');
    await button('Products').click();
    await body().fill('Our products of this week are here.');
    await submitted(products);
    expect(await sent({ 'Thumbnail product': 'SKU-1', Products: 'SKU-1, SKU-2' })).toMatchObject([
      {
        sub_type: 'mpm',
        parameters: [{ action: { thumbnail_product_retailer_id: 'SKU-1', sections: [{ product_items: [{}, {}] }] } }],
      },
    ]);
    const product = await newDraft('product');
    await button('Product').click();
    await body().fill('Our lamp of this week is here.');
    expect(await page.getByTestId('preview').textContent()).toContain('Our lamp of this week is here.');
    await page.getByTestId('preview').getByLabel('Product').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await submitted(product);
    expect(await sent({ 'Product ID': 'SKU-1', 'Catalog ID': '1949' })).toEqual([
      {
        type: 'header',
        parameters: [{ type: 'product', product: { product_retailer_id: 'SKU-1', catalog_id: '1949' } }],
      },
    ]);
    const flow = await newDraft('flow', 'Utility');
    await body().fill('Book your next visit with us.');
    await button('Add button').click();
    await page.getByLabel('Button 1: type').selectOption('FLOW');
    await page.getByLabel('Button 1: text').fill('Book');
    await page.getByLabel('ID of flow 1').fill('abc');
    await page.getByText('The id of a flow has digits only.').waitFor();
    await page.getByLabel('ID of flow 1').fill('1234567890');
    await page.getByLabel('Screen of flow 1').fill('FIRST');
    expect(await layoutViolations(page)).toEqual([]);
    await submitted(flow);
    expect(await sent({ 'Flow token': 'visit-7' })).toMatchObject([
      { sub_type: 'flow', parameters: [{ action: { flow_token: 'visit-7' } }] },
    ]);
    await button('Edit').click();
    await badge('Draft').waitFor();
    expect(await page.getByLabel('ID of flow 1').inputValue()).toBe('1234567890');
    expect(await page.getByLabel('Screen of flow 1').inputValue()).toBe('FIRST');
  });
});
