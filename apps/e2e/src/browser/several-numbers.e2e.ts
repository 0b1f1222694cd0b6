import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { addNumber, newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { freshPhone, receivedUpstream } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

/** Enough recipients that each number sends to some. */
const MANY = 200;

describe('job from several numbers', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let name: string;
  let numbers: string[];
  let ids: string[];

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Several numbers in the dashboard')]);
    const others = [await addNumber(account.accountId), await addNumber(account.accountId)];
    numbers = [account.phoneNumber, ...others.map(({ phoneNumber }) => phoneNumber)];
    ids = [account.phoneNumberId, ...others.map(({ phoneNumberId }) => phoneNumberId)];
    ({ name } = await createTemplate([{ type: 'BODY', text: 'Good morning.' }]));
    await approved(account, [name]);
    page = await openAs(browser, await newUser(account.accountId));
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const button = (text: string) => page.getByRole('button', { name: text });
  const phonesOf = (count: number): string[] => {
    const first = Number(freshPhone()) - count;
    return Array.from({ length: count }, (_, index) => String(first + index));
  };
  const openForm = async (): Promise<void> => {
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${name} · en_US` });
    await page.getByText('Without a choice, the primary number sends.').waitFor();
  };
  const choose = async (chosen: readonly string[]): Promise<void> => {
    for (const number of chosen) await page.getByRole('checkbox', { name: `+${number}` }).check();
    await page.getByText('The recipients are spread over these numbers.').waitFor();
  };
  /** Starts the job after its check, and expects one message per recipient from the chosen numbers. */
  const startAndExpect = async (phones: readonly string[], chosen: readonly string[]): Promise<void> => {
    await button('Create job').click();
    await button(`Start sending to ${phones.length} recipients`).click();
    await page.locator('.page-head .st', { hasText: 'Completed' }).waitFor();
    const facts = page.locator('.fact-row');
    for (const number of chosen) await facts.getByText(`+${number}`).waitFor();
    const jobId = /job_[0-9a-z]{26}/.exec(page.url())?.[0] ?? '';
    const job = await eventually(async () => {
      const found = (await account.api.getJob({ jobId })).job;
      expect(found).toMatchObject({ status: 'completed', pending: 0, failed: 0, from: null });
      return found;
    });
    expect(job.numbers.map(({ phoneNumber }) => phoneNumber)).toEqual(chosen);
    const sent = job.numbers.map(({ recipients }) => recipients);
    expect(sent.reduce((sum, count) => sum + count, 0)).toBe(phones.length);
    expect(Math.min(...sent)).toBeGreaterThan(0);
    const senders = new Set<string>();
    for (const phone of phones) {
      const messages = await receivedUpstream(phone);
      expect([phone, messages.map(({ count }) => count)]).toEqual([phone, [1]]);
      senders.add(messages[0]?.phoneNumberId ?? '');
    }
    expect([...senders].sort()).toEqual(chosen.map((number) => ids[numbers.indexOf(number)]).sort());
  };

  it('shows the limits of each number and sends from all of them', async () => {
    const phones = phonesOf(MANY);
    await openForm();
    await button('List of numbers').click();
    await page.getByLabel('Phone numbers').fill(phones.join('\n'));
    await choose(numbers);
    await button('Check rows').click();
    const limits = page.getByRole('table', { name: 'Limits of the numbers' });
    await limits.waitFor();
    const rows = await limits.locator('tbody tr').allTextContents();
    expect(rows.map((row) => row.slice(0, 12))).toEqual(numbers.map((number) => `+${number}`));
    for (const row of rows) expect(row).toMatch(/80\d[\d,]* of \d[\d,]* contacts left$/);
    await page.getByText('240 per second, from 3 numbers').waitFor();
    await page.getByText('Numbers of the same business portfolio share their messaging limit').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await startAndExpect(phones, numbers);
  }, 120_000);

  it('sends a spreadsheet from two of the numbers', async () => {
    const phones = phonesOf(MANY);
    const chosen = numbers.slice(1);
    await openForm();
    await page.getByLabel('Spreadsheet', { exact: true }).setInputFiles({
      name: 'customers.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(['phone', ...phones].join('\n')),
    });
    await choose(chosen);
    await button('Check rows').click();
    const limits = page.getByRole('table', { name: 'Limits of the numbers' });
    await limits.waitFor();
    expect(await limits.locator('tbody tr').count()).toBe(2);
    await startAndExpect(phones, chosen);
  }, 120_000);
});
