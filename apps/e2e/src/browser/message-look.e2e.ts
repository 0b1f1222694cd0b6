import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { freshPhone, writeInAny } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const MARKED = '*Bold* and _italic_, ~gone~, `npm *i*`\n- one\n- two\n> said before\nSee https://example.com/a_b_c.';
const HOSTILE = '<b>no</b> javascript:alert(1) https://bank.com@evil.example \u202Egnp.exe';
// Page scripts are strings: these files have no DOM types.
const WIDTH_OF_PICTURE = `document.querySelector('.thread img.media')?.naturalWidth ?? 0`;

describe('messages as the customer sees them', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let sale: string;
  const phone = freshPhone();

  const thread = () => page.getByRole('log', { name: 'Messages' });
  const bubble = (text: string) => thread().locator('.bubble', { hasText: text });
  const row = () => page.locator('.convo-item', { hasText: 'Asha R' });
  const customer = (type: string, content: unknown) =>
    writeInAny({ from: phone, to: account.phoneNumber, name: 'Asha R', type, [type]: content });

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Message look')]);
    const [owner, template] = await Promise.all([
      newUser(account.accountId),
      createTemplate([
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U='] } },
        { type: 'BODY', text: 'Dear *{{1}}*, the sale starts.', example: { body_text: [['Asha']] } },
        { type: 'FOOTER', text: 'Acme Retail' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Not now' },
            { type: 'URL', text: 'Shop', url: 'https://example.com/{{1}}', example: ['https://example.com/sale'] },
          ],
        },
      ]),
      customer('text', { body: 'Hello' }),
    ]);
    sale = template.name;
    await approved(account, [sale]);
    page = await openAs(browser, owner, `/conversations/${phone}`);
    await bubble('Hello').waitFor();
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it('show text marks and links', async () => {
    await customer('text', { body: MARKED });
    const shown = bubble('said before');
    await shown.waitFor();
    for (const [element, text] of [
      ['b', 'Bold'],
      ['i', 'italic'],
      ['s', 'gone'],
      ['code', 'npm *i*'],
      ['blockquote', 'said before'],
    ] as const)
      expect([element, await shown.locator(element).textContent()]).toEqual([element, text]);
    expect(await shown.getByRole('listitem').allTextContents()).toEqual(['one', 'two']);
    const link = shown.getByRole('link', { name: 'https://example.com/a_b_c' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
    expect(await link.getAttribute('target')).toBe('_blank');
  });

  it('remove the marks in one-line previews', async () => {
    await row().getByText('Bold and italic, gone, npm *i*').waitFor();
    await bubble('said before').hover();
    await page.getByRole('button', { name: /^Reply to: Bold and italic, gone/ }).click();
    await page.locator('.composer-file', { hasText: 'Bold and italic, gone' }).waitFor();
    await page.getByRole('button', { name: 'Remove quote' }).click();
  });

  it('keep hostile text as text', async () => {
    await customer('text', { body: HOSTILE });
    await bubble('<b>no</b>').getByText(HOSTILE).waitFor();
    expect(await bubble('<b>no</b>').locator('a, b').count()).toBe(0);
  });

  it('show a template with its picture, text and buttons', async () => {
    const { id } = await account.api.uploadMedia({
      file: new File([new Uint8Array(await page.screenshot())], 'sale.png', { type: 'image/png' }),
    });
    const variables = { 'header link': id, '1': 'Asha', 'button 2': 'sale?by=wa' };
    const template = { name: sale, language: { code: 'en_US' }, variables };
    await account.api.sendMessage({ to: phone, type: 'template', template });
    const shown = bubble('the sale starts');
    await shown.getByRole('img', { name: 'Header image' }).waitFor();
    await eventually(async () => expect(await page.evaluate(WIDTH_OF_PICTURE)).toBeGreaterThan(0));
    expect(await shown.locator('.body').textContent()).toBe('Dear Asha, the sale starts.');
    expect(await shown.locator('.body b').textContent()).toBe('Asha');
    await shown.getByText('Acme Retail').waitFor();
    await shown.locator('.bubble-btns').getByText('Not now').waitFor();
    expect(await shown.getByRole('link', { name: 'Shop' }).getAttribute('href')).toBe('https://example.com/sale?by=wa');
  });

  it('show the text of a template instead of its name in lists', async () => {
    await row().getByText('You: Dear Asha, the sale starts.').waitFor();
    await page.goto(addressOf(`/messages?phone=${phone}&type=template`));
    const messages = page.getByRole('table', { name: 'Messages' });
    await messages.getByText('Dear Asha, the sale starts.').waitFor();
    expect(await messages.getByText(sale).count()).toBe(0);
    await messages.getByRole('link').first().click();
    await page.locator('.panel .bubble').getByRole('img', { name: 'Header image' }).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await page.goto(addressOf(`/conversations/${phone}`));
  });

  it('show an interactive message with its header file and link', async () => {
    await account.api.sendMessage({
      to: phone,
      type: 'interactive',
      interactive: {
        type: 'cta_url',
        header: { type: 'document', document: { link: 'https://example.com/bill.pdf', filename: 'Bill.pdf' } },
        body: { text: 'Your *bill*' },
        action: { name: 'cta_url', parameters: { displayText: 'Pay now', url: 'https://example.com/pay' } },
      },
    });
    const shown = bubble('Your bill');
    await shown.locator('b', { hasText: 'bill' }).waitFor();
    expect(await shown.getByRole('link', { name: 'Bill.pdf' }).getAttribute('href')).toBe(
      'https://example.com/bill.pdf',
    );
    await shown.getByRole('link', { name: 'Pay now' }).waitFor();
  });

  it('fit all sizes and themes', async () => {
    await bubble('Your bill').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
  });
});
