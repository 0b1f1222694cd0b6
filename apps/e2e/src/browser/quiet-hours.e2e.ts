import type { Browser } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { freshPhone } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

const HOUR_MS = 3_600_000;
/** Time of day in India. */
const clockIn = (at: number): string =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Asia/Kolkata',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at);

describe('quiet hours', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let name: string;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Quiet')]);
    ({ name } = await createTemplate([{ type: 'BODY', text: 'Good morning.' }], { category: 'MARKETING' }));
    await approved(account, [name]);
    page = await openAs(browser, await newUser(account.accountId));
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const button = (text: string) => page.getByRole('button', { name: text });

  it('are off by default, and shown before and after the start', async () => {
    const [from, to] = [clockIn(Date.now() - HOUR_MS), clockIn(Date.now() + 2 * HOUR_MS)];
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${name} · en_US` });
    await button('List of numbers').click();
    await page.getByLabel('Phone numbers').fill([freshPhone(), freshPhone(), '4915112345678'].join('\n'));
    await button('Check rows').click();
    await button('Create job').waitFor();
    expect(await page.getByText('in their country').count()).toBe(0);
    const option = page.getByLabel('Send nothing at night');
    expect(await option.isChecked()).toBe(false);
    await option.check();
    expect(await page.getByLabel('Quiet from').inputValue()).toBe('20:00');
    expect(await page.getByLabel('Quiet until').inputValue()).toBe('08:00');
    await page.getByLabel('Quiet until').fill('20:00');
    await button('Check rows').click();
    await page.getByText('It must differ from the start of the quiet hours.').waitFor();
    await page.getByLabel('Quiet from').fill(from);
    await page.getByLabel('Quiet until').fill(to);
    await button('Check rows').click();
    await page.getByText(`2 recipients would wait for the end of quiet hours in their country.`).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await button('Create job').click();
    await page.getByText(`2 recipients would wait for the end of quiet hours in their country.`).waitFor();
    await page.getByText('Expected end:').waitFor();
    await page.getByText(`${from} to ${to}, recipient’s time`).waitFor();
    await button('Start sending to 3 recipients').click();
    await page.getByText(`2 recipients wait for the end of quiet hours in their country.`).waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    const [job] = (await account.api.listJobs()).jobs;
    expect((await account.api.getJob({ jobId: job?.jobId ?? '' })).job).toMatchObject({
      status: 'processing',
      quietHours: { from, to },
      waitingRecipients: 2,
    });
    await button('Cancel job').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel job' }).click();
    await page.locator('.page-head .st', { hasText: 'Cancelled' }).waitFor();
  }, 60_000);
});
