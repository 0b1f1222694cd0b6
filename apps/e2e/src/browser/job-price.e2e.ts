import { eventually, SAMPLE_RATES } from '@switchboard/testing';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { done } from '../support/installation';
import { freshPhone, writeIn } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const ratesFile = join(tmpdir(), `price-rates-${process.pid}.csv`);
const currency = 'USD';

describe('price of a job', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let name: string;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Prices')]);
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
  const createJob = async (recipients: number, amount?: string): Promise<string> => {
    const { jobId } = await account.api.sendBulk({
      type: 'template',
      template: { name, language: { code: 'en_US' } },
      recipients: Array.from({ length: recipients }, () => freshPhone()),
      ...(amount !== undefined && { maxSpend: { amount, currency } }),
    });
    return jobId;
  };
  const badge = (word: string) => page.locator('.page-head .st', { hasText: word });

  it('compares estimated and reported price, for a job and for a month', async () => {
    const jobId = await createJob(3);
    await page.goto(addressOf(`/jobs/${jobId}`));
    const price = page.getByRole('region', { name: 'Price' });
    await price.getByText('for 3 messages').waitFor();
    await price.getByText('for 3 delivered').waitFor();
    await price.getByText('everything is reported').waitFor();
    await price.getByText('as estimated').waitFor();
    await eventually(async () => expect(await price.getByText('0.0354 USD').count()).toBe(2));
    expect(await layoutViolations(page)).toEqual([]);
    await page.goto(addressOf('/usage'));
    const jobs = page.getByRole('region', { name: 'Estimated and reported price per job' });
    await jobs.getByText('1 job, 3 messages').waitFor();
    await eventually(async () => expect(await jobs.getByText('0.0354 USD').count()).toBe(4));
    expect(await jobs.getByText('as estimated').count()).toBe(2);
    expect(await layoutViolations(page)).toEqual([]);
    await jobs.getByRole('link', { name }).click();
    await page.waitForURL(`**/jobs/${jobId}`);
  }, 90_000);

  it('shows the difference of a job that costs less than its estimate', async () => {
    const refusing = freshPhone();
    const { jobId } = await account.api.sendBulk({
      type: 'template',
      template: { name, language: { code: 'en_US' } },
      recipients: [freshPhone(), refusing],
      hold: true,
    });
    await page.goto(addressOf(`/jobs/${jobId}`));
    const price = page.getByRole('region', { name: 'Price' });
    await price.getByText('for 2 messages').waitFor();
    expect(await price.getByText('the estimate').count()).toBe(0);
    await writeIn(refusing, 'STOP', { to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.listContacts({ search: refusing })).contacts).toMatchObject([{ optedOut: true }]),
    );
    await account.api.resumeJob({ jobId });
    await price.getByText('−0.0118 USD').waitFor();
    await price.getByText('50.0% below the estimate').waitFor();
    await page.goto(addressOf('/usage'));
    const jobs = page.getByRole('region', { name: 'Estimated and reported price per job' });
    await eventually(async () => expect(await jobs.getByText('below the estimate').count()).toBe(2));
    expect(await layoutViolations(page)).toEqual([]);
  }, 90_000);

  it('continues a job with a higher cap', async () => {
    const jobId = await createJob(3, '0.02');
    await page.goto(addressOf(`/jobs/${jobId}`));
    await badge('Paused').waitFor();
    await page.getByText('would exceed the spend cap of this job (0.02 USD)').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    const field = page.getByLabel('New spend cap of this job (USD)');
    await field.fill('0.001');
    await button('Raise cap and resume').click();
    await page.getByText('can only be raised: it is 0.02 USD').waitFor();
    expect((await account.api.getJob({ jobId })).job).toMatchObject({ status: 'paused', maxSpend: { amount: '0.02' } });
    await field.fill('0.10');
    await button('Raise cap and resume').click();
    await badge('Completed').waitFor();
    expect((await account.api.getJob({ jobId })).job).toMatchObject({ maxSpend: { amount: '0.10', currency } });
    expect(await field.count()).toBe(0);
  }, 90_000);
});
