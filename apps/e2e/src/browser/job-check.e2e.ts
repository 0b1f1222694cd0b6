import { eventually, SAMPLE_RATES } from '@switchboard/testing';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { done } from '../support/installation';
import { freshPhone, writeInAny } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const ratesFile = join(tmpdir(), `check-rates-${process.pid}.csv`);

describe('check of a job', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let name: string;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Checks')]);
    ({ name } = await createTemplate([{ type: 'BODY', text: 'Good morning.' }], { category: 'MARKETING' }));
    await writeFile(ratesFile, SAMPLE_RATES);
    await Promise.all([approved(account, [name]), done('rates', 'import', ratesFile, '--replace')]);
    page = await openAs(browser, await newUser(account.accountId));
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await rm(ratesFile, { force: true });
  });

  const button = (text: string) => page.getByRole('button', { name: text });
  const fill = async (recipients: readonly string[]): Promise<void> => {
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${name} · en_US` });
    await button('List of numbers').click();
    await page.getByLabel('Phone numbers').fill(recipients.join('\n'));
  };

  it('shows price, failures and duration before the job is created', async () => {
    const [refusing, lead] = [freshPhone(), freshPhone()];
    const write = { to: account.phoneNumber, type: 'text' };
    await writeInAny({ ...write, from: refusing, text: { body: 'STOP' } });
    await writeInAny({ ...write, from: lead, text: { body: 'Hi' }, referral: { source_type: 'ad', source_id: '1' } });
    await eventually(async () => expect((await account.api.listContacts()).contacts).toHaveLength(2));
    await fill([freshPhone(), freshPhone(), '491512345678', '12125550123', refusing, lead, '9198']);
    await button('Check rows').click();
    await page.getByRole('heading', { name: 'Check', exact: true }).waitFor();
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Check');
    await page.getByText('0.1601 USD').waitFor();
    await page.getByText('1 without a rate').waitFor();
    await page.getByText('1 message is free').waitFor();
    await page.getByText('Opted out: 1').waitFor();
    await page.getByText('Invalid rows: 1').waitFor();
    const table = page.getByRole('table', { name: 'Messages by category and market' });
    expect(await table.locator('tbody tr').allTextContents()).toEqual([
      'MarketingIndia310.0236 USD',
      'MarketingGermany100.1365 USD',
      'MarketingNorth America10Unknown',
    ]);
    expect((await account.api.listJobs()).jobs).toEqual([]);
    expect(await layoutViolations(page)).toEqual([]);
    await button('Create job').click();
    await page.locator('.page-head .st', { hasText: 'Held' }).waitFor();
    expect((await account.api.listJobs()).jobs).toHaveLength(1);
  }, 60_000);

  it('is hidden when the form changes', async () => {
    await fill([freshPhone()]);
    await button('Check rows').click();
    await button('Create job').waitFor();
    await page.getByLabel('Phone numbers').fill('12');
    expect(await button('Create job').count()).toBe(0);
    await button('Check rows').click();
    await page.getByText('phone number format is invalid').first().waitFor();
    expect(await button('Create job').count()).toBe(0);
  });

  it('shows what the spend caps of the job and the account allow', async () => {
    const cap = ['--account', account.accountId];
    await done('caps', 'set', ...cap, '--amount', '0.03', '--currency', 'USD');
    await fill([freshPhone(), freshPhone(), freshPhone()]);
    const field = page.getByLabel('Max spend (USD)');
    await field.fill('1,5');
    await button('Check rows').click();
    await page.getByText('It must be an amount such as "500.00", with at most 8 decimals.').waitFor();
    expect(await button('Create job').count()).toBe(0);
    await field.fill('0.02');
    await button('Check rows').click();
    const job = page.getByText('The job would pause: the max spend of 0.02 USD covers 1 of 3 messages.');
    await job.waitFor();
    const month = /The job would pause: the spend cap of the account for \w+ \d{4} covers 2 of 3 messages\./;
    await page.getByText(month).waitFor();
    await page.getByText('0.00 of 0.03 USD is spent').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await done('caps', 'clear', ...cap);
    await field.fill('1.00');
    expect(await button('Create job').count()).toBe(0);
    await button('Check rows').click();
    await page.getByText('The max spend of 1.00 USD covers all 3 messages.').waitFor();
    expect(await page.getByText('the spend cap of the account').count()).toBe(0);
    await button('Create job').click();
    await page.locator('.page-head .st', { hasText: 'Held' }).waitFor();
    expect((await account.api.listJobs()).jobs[0]).toMatchObject({ maxSpend: { amount: '1.00', currency: 'USD' } });
    await page.getByText('1.00 USD', { exact: true }).waitFor();
  }, 60_000);

  it('passes the max spend of a spreadsheet', async () => {
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${name} · en_US` });
    await page.getByLabel('Spreadsheet', { exact: true }).setInputFiles({
      name: 'customers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`phone\n${freshPhone()}\n`),
    });
    await page.getByLabel('Max spend (USD)').fill('0.0118');
    await button('Check rows').click();
    await page.getByText('The max spend of 0.0118 USD covers the message.').waitFor();
    await button('Create job').click();
    await page.locator('.page-head .st', { hasText: 'Held' }).waitFor();
    expect((await account.api.listJobs()).jobs[0]).toMatchObject({ type: 'excel', maxSpend: { amount: '0.0118' } });
  });
});
