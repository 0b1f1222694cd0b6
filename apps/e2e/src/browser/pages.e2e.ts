import type { Browser, Page } from 'playwright-core';
import { newAccount, type TestAccount } from '../support/account';
import {
  addressOf,
  axeFindings,
  newVisitor,
  openAs,
  sidewaysScroll,
  startBrowser,
  type Visitor,
} from '../support/browser';
import { freshPhone } from '../support/simulator';

const REVIEW_MS = 40_000;

describe('the pages of the dashboard', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: Page & { problems: string[] };

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Pages')]);
    owner = await newVisitor(account.accountId);
    page = await openAs(browser, owner);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const go = (path: string) => page.goto(addressOf(path));
  const badge = (word: string) => page.locator('.page-head .st', { hasText: word });
  const newDraft = async (name: string): Promise<void> => {
    await go('/templates/new');
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Write it' }).click();
    await page.getByLabel('Body text').waitFor();
  };
  let templateName = '';

  it('show each fault of a template at its field while somebody types, and the message with each key', async () => {
    templateName = `parcel_${Date.now()}`;
    await newDraft(templateName);
    const body = page.getByLabel('Body text');
    const preview = page.getByTestId('preview');
    await body.fill('Hi {{1}}, your parcel comes on {{2}}');
    await page.getByText('a variable cannot stand at the beginning or the end').waitFor();
    expect(await body.getAttribute('aria-invalid')).toBe('true');
    expect(await preview.textContent()).toContain('Hi {{1}}, your parcel comes on {{2}}');
    const submit = page.getByRole('button', { name: 'Submit for approval' });
    expect(await submit.getAttribute('aria-disabled')).toBe('true');
    await body.fill('Hi {{1}}, your parcel comes on {{2}} as you have asked.');
    await page.getByLabel('Sample for 1 of Body').fill('Asha <i>');
    await page.getByLabel('Sample for 2 of Body').fill('Monday');
    expect(await preview.textContent()).toContain('Hi Asha <i>, your parcel comes on Monday as you have asked.');
    await page.getByRole('button', { name: 'Add button' }).click();
    await page.getByText('a text is needed').waitFor();
    await page.getByLabel('Text 1').fill('Thanks');
    await page.getByText('No faults').waitFor();
  });

  it('show a template approved without a reload', async () => {
    await page.getByRole('button', { name: 'Submit for approval' }).click();
    await badge('Approved').waitFor({ timeout: REVIEW_MS });
    expect(page.url()).toMatch(/\/dashboard\/templates\/\d+$/);
    expect((await account.api.listTemplates()).templates.map(({ name }) => name)).toContain(templateName);
  }, 60_000);

  it('show why a template was rejected, and let it be written again', async () => {
    await newDraft(`reject_me_${Date.now()}`);
    await page.getByLabel('Body text').fill('Your order is on its way to you now.');
    await page.getByRole('button', { name: 'Submit for approval' }).click();
    await badge('Rejected').waitFor({ timeout: REVIEW_MS });
    await page
      .getByRole('alert')
      .getByText(/^Rejected: /)
      .waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Body text').waitFor();
    await badge('Draft').waitFor();
  }, 60_000);

  it('take a picture for a header, refuse what is none, and have it approved', async () => {
    await newDraft(`menu_${Date.now()}`);
    await page.getByRole('button', { name: 'Image', exact: true }).click();
    await page.getByText('one example is needed').waitFor();
    const choose = page.getByLabel('Sample', { exact: true });
    await choose.setInputFiles({ name: 'menu.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page
      .locator('.fault', { hasText: /file|type/ })
      .first()
      .waitFor();
    await choose.setInputFiles({ name: 'menu.png', mimeType: 'image/png', buffer: await page.screenshot() });
    await page.getByText('menu.png is uploaded.').waitFor();
    await page.getByRole('img', { name: 'Sample of the header' }).waitFor();
    await page.getByLabel('Body text').fill('The menu of this week is here for you.');
    await page.getByText('No faults').waitFor();
    await page.getByRole('button', { name: 'Submit for approval' }).click();
    await badge('Approved').waitFor({ timeout: REVIEW_MS });
  }, 60_000);

  it('say "not found" to another account', async () => {
    await go('/keys');
    await page.getByRole('link', { name: 'test' }).click();
    await page.waitForURL(/\/keys\/key_/);
    const path = page.url().replace(addressOf(''), '');
    const stranger = await newAccount('Stranger');
    const other = await openAs(browser, await newVisitor(stranger.accountId), path);
    await other.getByText('NOT_FOUND').waitFor();
    expect(other.problems).toEqual([]);
    await other.context().close();
  });

  it('lead to a first message, which the steps notice by themselves', async () => {
    await go('');
    await page.getByText(/of 4 done/).waitFor();
    expect(await page.locator('.step.done').count()).toBe(2);
    await account.api.sendMessage({
      ...{ to: freshPhone(), type: 'template' },
      template: {
        ...{ name: templateName, language: { code: 'en_US' } },
        components: [{ type: 'body', parameters: ['Asha', 'Monday'].map((text) => ({ type: 'text', text })) }],
      },
    });
    await page.getByText('3 of 4 done').waitFor();
  });

  it('ask for every value of a template before a test send', async () => {
    const phone = freshPhone();
    await go('/templates');
    await page.getByRole('link', { name: templateName }).click();
    await page.getByRole('button', { name: 'Test send' }).click();
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await page.getByLabel('{{2}} of Body').fill('');
    await page.getByRole('textbox', { name: 'Phone' }).fill(phone);
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    await page.getByLabel('{{2}} of Body').fill('Friday');
    await send.click();
    await page.getByText('The platform took it.').waitFor();
    const { messages } = await account.api.listMessages({ phone });
    expect(JSON.stringify(messages)).toContain('Friday');
    await page.getByRole('button', { name: 'Close' }).last().click();
  });

  it('are left and entered by keys alone', async () => {
    await go('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'please axe in %s colours, and fit 375 pixels',
    async (colorScheme) => {
      const narrow = await openAs(browser, owner, '', { colorScheme, viewport: { width: 375, height: 800 } });
      const wide = await openAs(browser, owner, '', { colorScheme });
      const headings = {
        '': 'Overview',
        '/templates': 'Templates',
        '/templates/new': 'New template',
        '/integrations/messaging/webhook-settings': 'Webhook settings',
        '/integrations/webhook-log': 'Webhook log',
        '/keys': 'API keys',
        '/team': 'Team',
        '/audit': 'Audit',
        '/profile': 'Profile',
        '/api-guide': 'API guide',
      };
      for (const [path, heading] of Object.entries(headings)) {
        for (const one of [wide, narrow]) {
          await one.goto(addressOf(path));
          await one.getByRole('heading', { name: heading, exact: true }).waitFor();
          await one.waitForLoadState('networkidle');
          expect([path, await axeFindings(one)]).toEqual([path, []]);
        }
        expect([path, ...(await sidewaysScroll(narrow))]).toEqual([path, 0, 0]);
      }
      expect([...wide.problems, ...narrow.problems]).toEqual([]);
      await Promise.all([wide.context().close(), narrow.context().close()]);
    },
    90_000,
  );
});
