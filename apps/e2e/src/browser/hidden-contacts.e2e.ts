import { eventually } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, openAs, startBrowser } from '../support/browser';
import { control, freshPhone, writeIn } from '../support/simulator';

describe('pages of a contact with a hidden number', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: Page & { problems: string[] };

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Hidden contacts')]);
    page = await openAs(browser, await newUser(account.accountId));
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it('start a conversation, and block and unblock by user id', async () => {
    const hidden = freshPhone();
    const { userId } = await control<{ userId: string }>('POST', '/people', {
      phone: hidden,
      name: 'Hidden Person',
      hidePhone: true,
    });
    await writeIn(hidden, 'Hello from nobody', { to: account.phoneNumber });
    await eventually(async () => expect((await account.api.searchContacts({ q: userId })).contacts).toHaveLength(1));
    await page.goto(addressOf('/conversations'));
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('dialog').getByLabel('Phone number').fill(` ${userId} `);
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
    await page.getByRole('log', { name: 'Messages' }).getByText('Hello from nobody').waitFor();
    const side = page.getByRole('complementary', { name: 'Contact' });
    await side.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
    await page.locator('.convo-head').getByText('Blocked', { exact: true }).waitFor();
    await page.goto(addressOf('/contacts/blocked'));
    const row = page.getByRole('row', { name: /Hidden Person/ });
    await row.getByText(userId).waitFor();
    await row.getByRole('button', { name: /^Unblock/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock', exact: true }).click();
    await row.waitFor({ state: 'detached' });
  });
});
