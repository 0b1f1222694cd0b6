import { randomInt } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import ExcelJS from 'exceljs';
import type { Browser, Page } from 'playwright-core';
import { newAccount, newBareAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type Visitor } from '../support/browser';
import { signIn } from '../support/console';
import { receivedUpstream } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

/** Messages to this number fail in the simulator. */
const UNREACHABLE = '15005550126';
/** Enough recipients that a job outlasts the clicks of a test. */
const MANY = 1_500;
const TABS_MOST = 60;

describe('bulk job pages', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: Page & { problems: string[] };
  let order: string;
  let plain: string;
  let sheetJob = '';

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Jobs')]);
    const templates = await Promise.all([
      createTemplate([{ type: 'BODY', text: 'Your order {{1}} is on its way.', example: { body_text: [['A-17']] } }]),
      createTemplate([{ type: 'BODY', text: 'Good morning.' }]),
    ]);
    [order = '', plain = ''] = templates.map(({ name }) => name);
    [owner] = await Promise.all([newUser(account.accountId), approved(account, [order, plain])]);
    page = await openAs(browser, owner);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const go = (path: string) => page.goto(addressOf(path));
  const badge = (word: string) => page.locator('.page-head .st', { hasText: word });
  const outcome = (word: string) => page.getByRole('group', { name: 'Rows by outcome' }).getByText(word);
  const rows = () => page.getByRole('table', { name: 'Rows' });
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  /** Checks the rows and creates the job. */
  const checkAndCreate = async (): Promise<void> => {
    await button('Check rows').click();
    await button('Create job').click();
  };
  const freshPhones = (count: number): string[] => {
    const first = randomInt(10_000_000, 90_000_000);
    return Array.from({ length: count }, (_, index) => `9196${first + index}`);
  };
  const jobIdOf = (url: string): string => /job_[0-9a-z]{26}/.exec(url)?.[0] ?? '';

  /** Builds a spreadsheet whose last row is hidden, as by a filter. */
  async function sheetOf(lines: readonly (readonly string[])[]): Promise<Buffer> {
    const book = new ExcelJS.Workbook();
    const sheet = book.addWorksheet('Recipients');
    sheet.addRows([['phone', '{{1}}'], ...lines]);
    sheet.getRow(lines.length + 1).hidden = true;
    return Buffer.from(await book.xlsx.writeBuffer());
  }

  it('show invalid rows before sending and live counts after', async () => {
    const phones = freshPhones(6);
    const lines = [...phones, UNREACHABLE].map((phone) => [phone, 'A-17']);
    const buffer = await sheetOf([...lines, ['12', 'A-18'], ['+919812', 'A-19']]);
    await go('/jobs');
    await page.getByText('A job sends a template to many recipients').waitFor();
    await page.getByRole('link', { name: 'New job' }).first().click();
    await page.getByLabel('Template').selectOption({ label: `${order} · en_US` });
    await page.getByText('Spreadsheet columns: phone, {{1}}.').waitFor();
    const choose = page.getByLabel('Spreadsheet', { exact: true });
    await choose.setInputFiles({ name: 'orders.ods', mimeType: 'text/plain', buffer: Buffer.from('phone') });
    await page.getByText('The file must be .xlsx or .csv.').waitFor();
    await choose.setInputFiles({ name: 'orders.xlsx', mimeType: 'application/octet-stream', buffer });
    await checkAndCreate();
    await page.getByText('2 of 9 rows cannot be sent.').waitFor();
    await page.getByText('1 hidden row is included').waitFor();
    await rows().getByText('phone number format is invalid').first().waitFor();
    expect(await rows().locator('tbody tr').count()).toBe(2);
    expect(await rows().locator('tbody tr').first().textContent()).toContain('912');
    await badge('Held').waitFor();
    expect(await Promise.all(phones.map((phone) => receivedUpstream(phone)))).toEqual(phones.map(() => []));
    sheetJob = jobIdOf(page.url());
    expect((await account.api.getJob({ jobId: sheetJob })).job).toMatchObject({ pauseReason: 'HELD', type: 'excel' });
    await button('Start sending to 7 recipients').click();
    await badge('Completed').waitFor();
    await outcome('Read').locator('..').getByText('6', { exact: false }).waitFor();
    await page.getByRole('img', { name: 'Read 6, Failed 1, Rejected 2' }).waitFor();
    for (const phone of phones) expect(await receivedUpstream(phone)).toHaveLength(1);
  }, 60_000);

  it('find a row by phone number and retry failed rows', async () => {
    await page.getByLabel('Search rows by phone').fill('+1 500 555-0126');
    await page.waitForURL(/phone=15005550126/);
    await rows().getByText(UNREACHABLE).waitFor();
    expect(await rows().locator('tbody tr').count()).toBe(1);
    await page.reload();
    await rows().getByText(UNREACHABLE).waitFor();
    await page.getByLabel('Search rows by phone').fill('');
    await outcome('Failed').click();
    await rows().getByText('131026').waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('Download failed')
        .click()
        .then(() => page.getByRole('menuitem', { name: /^Excel/ }).click()),
    ]);
    expect(download.suggestedFilename()).toBe(`${sheetJob}-failed.xlsx`);
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(await download.path());
    const cells = book.worksheets[0]?.getColumn(2).values.filter(Boolean);
    expect(cells).toEqual(['Phone number', UNREACHABLE]);
    expect(book.worksheets[0]?.getRow(1).values).toContain('{{1}}');
    await button('Retry 1').click();
    await page
      .getByRole('dialog', { name: 'Send again to 1 recipient?' })
      .getByRole('button', { name: 'Retry 1' })
      .click();
    await page.getByRole('link', { name: 'Failed rows of this job' }).waitFor();
    expect(jobIdOf(page.url())).not.toBe(sheetJob);
    await page.getByRole('img', { name: 'Failed 1' }).waitFor();
  }, 60_000);

  it('have a name, which users change and search for', async () => {
    await go(`/jobs/${sheetJob}`);
    await page.getByRole('heading', { name: 'orders', level: 1 }).waitFor();
    await button('Rename').click();
    const dialog = page.getByRole('dialog', { name: 'Rename job' });
    await dialog.getByLabel('Name').fill('Winter sale');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Winter sale', level: 1 }).waitFor();
    await go('/jobs');
    await page.getByLabel('Search by name').fill('winter S');
    await page.waitForURL(/search=winter/);
    await page.getByRole('link', { name: 'Winter sale', exact: true }).waitFor();
    await page.getByRole('table', { name: 'Jobs' }).getByText(order).first().waitFor();
    expect(await page.getByRole('table', { name: 'Jobs' }).locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Search by name').fill('no such job');
    await page.getByText('No jobs match').waitFor();
    await go('/');
    await page.getByRole('table', { name: 'Recent jobs' }).getByRole('link', { name: 'Winter sale' }).waitFor();
    const { job } = await account.api.getJob({ jobId: sheetJob });
    expect(job.name).toBe('Winter sale');
  }, 60_000);

  it('show the parsed CSV format and warnings before sending', async () => {
    const [phone = ''] = freshPhones(1);
    const lines = ['phone;{{1}}', `${phone};Garc\u00eda`, ';Ravi'];
    await go('/jobs/new');
    await page.getByLabel('Template').selectOption({ label: `${order} · en_US` });
    await page
      .getByLabel('Spreadsheet', { exact: true })
      .setInputFiles({ name: 'orders.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n'), 'latin1') });
    await checkAndCreate();
    await page.getByText('1 of 2 rows cannot be sent.').waitFor();
    await page.getByText('CSV, Windows-1252, delimited by semicolon').waitFor();
    await page.getByText('was read as Windows-1252: check its accents').waitFor();
    expect(await rows().locator('tbody tr').allTextContents()).toEqual([
      expect.stringMatching(/^3empty.*the cell is empty/),
    ]);
    await button('Start sending to 1 recipient').click();
    await badge('Completed').waitFor();
    expect(JSON.stringify(await receivedUpstream(phone))).toContain('García');
  }, 60_000);

  it('retry failed rows once after a lost response', async () => {
    const { jobId } = await account.api.sendBulk({
      recipients: [UNREACHABLE],
      type: 'template',
      template: { name: plain, language: { code: 'en_US' } },
    });
    await eventually(async () => expect((await account.api.getJob({ jobId })).job.failed).toBe(1));
    await go(`/jobs/${jobId}?status=failed`);
    const keys: (string | undefined)[] = [];
    await page.route('**/retry-failed', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      const response = await route.fetch();
      await (keys.length === 1 ? route.abort() : route.fulfill({ response }));
    });
    const question = page.getByRole('dialog', { name: 'Send again to 1 recipient?' });
    await button('Retry 1').click();
    await question.getByRole('button', { name: 'Retry 1' }).click();
    await question.getByText('The server does not respond.').waitFor();
    await question.getByRole('button', { name: 'Close' }).click();
    await button('Retry 1').click();
    await question.getByRole('button', { name: 'Retry 1' }).click();
    await page.getByRole('link', { name: 'Failed rows of this job' }).waitFor();
    await page.unroute('**/retry-failed');
    expect(keys).toEqual([expect.any(String), keys[0]]);
    const { jobs } = await account.api.listJobs({});
    expect(jobs.filter(({ retryOf }) => retryOf === jobId)).toHaveLength(1);
    expect(page.problems.splice(0)).toEqual([expect.stringContaining('net::ERR_FAILED')]);
  }, 60_000);

  it('pause, resume and cancel a job', async () => {
    await go('/jobs/new');
    await page.getByLabel('Template').selectOption({ label: `${plain} · en_US` });
    await button('List of numbers').click();
    await page.getByLabel('Phone numbers').fill(freshPhones(MANY).join(', '));
    await page.getByText('1500 of').waitFor();
    await checkAndCreate();
    await page.getByText('All 1,500 rows can be sent.').waitFor();
    await button('Start sending to 1,500 recipients').click();
    await button('Pause').click();
    await badge('Paused').waitFor();
    await page.getByText('Paused by a user.').waitFor();
    await button('Resume').click();
    await button('Pause').waitFor();
    await button('Cancel job').click();
    const question = page.getByRole('dialog', { name: 'Cancel this job?' });
    await question.getByRole('button', { name: 'Keep job' }).click();
    expect(await question.count()).toBe(0);
    await button('Cancel job').click();
    await question.getByRole('button', { name: 'Cancel job' }).click();
    await badge('Cancelled').waitFor();
    await page.getByRole('img', { name: /^[^P]*Cancelled [\d,]+$/ }).waitFor();
    const { job } = await account.api.getJob({ jobId: jobIdOf(page.url()) });
    expect(job.status).toBe('cancelled');
    expect(job.cancelled).toBeGreaterThan(0);
  }, 60_000);

  it('list jobs by state, and keep the filter after a reload', async () => {
    await go('/jobs');
    const jobs = page.getByRole('table', { name: 'Jobs' });
    await jobs.getByText(order).first().waitFor();
    await page.getByRole('group', { name: 'Status' }).getByRole('button', { name: 'Cancelled' }).click();
    await page.waitForURL(/status=cancelled/);
    await page.reload();
    await jobs.getByText(plain).waitFor();
    expect(await jobs.locator('tbody tr').count()).toBe(1);
  });

  it('are usable by keyboard only', async () => {
    const focusOn = async (text: string): Promise<void> => {
      for (let tabs = 0; tabs < TABS_MOST; tabs += 1) {
        const focused = await page.evaluate<string>(
          `((at) => (at.labels && at.labels[0] && at.labels[0].textContent) || at.textContent || '')(document.activeElement)`,
        );
        if (focused.trim() === text) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`no key leads to ${text}`);
    };
    await page.keyboard.press('g');
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('new job');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'New job' }).waitFor();
    await focusOn('Template');
    await page.keyboard.type(plain);
    await focusOn('List of numbers');
    await page.keyboard.press('Enter');
    await focusOn('Phone numbers');
    await page.keyboard.type(freshPhones(2).join(','));
    await focusOn('Check rows');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Check', exact: true }).waitFor();
    await focusOn('Create job');
    await page.keyboard.press('Enter');
    await badge('Held').waitFor();
    await focusOn('Start sending to 2 recipients');
    await page.keyboard.press('Enter');
    await badge('Completed').waitFor();
  }, 60_000);

  it('are read-only for viewers', async () => {
    const { jobId } = await account.api.sendBulk({
      recipients: freshPhones(1),
      type: 'template',
      hold: true,
      template: { name: plain, language: { code: 'en_US' } },
    });
    const visitor = await newUser(account.accountId, 'viewer');
    const viewer = await openAs(browser, visitor, `/jobs/${jobId}`);
    const start = viewer.getByRole('button', { name: 'Start sending to 1 recipient' });
    await start.click({ force: true });
    expect(await start.getAttribute('aria-description')).toContain('Requires the role admin.');
    await viewer.goto(addressOf('/jobs/new'));
    await viewer.getByText('Requires the role admin. Your role is viewer.').first().waitFor();
    expect(await viewer.getByRole('button', { name: 'Check rows' }).getAttribute('aria-disabled')).toBe('true');
    const session = await signIn(visitor.email, visitor.password);
    for (const path of [`/jobs/${jobId}/resume`, `/jobs/${jobId}/cancel`, `/jobs/${sheetJob}/retry-failed`, '/jobs'])
      expect((await session.call('POST', path, path === '/jobs' ? {} : undefined)).body['code']).toBe(
        'ROLE_NOT_ALLOWED',
      );
    expect((await account.api.getJob({ jobId })).job).toMatchObject({ status: 'paused', pauseReason: 'HELD' });
    expect(viewer.problems).toEqual([]);
    await viewer.context().close();
  });

  it('show "not found" to another account', async () => {
    const stranger = await newBareAccount('Stranger');
    const other = await openAs(browser, await newUser(stranger.accountId), `/jobs/${sheetJob}`);
    await other.getByText('NOT_FOUND').waitFor();
    expect(other.problems).toEqual([]);
    await other.context().close();
  });

  it('render failed rows in all sizes and themes', async () => {
    await page.goto(addressOf(`/jobs/${sheetJob}?status=failed`));
    await page.getByRole('heading', { name: 'Failed rows', exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('show consistent counts and rows when a job ends between reads', async () => {
    const template = { name: plain, language: { code: 'en_US' } };
    const { jobId } = await account.api.sendBulk({
      recipients: freshPhones(5),
      type: 'template',
      template,
      hold: true,
    });
    await go(`/jobs/${jobId}`);
    await rows().getByText('Pending').nth(4).waitFor();
    await account.api.resumeJob({ jobId });
    await eventually(async () => expect((await account.api.getJob({ jobId })).job.read).toBe(5));
    await badge('Completed').waitFor();
    await page.getByRole('img', { name: 'Read 5' }).waitFor();
    expect(await rows().locator('tbody .st').allTextContents()).toEqual(Array.from({ length: 5 }, () => 'Read'));
  }, 60_000);
});
