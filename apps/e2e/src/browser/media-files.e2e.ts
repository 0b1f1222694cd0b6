import { randomInt } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { FILES } from '../support/files';
import { receivedUpstream } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';

describe('files of the job form', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  let sale: string;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Media in the dashboard')]);
    const template = await createTemplate([
      { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::aW1hZ2U='] } },
      { type: 'BODY', text: 'Your parcel is on its way.' },
    ]);
    sale = template.name;
    await approved(account, [sale]);
    page = await openAs(browser, await newUser(account.accountId));
  }, 120_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const startWith = async (choose: () => Promise<void>): Promise<unknown> => {
    const phone = `9198${randomInt(10_000_000, 99_999_999)}`;
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${sale} · en_US` });
    await page.getByRole('button', { name: 'List of numbers' }).click();
    await page.getByLabel('Phone numbers').fill(phone);
    await choose();
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByRole('button', { name: 'Create job' }).click();
    await page.getByRole('button', { name: 'Start sending to 1 recipient' }).click();
    await page.locator('.page-head .st', { hasText: 'Completed' }).waitFor();
    const [message] = await receivedUpstream(phone);
    return message?.body['template'];
  };
  const ofPlatform = {
    components: [{ type: 'header', parameters: [{ type: 'image', image: { id: expect.stringMatching(/^\d+$/) } }] }],
  };

  it('can be uploaded instead of entering a link', async () => {
    const { bytes: buffer, mimeType } = FILES.image;
    const sent = await startWith(async () => {
      await page.getByLabel('File to upload').setInputFiles({ name: 'menu.png', mimeType, buffer });
      await page.getByText('Uploaded file: menu.png').waitFor();
    });
    expect(sent).toMatchObject(ofPlatform);
    expect((await account.api.listMedia()).media).toMatchObject([{ fileName: 'menu.png' }]);
  }, 60_000);

  it('can be selected from earlier uploads', async () => {
    const sent = await startWith(async () => {
      await page.getByLabel('Uploaded files').selectOption({ label: 'menu.png' });
    });
    expect(sent).toMatchObject(ofPlatform);
    expect((await account.api.listMedia()).media).toHaveLength(1);
  }, 60_000);

  it('can be uploaded for all rows of a spreadsheet', async () => {
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${sale} · en_US` });
    const { bytes: buffer, mimeType } = FILES.image;
    const choose = (file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> =>
      page.getByLabel('File to upload').setInputFiles(file);
    await choose({ name: 'other.png', mimeType, buffer });
    await page.getByText('Uploaded file: other.png').waitFor();
    const [uploaded] = (await account.api.listMedia()).media;
    expect(uploaded?.fileName).toBe('other.png');
    await page.getByText('Spreadsheet columns: phone.').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await choose({ name: 'empty.png', mimeType, buffer: Buffer.alloc(0) });
    await page.getByText('it is empty').waitFor();
    const phone = `9198${randomInt(10_000_000, 99_999_999)}`;
    await page
      .getByLabel('Spreadsheet', { exact: true })
      .setInputFiles({ name: 'Winter sale.csv', mimeType: 'text/csv', buffer: Buffer.from(`phone\n${phone}\n`) });
    expect(await page.getByLabel('Job name').inputValue()).toBe('Winter sale');
    await page.getByRole('button', { name: 'Check rows' }).click();
    await page.getByRole('button', { name: 'Create job' }).click();
    await page.getByRole('heading', { name: 'Winter sale', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Start sending to 1 recipient' }).click();
    await page.locator('.page-head .st', { hasText: 'Completed' }).waitFor();
    const [message] = await receivedUpstream(phone);
    expect(message?.body['template']).toMatchObject(ofPlatform);
  }, 60_000);
});
