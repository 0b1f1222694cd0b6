import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { done } from '../support/installation';
import { freshPhone, writeIn } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

describe('campaigns', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let name: string;
  const [asha = '', bo = '', silent = ''] = Array.from({ length: 3 }, freshPhone);

  const optOut = (phone: string, isOptedOut: 'yes' | 'no') =>
    done('contacts', 'set', '--account', account.accountId, '--phone', phone, '--opted-out', isOptedOut);

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Campaigns')]);
    ({ name } = await createTemplate([
      { type: 'BODY', text: 'Hello {{1}}, we will see you on {{2}}.', example: { body_text: [['Asha', 'Monday']] } },
    ]));
    await approved(account, [name]);
    for (const [phone, given] of [
      [asha, 'Asha Rao'],
      [bo, 'Bo Li'],
    ] as const)
      await writeIn(phone, 'Hello', { name: given, to: account.phoneNumber });
    await eventually(async () => expect((await account.api.listContacts()).contacts).toHaveLength(2));
    // Creates the contact, which never writes.
    await optOut(silent, 'no');
    for (const phone of [silent, asha]) await account.api.updateContact({ phone, labels: ['VIP'] });
    page = await openAs(browser, await newUser(account.accountId));
  }, 300_000);
  beforeEach(async () => {
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${name} · en_US` });
  });
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const button = (text: string) => page.getByRole('button', { name: text, exact: true });
  const contacts = () => page.getByRole('group', { name: 'Contacts' });
  const matching = (text: string) => contacts().getByRole('status').filter({ hasText: text });
  const preview = () => page.getByTestId('preview');
  const rows = () => page.getByRole('group', { name: 'Rows in the preview' });

  it('counts the contacts before anything is created', async () => {
    await button('Contacts').click();
    await matching('3 contacts match').waitFor();
    await contacts().getByLabel('Label').selectOption('VIP');
    await matching('2 contacts match').waitFor();
    await contacts().getByLabel('Wrote to you').selectOption('Within the last 7 days');
    await matching('1 contact matches').waitFor();
    await contacts().getByLabel('Wrote to you').selectOption('Not for 30 days, or never');
    await matching('1 contact matches').waitFor();
    await contacts().getByLabel('Only contacts with an open service window').check();
    await matching('0 contacts match').waitFor();
    expect(await button('Check rows').getAttribute('aria-disabled')).toBe('true');
    expect((await account.api.listJobs()).jobs).toEqual([]);
  });

  it('omits contacts that opted out unless they are wanted', async () => {
    await optOut(bo, 'yes');
    await button('Contacts').click();
    await matching('2 contacts match').waitFor();
    await contacts().getByLabel('Omit contacts that opted out of marketing').uncheck();
    await matching('3 contacts match').waitFor();
    await optOut(bo, 'no');
  });

  it('creates a held job from contacts, with their names', async () => {
    await button('Contacts').click();
    await contacts().getByLabel('Label').selectOption('VIP');
    await matching('2 contacts match').waitFor();
    await page.getByLabel('{{1}} in the text', { exact: true }).fill('customer');
    await page.getByLabel('{{2}} in the text', { exact: true }).fill('Friday');
    await page.getByLabel("Contact's name as {{1}} in the text").check();
    await preview().filter({ hasText: 'Hello customer, we will see you on Friday.' }).waitFor();
    await button('Check rows').click();
    await page.getByRole('heading', { name: 'Check', exact: true }).waitFor();
    // The contact without a name is the newest.
    await rows().getByText(silent).waitFor();
    await preview().filter({ hasText: 'Hello customer, we will see you on Friday.' }).waitFor();
    await button('Next row').click();
    await rows().getByText(asha).waitFor();
    await preview().filter({ hasText: 'Hello Asha Rao, we will see you on Friday.' }).waitFor();
    expect((await account.api.listJobs()).jobs).toEqual([]);
    await button('Create job').click();
    await page.locator('.page-head .st', { hasText: 'Held' }).waitFor();
    const [job] = (await account.api.listJobs()).jobs;
    expect(job).toMatchObject({ status: 'paused', pauseReason: 'HELD', total: 2, pending: 2 });
    const { recipients } = await account.api.listJobRecipients({ jobId: job?.jobId ?? '' });
    expect(recipients.map(({ phone }) => phone).sort()).toEqual([asha, silent].sort());
  }, 60_000);

  it('steps through the rows of a spreadsheet in the preview', async () => {
    await page.getByLabel('Spreadsheet', { exact: true }).setInputFiles({
      name: 'customers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`phone,{{1}},{{2}}\n${asha},Asha,Monday\n12,Wrong,Row\n${bo},Bo,Tuesday\n`),
    });
    await page.getByText('Check the rows to step through them here.').waitFor();
    await button('Check rows').click();
    await preview().filter({ hasText: 'Hello Asha, we will see you on Monday.' }).waitFor();
    await rows().getByText(asha).waitFor();
    expect(await button('Previous row').getAttribute('aria-disabled')).toBe('true');
    await button('Next row').press('Enter');
    await preview().filter({ hasText: 'Hello Bo, we will see you on Tuesday.' }).waitFor();
    await rows().getByText(bo).waitFor();
    expect(await button('Next row').getAttribute('aria-disabled')).toBe('true');
    await button('Previous row').press('Enter');
    await preview().filter({ hasText: 'Hello Asha' }).waitFor();
  });

  it('hides the rows when the form changes', async () => {
    await button('List of numbers').click();
    await page.getByLabel('Phone numbers').fill(`${asha}\n${bo}`);
    await page.getByLabel('{{1}} in the text').fill('all');
    await page.getByLabel('{{2}} in the text').fill('Sunday');
    await button('Check rows').click();
    await rows().getByText('Row 1 of 2').waitFor();
    await button('Next row').click();
    await rows().getByText('Row 2 of 2').waitFor();
    await page.getByLabel('{{2}} in the text').fill('Monday');
    await rows().waitFor({ state: 'detached' });
    await preview().filter({ hasText: 'Hello all, we will see you on Monday.' }).waitFor();
  });

  it.each([390, 1_024, 1_440])('keeps the layout at %i pixels', async (width) => {
    await page.setViewportSize({ width, height: 900 });
    await button('Contacts').click();
    await matching('contacts match').waitFor();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await layoutViolations(page)).toEqual([]);
    }
  });
});
