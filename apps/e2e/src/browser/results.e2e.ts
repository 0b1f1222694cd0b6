import { eventually } from '@switchboard/testing';
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { signIn } from '../support/console';
import { freshPhone, writeIn } from '../support/simulator';

const WIDTHS = [390, 1_440];
const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

describe('results', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  const [customer, other] = [freshPhone(), freshPhone()];

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Results')]);
    const agent = await newUser(account.accountId, 'admin', 'Mira');
    const hello = { name: 'hello_world', language: { code: 'en_US' } };
    for (const to of [customer, other])
      await eventually(() => account.api.sendMessage({ to, type: 'template', template: hello }));
    await eventually(async () => {
      const { messages } = await account.api.listMessages({ direction: 'outbound' });
      expect(messages.filter(({ status }) => status === 'delivered' || status === 'read').length).toBe(2);
    });
    await writeIn(customer, 'Is it open today?', { to: account.phoneNumber });
    await eventually(async () => {
      const { messages } = await account.api.listMessages({ phone: customer, direction: 'inbound' });
      expect(messages.length).toBe(1);
    });
    await account.api.updateContact({ phone: customer, labels: ['VIP'] });
    const console = await signIn(agent.email, agent.password);
    await console.call('POST', '/messages/send', { to: customer, type: 'text', text: { body: 'Until eight.' } });
    page = await openAs(browser, await newUser(account.accountId, 'viewer'), '/results');
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const tab = (name: string) => page.getByRole('navigation', { name: 'Group by' }).getByRole('link', { name });
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  it('shows what became of messages in each tab', async () => {
    const template = row('hello_world');
    await template.waitFor();
    expect(await template.getByRole('cell').allTextContents()).toEqual([
      expect.stringContaining('hello_world'),
      '2',
      expect.stringContaining('2'),
      expect.any(String),
      expect.stringContaining('1'),
      '00.0%',
      '00.0%',
      expect.stringContaining('1 response'),
    ]);
    await tab('Agent').click();
    await row('Mira').waitFor();
    expect(await row('Mira').textContent()).toContain('1 response');
    await row('Not written by a user').waitFor();
    await tab('Label').click();
    await row('VIP').waitFor();
    await tab('Job').click();
    await row('No job').waitFor();
    await page.waitForURL(/by=job/);
    await page.reload();
    await row('No job').waitFor();
  });

  it('has an empty range before the first message', async () => {
    await page.goto(addressOf('/results?since=2026-01-01&until=2026-01-31'));
    await page.getByRole('heading', { name: 'No messages' }).waitFor();
    await page.goto(addressOf('/results?since=2026-01-01&until=2026-11-01'));
    await page.getByText('a range has at most 92 days').waitFor();
  });

  it('downloads the tab as CSV', async () => {
    await page.goto(addressOf('/results?by=label'));
    await row('VIP').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^results-label-.*\.csv$/);
    expect(await readFile(await file.path(), 'utf8')).toContain(',VIP,2,2,');
  });

  it('fits the screen in both themes', async () => {
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of WIDTHS) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(addressOf('/results'));
        await row('hello_world').waitFor();
        expect([width, await page.evaluate(SCROLLS_SIDEWAYS)]).toEqual([width, false]);
        expect(await layoutViolations(page)).toEqual([]);
      }
  });
});
