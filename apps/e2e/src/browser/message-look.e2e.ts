import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type Visitor, type WatchedPage } from '../support/browser';
import { freshPhone, receivedUpstream, writeInAny } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const MARKED = '*Bold* and _italic_, ~gone~, `npm *i*`\n- one\n- two\n> said before\nSee https://example.com/a_b_c.';
const HOSTILE = '<b>no</b> javascript:alert(1) https://bank.com@evil.example \u202Egnp.exe';
const HTML = '<img src=x onerror=alert(1)>';
// Page scripts are strings: these files have no DOM types.
const WIDTH_OF_PICTURE = `document.querySelector('.thread img.media')?.naturalWidth ?? 0`;

describe('messages as the customer sees them', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let sale: string;
  let owner: Visitor;
  const phone = freshPhone();

  const thread = () => page.getByRole('log', { name: 'Messages' });
  const bubble = (text: string) => thread().locator('.bubble', { hasText: text });
  const row = () => page.locator('.convo-item', { hasText: 'Asha R' });
  const customer = (type: string, content: unknown) =>
    writeInAny({ from: phone, to: account.phoneNumber, name: 'Asha R', type, [type]: content });

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Message look')]);
    const [user, template] = await Promise.all([
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
    owner = user;
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

  it('show the advertisement that a customer came from', async () => {
    const referral = { sourceType: 'ad', sourceUrl: 'https://example.com/ad', headline: 'Summer sale' };
    await writeInAny({
      from: phone,
      to: account.phoneNumber,
      name: 'Asha R',
      type: 'text',
      text: { body: 'I saw your ad' },
      referral,
    });
    const link = bubble('I saw your ad').getByRole('link', { name: 'From the ad “Summer sale”' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://example.com/ad');
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow');
  });

  it('keep hostile text as text', async () => {
    await customer('text', { body: HOSTILE });
    await bubble('<b>no</b>').getByText(HOSTILE).waitFor();
    expect(await bubble('<b>no</b>').locator('a, b').count()).toBe(0);
  });

  it('name the type and reason of an unsupported message', async () => {
    await customer('unsupported', { type: 'poll_creation' });
    await bubble('Unsupported message type (poll_creation)')
      .getByText('Message type unknown: Message type is currently not supported.')
      .waitFor();
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
    await row()
      .getByText(/^API key .*: Dear Asha, the sale starts\.$/)
      .waitFor();
    await page.goto(addressOf(`/messages?phone=${phone}&type=template`));
    const messages = page.getByRole('table', { name: 'Messages' });
    await messages.getByText('Dear Asha, the sale starts.').filter({ visible: true }).waitFor();
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

  const dialog = () => page.getByRole('dialog');
  /** Opens the dialog of a message type by keyboard only. */
  const add = async (type: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add to message' }).press('Enter');
    await page.getByRole('menuitem', { name: type }).press('Enter');
    await dialog().getByRole('heading', { name: type, exact: true }).waitFor();
  };
  const enter = (label: string, text: string) => dialog().getByLabel(label, { exact: true }).fill(text);
  const sent = async (type: string): Promise<unknown> => {
    await dialog().getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await dialog().waitFor({ state: 'detached' });
    const [newest] = await receivedUpstream(phone);
    expect(newest?.body['type']).toBe(type);
    return newest?.body[type];
  };

  it('send reply buttons, with errors at their fields and a preview', async () => {
    await add('Reply buttons');
    await dialog().getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await dialog().getByText('Enter a text.').first().waitFor();
    expect(await dialog().getByLabel('Text', { exact: true }).getAttribute('aria-invalid')).toBe('true');
    await enter('Text', 'Is *Monday* fine?');
    await enter('Button 1', 'Yes, that is perfectly fine');
    await dialog().getByText('Use at most 20 characters.').waitFor();
    await enter('Button 1', 'Yes');
    await enter('Button 2 (optional)', 'Yes');
    await dialog().getByText('Another button has this text.').waitFor();
    await enter('Button 2 (optional)', 'No');
    const preview = dialog().getByRole('region', { name: 'Preview' });
    expect(await preview.locator('b').textContent()).toBe('Monday');
    await preview.locator('.bubble-btns').getByText('No', { exact: true }).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    expect(await sent('interactive')).toEqual({
      type: 'button',
      body: { text: 'Is *Monday* fine?' },
      action: {
        buttons: [
          { type: 'reply', reply: { id: 'button_1', title: 'Yes' } },
          { type: 'reply', reply: { id: 'button_2', title: 'No' } },
        ],
      },
    });
    await bubble('Is Monday fine?').locator('.bubble-btns').getByText('Yes').waitFor();
  });

  it('send a list with sections', async () => {
    await add('List');
    await enter('Text', 'Which way shall we ship?');
    await enter('Button', 'Choose a way');
    const section = (number: number) => dialog().getByRole('group', { name: `Section ${number}` });
    await section(1).getByLabel('Row 1', { exact: true }).fill('Express');
    await section(1).getByLabel('Description (optional)').fill('1-2 days');
    await dialog().getByRole('button', { name: 'Add section' }).press('Enter');
    await section(1)
      .getByLabel(/^Title/)
      .fill('Fast');
    await section(2).getByLabel('Row 1', { exact: true }).fill('Ship');
    await dialog().getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await section(2).getByText('Enter a text.').waitFor();
    await section(2)
      .getByLabel(/^Title/)
      .fill('Slow');
    expect(await layoutViolations(page)).toEqual([]);
    expect(await sent('interactive')).toMatchObject({
      type: 'list',
      action: {
        button: 'Choose a way',
        sections: [
          { title: 'Fast', rows: [{ id: 'row_1', title: 'Express', description: '1-2 days' }] },
          { title: 'Slow', rows: [{ id: 'row_2', title: 'Ship' }] },
        ],
      },
    });
    await bubble('Which way shall we ship?').getByText('Choose a way').click();
    await bubble('Which way shall we ship?').getByText('1-2 days').waitFor();
  });

  it('send a location as a reply', async () => {
    await thread()
      .locator('.said', { hasText: 'Hello' })
      .getByRole('button', { name: /^Reply to: Hello/ })
      .press('Enter');
    await add('Location');
    await dialog().getByText('Reply to: Hello').waitFor();
    await enter('Latitude', '12.9716, 77.5946');
    await enter('Name (optional)', 'City store');
    await dialog().getByRole('region', { name: 'Preview' }).getByRole('link', { name: 'Open map' }).waitFor();
    expect(await sent('location')).toEqual({ latitude: 12.9716, longitude: 77.5946, name: 'City store' });
    await bubble('City store').locator('.quoted', { hasText: 'Hello' }).waitFor();
    expect(await page.locator('.composer-file').count()).toBe(0);
  });

  it('keep the draft of a failed send and after a reload, and send it once', async () => {
    await add('Contact card');
    await enter('Name', 'Bo Li');
    await enter('Phone number', '+1 (555) 000-3333');
    await page.route('**/console/v1/messages/send', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await dialog().getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await dialog().getByText('The server does not respond.').waitFor();
    await page.unroute('**/console/v1/messages/send');
    await page.reload();
    await add('Contact card');
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Bo Li');
    expect(await sent('contacts')).toMatchObject([
      { name: { formatted_name: 'Bo Li' }, phones: [{ phone: '+15550003333', wa_id: '15550003333' }] },
    ]);
    await bubble('Bo Li').getByText('+15550003333').waitFor();
    const cards = (await receivedUpstream(phone)).filter(({ body }) => body['type'] === 'contacts');
    expect(cards).toHaveLength(1);
    await add('Contact card');
    expect(await dialog().getByLabel('Name').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    expect(page.problems.splice(0).filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  it('keep a draft when the session has expired', async () => {
    await add('Contact card');
    await enter('Name', 'Chitra');
    await enter('Phone number', '919812345678');
    await page.context().clearCookies();
    await dialog().getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await page.getByLabel('Password').fill(owner.password);
    await page.getByLabel('Password').press('Enter');
    await bubble('Chitra').getByText('+919812345678').waitFor();
    await dialog().waitFor({ state: 'detached' });
  });

  it('fit all sizes and themes', async () => {
    await bubble('Your bill').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('show HTML in names and messages as text', async () => {
    const hostile = freshPhone();
    await writeInAny({ from: hostile, to: account.phoneNumber, name: HTML, type: 'text', text: { body: HTML } });
    await eventually(async () =>
      expect(JSON.stringify((await account.api.listMessages({ phone: hostile })).messages)).toContain('onerror'),
    );
    for (const path of [`/conversations/${hostile}`, `/messages?phone=${hostile}`, '/contacts']) {
      await page.goto(addressOf(path));
      await page.getByText(HTML).first().waitFor();
      expect(await page.locator('img[src=x]').count()).toBe(0);
    }
  });
});
