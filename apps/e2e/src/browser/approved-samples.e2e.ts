import { randomUUID } from 'node:crypto';
import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { FILES } from '../support/files';
import { demo } from '../support/installation';
import { freshPhone, receivedUpstream } from '../support/simulator';
import { approved } from '../support/templates';

describe('approved sample of a header', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  const name = `sample_${randomUUID().replaceAll('-', '')}`;
  const button = (label: string) => page.getByRole('button', { name: label, exact: true });
  const picture = FILES.image.bytes;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Approved samples')]);
    page = await openAs(browser, await newUser(account.accountId));
    await page.goto(addressOf('/templates/new'));
    await page.getByLabel('Name').fill(name);
    await button('Utility').click();
    await button('Continue to the editor').click();
    await button('Image').click();
    const { mimeType, bytes: buffer } = FILES.image;
    await page.getByLabel('Sample', { exact: true }).setInputFiles({ name: 'menu.png', mimeType, buffer });
    await page.getByText('menu.png uploaded.').waitFor();
    await page.getByLabel('Body text').fill('The menu of this week is here for you.');
    await page.getByText('No errors').waitFor();
    await button('Submit for approval').click();
    await approved(account, [name]);
  }, 120_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  const previewed = async (): Promise<void> => {
    const shown = page.getByTestId('preview').getByRole('img', { name: 'Header sample' });
    await shown.waitFor();
    await eventually(async () =>
      expect(await shown.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1),
    );
  };
  /** Returns whether the platform got the picture in a message to the phone. */
  const receivedPicture = async (phone: string): Promise<boolean> => {
    const [message] = await receivedUpstream(phone);
    const { components } = message?.body['template'] as {
      components: [{ parameters: [{ image: { id: string } }] }];
    };
    const { id } = components[0].parameters[0].image;
    const file = await fetch(`${demo.simulatorUrl}/_control/media/${id}`);
    return Buffer.from(await file.arrayBuffer()).equals(picture);
  };

  it('is shown on the page of the template', async () => {
    const { templates } = await page.evaluate(
      async (wanted) =>
        (await (await fetch(`/console/v1/templates?name=${wanted}`)).json()) as { templates: [{ id: string }] },
      name,
    );
    await page.goto(addressOf(`/templates/${templates[0].id}`));
    await previewed();
  }, 60_000);

  it('is sent in a test without an upload', async () => {
    const phone = freshPhone();
    await button('Test send').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('File: the sample that the template was approved with').waitFor();
    await dialog.getByRole('textbox', { name: 'Phone' }).fill(phone);
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    await dialog.getByText('Message accepted by the platform.').waitFor();
    expect(await receivedPicture(phone)).toBe(true);
  }, 60_000);

  it('is sent by a job without an upload', async () => {
    const phone = freshPhone();
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${name} · en_US` });
    await button('List of numbers').click();
    await page.getByLabel('Phone numbers').fill(phone);
    await previewed();
    expect(await layoutViolations(page)).toEqual([]);
    await button('Check rows').click();
    await button('Create job').waitFor();
    await previewed();
    await button('Create job').click();
    await button('Start sending to 1 recipient').click();
    await page.locator('.page-head .st', { hasText: 'Completed' }).waitFor();
    expect(await receivedPicture(phone)).toBe(true);
    // The test send and the job use one copy.
    expect((await account.api.listMedia()).media).toMatchObject([{ fileName: 'menu.png' }]);
  }, 60_000);

  it('can be replaced by a link and chosen again', async () => {
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${name} · en_US` });
    await button('List of numbers').click();
    await button('Use a link').click();
    await page.getByLabel('File URL').fill('https://example.com/other.png');
    await button('Use the approved sample').click();
    await page.getByText('File: the sample that the template was approved with').waitFor();
    await previewed();
  }, 60_000);

  it('is sent to all rows of a spreadsheet', async () => {
    const phone = freshPhone();
    await page.goto(addressOf('/jobs/new'));
    await page.getByLabel('Template').selectOption({ label: `${name} · en_US` });
    await page.getByText('File: the sample that the template was approved with').waitFor();
    await page
      .getByLabel('Spreadsheet', { exact: true })
      .setInputFiles({ name: 'menu.csv', mimeType: 'text/csv', buffer: Buffer.from(`phone\n${phone}\n`) });
    await button('Check rows').click();
    await button('Create job').click();
    await button('Start sending to 1 recipient').click();
    await page.locator('.page-head .st', { hasText: 'Completed' }).waitFor();
    expect(await receivedPicture(phone)).toBe(true);
  }, 60_000);

  it('is sent from a conversation without an upload', async () => {
    const phone = freshPhone();
    await page.goto(addressOf(`/conversations/${phone}`));
    await button('Choose template').click();
    const dialog = page.getByRole('dialog', { name: 'Send template' });
    await dialog.getByLabel('Template', { exact: true }).selectOption({ label: `${name} (en_US)` });
    await previewed();
    await dialog.getByRole('button', { name: 'Send template' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await receivedPicture(phone)).toBe(true);
  }, 60_000);
});
