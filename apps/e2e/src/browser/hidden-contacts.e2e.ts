import { eventually } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser } from '../support/browser';
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

  it('show the portfolio ID, by which the contact is found', async () => {
    const hidden = freshPhone();
    const { userId, parentUserId } = await control<{ userId: string; parentUserId: string }>('POST', '/people', {
      phone: hidden,
      name: 'Shared Person',
      hidePhone: true,
      parentUserId: true,
    });
    await writeIn(hidden, 'Hello from a portfolio', { to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.searchContacts({ q: parentUserId })).contacts).toHaveLength(1),
    );
    await page.goto(addressOf('/contacts'));
    await page.getByLabel('Search contacts').fill(parentUserId);
    await page.waitForURL(/search=/);
    const contacts = page.getByRole('table', { name: 'Contacts' });
    await eventually(async () => expect(await contacts.locator('tbody tr').count()).toBe(1));
    await contacts.getByRole('link', { name: 'Shared Person' }).click();
    const panel = page.getByRole('complementary', { name: 'Shared Person' });
    const factOf = (label: string) => panel.locator(`dt:text-is("${label}") + dd`).textContent();
    await panel.getByText('Portfolio ID', { exact: true }).waitFor();
    expect([await factOf('Platform ID'), await factOf('Portfolio ID')]).toEqual([userId, parentUserId]);
    expect(await layoutViolations(page)).toEqual([]);
    await page.goto(addressOf('/conversations'));
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByRole('dialog').getByLabel('Phone number').fill(parentUserId);
    await page.getByRole('dialog').getByRole('button', { name: 'Open' }).click();
    await page.getByRole('log', { name: 'Messages' }).getByText('Hello from a portfolio').waitFor();
  });
});
