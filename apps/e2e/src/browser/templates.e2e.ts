import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { addNumber, newAccount, newBusiness, type TestAccount, newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type Visitor } from '../support/browser';
import { FILES } from '../support/files';
import { done } from '../support/installation';
import { freshPhone, receivedUpstream, setTemplateStatus } from '../support/simulator';
import { createTemplate } from '../support/templates';

/** Browser errors after a test has cut the connection. */
const CUT_OFF = /ERR_INTERNET_DISCONNECTED|ERR_FAILED/;

describe('template pages', () => {
  let browser: Browser;
  let wabaId: string;
  let account: TestAccount;
  let owner: Visitor;
  let page: Page & { problems: string[] };

  beforeAll(async () => {
    wabaId = await newBusiness();
    [browser, account] = await Promise.all([startBrowser(), newAccount('Templates', { wabaId })]);
    owner = await newUser(account.accountId);
    page = await openAs(browser, owner);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const go = (path: string) => page.goto(addressOf(path));
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const badge = (word: string) => page.locator('.page-head .st', { hasText: word });
  const bar = () => page.locator('.sticky');
  const body = () => page.getByLabel('Body text');
  const preview = () => page.getByTestId('preview').textContent();
  /** Returns a name whose review the platform leaves to the test. */
  const freshName = (what: string) => `hold_${what}_${randomUUID().replaceAll('-', '').slice(0, 12)}`;
  const newDraft = async (name: string, category = 'Utility'): Promise<void> => {
    await go('/templates/new');
    await page.getByLabel('Name').fill(name);
    await button(category).click();
    await button('Continue to the editor').click();
    await page.getByLabel('Category').waitFor();
    await badge('Draft').waitFor();
  };
  /** Submits the template, and lets the platform decide immediately. */
  const submit = async (name: string, verdict: { event: string; reason?: string } = { event: 'APPROVED' }) => {
    await page.getByText('No errors').waitFor();
    await button('Submit for approval').click();
    await badge('Pending').waitFor();
    await setTemplateStatus(name, { language: 'en_US', ...verdict });
    await badge(verdict.event === 'APPROVED' ? 'Approved' : 'Rejected').waitFor();
  };
  const stored = (): Promise<void> =>
    bar()
      .getByText(/^Saved /)
      .waitFor();

  const parcel = freshName('parcel');

  it('show field errors and the preview during typing', async () => {
    await newDraft(parcel);
    await bar().getByText('Incomplete').waitFor();
    await button('Text').click();
    expect(await page.locator('.fault, [aria-invalid]').count()).toBe(0);
    await page.getByLabel('Header text').fill('Order {{1}}');
    await body().fill('Hi {{2}}, your parcel comes on {{1}}');
    await page.getByText('A variable cannot stand at the beginning or the end.').waitFor();
    expect(await body().getAttribute('aria-invalid')).toBe('true');
    expect(await preview()).toContain('Hi {{2}}, your parcel comes on {{1}}');
    await bar().getByText('1 error', { exact: true }).waitFor();
    await button('Submit for approval').click();
    await bar().getByText('4 errors').waitFor();
    expect(await page.evaluate<string>('document.activeElement.value')).toBe('Hi {{2}}, your parcel comes on {{1}}');
    await button('Add a full stop').click();
    const sample = page.getByLabel('Sample for 2 of Body');
    const describedBy = await sample.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${describedBy}"]`).textContent()).toBe('Enter a sample for {{2}} of the body.');
    await page.getByLabel('Sample for 1 of Header').fill('A-17');
    await page.getByLabel('Sample for 1 of Body').fill('Monday');
    await bar().getByText('1 error', { exact: true }).waitFor();
    await bar().getByRole('button', { name: 'Sample 2 of body' }).click();
    await page.keyboard.type('Asha <i>');
    expect(await preview()).toContain('Order A-17Hi Asha <i>, your parcel comes on Monday.');
    await page.getByText('No errors').waitFor();
  });

  it('insert formatting and variables at the cursor', async () => {
    await body().press('End');
    for (let step = 0; step < 'comes on {{1}}.'.length; step += 1) await page.keyboard.press('ArrowLeft');
    await button('Add variable').click();
    await page.keyboard.type(' now');
    expect(await body().inputValue()).toBe('Hi {{2}}, your parcel {{3}} now comes on {{1}}.');
    await page.getByLabel('Sample for 3 of Body').fill('of Friday');
    await body().selectText();
    await button('Bold').click();
    expect(await body().inputValue()).toBe('*Hi {{2}}, your parcel {{3}} now comes on {{1}}.*');
    expect(await page.getByTestId('preview').locator('b').textContent()).toBe(
      'Hi Asha <i>, your parcel of Friday now comes on Monday.',
    );
    await body().fill('Hi {{2}}, your parcel comes on {{1}} as you have asked.');
  });

  it('preview right-to-left text and a dark phone', async () => {
    await page.getByLabel('Language').selectOption('ar');
    await page.locator('.phone-chat[dir=rtl]').waitFor();
    await page.getByLabel('Language').selectOption('en_US');
    await page.locator('.phone-chat[dir=ltr]').waitFor();
    const colour = () => page.evaluate<string>(`getComputedStyle(document.querySelector('.phone-chat')).color`);
    const phone = page.getByRole('group', { name: 'Phone theme' });
    await phone.getByRole('button', { name: 'Light' }).click();
    const light = await colour();
    await phone.getByRole('button', { name: 'Dark' }).click();
    expect(await colour()).not.toBe(light);
  });

  it('support every kind of button', async () => {
    const add = async (kind: string, number: number): Promise<void> => {
      await button('Add button').click();
      await page.getByLabel(`Button ${number}: type`).selectOption(kind);
    };
    await add('QUICK_REPLY', 1);
    await page.locator('.btn-row', { has: page.getByText('A text is needed.') }).waitFor();
    await page.getByLabel('Button 1: text').fill('Thanks');
    await add('URL', 2);
    await page.getByLabel('Button 2: text').fill('Track');
    await page.getByLabel('Button 2: link').fill('https://example.com/{{1}}');
    await page.getByLabel('Sample for 1 of Link of “Track”').fill('A-17');
    await add('PHONE_NUMBER', 3);
    await page.getByLabel('Button 3: text').fill('Call');
    await page.getByLabel('Button 3: number').fill('no number');
    await page.getByText('A phone number with its country code is needed').waitFor();
    await page.getByLabel('Button 3: number').fill('+15550783881');
    await add('COPY_CODE', 4);
    await page.getByText('A code of 1 to 20 characters is needed.').waitFor();
    await page.getByLabel('Button 4: sample code').fill('SAVE10');
    expect(await preview()).toMatch(/ThanksTrackCallCopy code$/);
  });

  it('show an approved template without a reload', async () => {
    await submit(parcel);
    expect(page.url()).toMatch(/\/dashboard\/templates\/\d+$/);
    expect((await account.api.listTemplates()).templates.map(({ name }) => name)).toContain(parcel);
    expect(await preview()).toContain('Hi Asha <i>, your parcel comes on Monday as you have asked.');
    await page.reload();
    await page.locator('.timeline').getByText('Status changed by the platform: Approved').waitFor();
  });

  it('require all values for a test send', async () => {
    const phone = freshPhone();
    await button('Test send').click();
    const send = page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true });
    await page.getByRole('textbox', { name: 'Phone' }).fill(phone);
    const labels = [
      '{{1}} in the header',
      '{{1}} in the text',
      '{{2}} in the text',
      'URL suffix of “Track”',
      'Code of button 4',
    ];
    for (const label of labels) {
      const value = await page.getByLabel(label).inputValue();
      await page.getByLabel(label).fill('');
      expect([label, await send.getAttribute('aria-disabled')]).toEqual([label, 'true']);
      await page.getByLabel(label).fill(label === '{{1}} in the text' ? 'Friday' : value);
    }
    const keys: (string | undefined)[] = [];
    await page.route('**/test-sends', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length === 1) return route.abort();
      return route.continue();
    });
    await send.click();
    await page.getByText('The server does not respond.').waitFor();
    await send.click();
    await page.getByText('Message accepted by the platform.').waitFor();
    await page.unroute('**/test-sends');
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
    const [sent] = await receivedUpstream(phone);
    const { components } = (sent?.body as { template: { components: { type: string; parameters: object[] }[] } })
      .template;
    expect(components.map(({ parameters }) => parameters)).toMatchObject([
      [{ text: 'A-17' }],
      [{ text: 'Friday' }, { text: 'Asha <i>' }],
      [{ text: 'A-17' }],
      [{ coupon_code: 'SAVE10' }],
    ]);
    await page.getByRole('button', { name: 'Close' }).last().click();
    page.problems.splice(0, page.problems.length, ...page.problems.filter((problem) => !CUT_OFF.test(problem)));
  });

  it('edit an approved template', async () => {
    await button('Edit').click();
    await body().waitFor();
    expect(await page.getByLabel('Name').getAttribute('readonly')).not.toBeNull();
    expect(await page.getByLabel('Language').getAttribute('readonly')).not.toBeNull();
    await button('Submit for approval').click();
    await bar().getByText('Nothing is changed.').waitFor();
    await body().fill('Hello {{2}}, your parcel comes on {{1}} as you have asked.');
    await bar().getByText('Nothing is changed.').waitFor({ state: 'detached' });
    await button('Marketing').click();
    await button('Submit for approval').click();
    await page.locator('.fault', { hasText: 'The category of an approved template cannot be edited.' }).waitFor();
    await bar().getByRole('button', { name: 'Category' }).waitFor();
    await button('Utility').click();
    await submit(parcel);
    expect(await preview()).toContain('Hello Asha');
  });

  it('show why a template was rejected', async () => {
    const name = freshName('order');
    await newDraft(name);
    await body().fill('Your order is on its way to you now.');
    await submit(name, { event: 'REJECTED', reason: 'INVALID_FORMAT' });
    await page
      .getByRole('alert')
      .getByText(/^Rejected: /)
      .waitFor();
    await button('Edit').click();
    await badge('Draft').waitFor();
    expect(await body().inputValue()).toBe('Your order is on its way to you now.');
  });

  it('show server errors at their field', async () => {
    const name = freshName('taken');
    await newDraft(name);
    await page.getByLabel('Name').fill(parcel);
    await body().fill('Your order is on its way to you now.');
    await button('Submit for approval').click();
    const fault = page.locator('.field', { has: page.getByLabel('Name') }).locator('.fault');
    await fault.getByText('There is a template of this name and language already').waitFor();
    await bar().getByRole('button', { name: 'Name' }).waitFor();
    await body().fill('Your order is on its way to you today.');
    await fault.waitFor();
    await page.getByLabel('Name').fill(name);
    await fault.waitFor({ state: 'detached' });
    await stored();
  });

  it('keep input while the server is unreachable', async () => {
    await page.context().setOffline(true);
    await body().fill('This is written without a connection.');
    await button('Save draft').click();
    await bar().getByText('Not saved: The server does not respond.').waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await button('Cancel').click();
    await page.context().setOffline(false);
    await button('Try again').click();
    await stored();
    await page.reload();
    expect(await body().inputValue()).toBe('This is written without a connection.');
    page.problems.splice(0, page.problems.length, ...page.problems.filter((problem) => !CUT_OFF.test(problem)));
  });

  it('keep input during a sample upload', async () => {
    const choose = page.getByLabel('Sample', { exact: true });
    const file = (kind: keyof typeof FILES, name: string) => ({
      name,
      mimeType: FILES[kind].mimeType,
      buffer: FILES[kind].bytes,
    });
    const name = freshName('menu');
    await newDraft(name);
    await button('Image').click();
    await button('Submit for approval').click();
    await page.getByText('A file is needed as the sample.').waitFor();
    await choose.setInputFiles({ name: 'menu.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('this kind of media is not supported').waitFor();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/header-samples', async (route) => {
      await held;
      await route.continue().catch(() => undefined); // one of them is cancelled
    });
    await choose.setInputFiles(file('image', 'first.png'));
    await button('Cancel upload').click();
    await button('Choose file').waitFor();
    await choose.setInputFiles(file('image', 'menu.png'));
    await page.getByRole('progressbar', { name: 'Uploading menu.png' }).waitFor();
    await body().fill('The menu of this week is here for you.');
    release();
    await page.getByText('menu.png uploaded.').waitFor();
    await page.unroute('**/header-samples');
    expect(await body().inputValue()).toBe('The menu of this week is here for you.');
    await page.getByRole('img', { name: 'Header sample' }).waitFor();
    await button('Video').click();
    await page.getByText('menu.png uploaded.').waitFor({ state: 'detached' });
    await page.getByText('A file is needed as the sample.').waitFor();
    await choose.setInputFiles(file('document', 'menu.pdf'));
    await page.getByText('The file is not a video. Choose another file.').waitFor();
    await choose.setInputFiles(file('video', 'menu.mp4'));
    await page.getByText('menu.mp4 uploaded.').waitFor();
    await page.locator('video[aria-label="Header sample"]').waitFor();
    await button('Document').click();
    await choose.setInputFiles(file('document', 'menu.pdf'));
    await page.getByText('menu.pdf uploaded.').waitFor();
    await submit(name);
  });

  it('create and send an authentication template', async () => {
    const name = freshName('code');
    await newDraft(name);
    await body().fill('This text is dropped.');
    await button('Authentication').click();
    await page.getByRole('dialog', { name: 'Discard the text?' }).getByRole('button', { name: 'Cancel' }).click();
    expect(await body().inputValue()).toBe('This text is dropped.');
    await button('Authentication').click();
    await button('Switch category').click();
    await page.getByLabel('Validity period, in seconds').fill('20');
    await page.getByText('Must be from 30 to 900 for AUTHENTICATION.').waitFor();
    await page.getByLabel('Validity period, in seconds').fill('60');
    await page.getByLabel('Expires after, in minutes').fill('10');
    await button('One tap').click();
    await button('Submit for approval').click();
    await page.getByText('1 to 5 apps are needed').waitFor();
    await button('Add app').click();
    for (const number of [1, 2]) {
      await page.getByLabel(`Package name ${number}`).fill(`com.example.app${number}`);
      await page.getByLabel(`Signature hash ${number}`).fill('K8a/AINcGX7');
    }
    await button('Save draft').click();
    await stored();
    await page.reload();
    expect(await page.getByLabel('Package name 2').inputValue()).toBe('com.example.app2');
    expect(await page.getByLabel('Validity period, in seconds').inputValue()).toBe('60');
    await submit(name);
    const phone = freshPhone();
    await button('Test send').click();
    await page.getByRole('textbox', { name: 'Phone' }).fill(phone);
    await page.getByLabel('Code', { exact: true }).fill('482913');
    await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Message accepted by the platform.').waitFor();
    expect(JSON.stringify(await receivedUpstream(phone))).toContain('482913');
    await page.getByRole('button', { name: 'Close' }).last().click();
  });

  it('find templates by name', async () => {
    const components = [
      { type: 'HEADER', format: 'PRODUCT' },
      { type: 'BUTTONS', buttons: [{ type: 'SPM', text: 'Look at it' }] },
    ];
    const { name } = await createTemplate(
      [
        { type: 'BODY', text: 'Look at our news of this week.' },
        { type: 'CAROUSEL', cards: [{ components }, { components }] },
      ],
      { category: 'MARKETING', wabaId },
    );
    await go('/templates');
    await button('Sync').click();
    await page.getByLabel('Search by name').fill(name);
    await page.waitForURL(new RegExp(`name=${name}`));
    await page.getByRole('link', { name }).click();
    await page
      .getByText('This template contains a card with a header of type Product, which this editor does not support.')
      .first()
      .waitFor();
    expect(await page.getByTestId('preview-card').first().textContent()).toContain('Look at it');
    expect(await button('Edit').getAttribute('aria-disabled')).toBe('true');
    await page.goBack();
    await page.getByLabel('Search by name').fill('there_is_none');
    await page.getByText('No templates match the current filters.').waitFor();
  });

  it('link from the name of an open draft to the draft', async () => {
    const name = freshName('doubled');
    await newDraft(name);
    await go('/templates/new');
    await page.getByLabel('Name').fill(name.replaceAll('_', ' ').toUpperCase());
    expect(await page.getByLabel('Name').inputValue()).toBe(name);
    await button('Continue to the editor').click();
    await page.getByText('There is a draft of this name and language already').waitFor();
    await page.getByRole('link', { name: `Open the draft ${name}` }).click();
    await body().waitFor();
    await go(`/templates?name=${name}`);
    await page.getByRole('table', { name: 'Drafts' }).getByRole('link', { name }).waitFor();
  });

  it('offer an opt-out button for marketing', async () => {
    await newDraft(freshName('promotion'));
    expect(await button('Add opt-out button').count()).toBe(0);
    await button('Marketing').click();
    await button('Add opt-out button').click();
    expect(await page.getByLabel('Button 1: text').inputValue()).toBe('Stop promotions');
    await page.getByText('Opts the customer out of marketing.').waitFor();
    expect(await button('Add opt-out button').getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('Button 1: text').fill('No, thank you');
    await page.getByText('Sends an event with this text.').waitFor();
    await stored();
  });

  it('offer to create a template when the list is empty', async () => {
    const accountId = String((await done('accounts', 'create', '--name', 'Two', '--plan', 'scale'))['accountId']);
    const other = await openAs(browser, await newUser(accountId), '/templates');
    await other.getByText('No templates yet').waitFor();
    await Promise.all([addNumber(accountId), addNumber(accountId, '100000000000002')]);
    await other.locator('.empty').getByRole('link', { name: 'New template' }).click();
    await other.reload();
    await other.getByLabel('Business account').selectOption('100000000000002');
    const name = freshName('second');
    await other.getByLabel('Name').fill(name);
    await other.getByRole('button', { name: 'Continue to the editor' }).click();
    await other.getByLabel('Body text').waitFor();
    expect(other.problems).toEqual([]);
    await other.context().close();
  });

  it('render in all sizes and themes', async () => {
    await newDraft(freshName('axe'));
    await button('Text').click();
    await page.getByLabel('Header text').fill('Order {{1}}');
    await body().fill('Hi {{1}}, it comes on {{2}}');
    await button('Add button').click();
    await button('Save draft').click();
    await stored();
    expect(await layoutViolations(page)).toEqual([]);
    await go(`/templates?name=${parcel}`);
    await page.getByRole('link', { name: parcel }).click();
    await button('Test send').click();
    await page.getByRole('dialog').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
  });
});
