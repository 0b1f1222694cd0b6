import { eventually } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, openAs, startBrowser } from '../support/browser';
import { control, freshPhone, writeIn, writeInAny } from '../support/simulator';

describe('message and conversation pages', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: Page & { problems: string[] };

  const go = (path: string) => page.goto(addressOf(path));
  const customerWrites = (text: string, from: string, name: string) =>
    writeIn(from, text, { name, to: account.phoneNumber });
  const arrived = (from: string, text: string) =>
    eventually(async () =>
      expect(JSON.stringify((await account.api.listMessages({ phone: from })).messages)).toContain(text),
    );
  const thread = () => page.getByRole('log', { name: 'Messages' });

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('People')]);
    page = await openAs(browser, await newUser(account.accountId));
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it('show edits, deletions, calls, changed numbers and group messages', async () => {
    const [from, next, groupId] = [freshPhone(), freshPhone(), `Group.${freshPhone()}`];
    const act = (message: { type: string; [field: string]: unknown }) =>
      writeInAny({ from, to: account.phoneNumber, name: 'Bo Li', ...message });
    const [changed, deleted] = [
      await customerWrites('Two chiars', from, 'Bo Li'),
      await customerWrites('Oops', from, 'Bo Li'),
    ];
    await Promise.all([arrived(from, 'Two chiars'), arrived(from, 'Oops')]);
    await go(`/conversations/${from}`);
    await thread().getByText('Two chiars').waitFor();
    const message = { type: 'text', text: { body: 'Two chairs' } };
    await act({ type: 'edit', edit: { original_message_id: changed, message } });
    const edited = thread().locator('.bubble', { hasText: 'Two chairs' });
    await edited.getByText('edited', { exact: true }).waitFor();
    expect(await thread().getByText('Two chiars').count()).toBe(0);
    await act({ type: 'revoke', revoke: { original_message_id: deleted } });
    await thread().getByText('This message was deleted').waitFor();
    expect(await thread().getByText('Oops').count()).toBe(0);
    // Deleted messages offer no reply.
    expect(
      await thread()
        .getByRole('button', { name: /^Reply to: / })
        .count(),
    ).toBe(1);
    await page.locator('.convo-item', { hasText: 'Bo Li' }).getByText('Deleted message').waitFor();
    await control('POST', '/calls', { from, to: account.phoneNumber, name: 'Bo Li' });
    await thread().getByText('The customer called').waitFor();

    await act({ type: 'text', text: { body: 'Hello all' }, groupId });
    await eventually(async () =>
      expect(JSON.stringify((await account.api.listMessages({ type: 'text' })).messages)).toContain(groupId),
    );
    await go(`/messages?groupId=${groupId}`);
    await page.getByRole('cell', { name: 'Hello all' }).waitFor();
    await page.getByText('Group', { exact: false }).first().waitFor();
    await page.getByRole('link', { name: from }).click();
    const panel = page.getByRole('complementary', { name: 'Received message' });
    await panel.getByRole('link', { name: groupId }).waitFor();
    expect(await panel.getByRole('link', { name: 'Open conversation' }).count()).toBe(0);

    await act({ type: 'system', system: { type: 'user_changed_number', wa_id: next, body: 'changed' } });
    await eventually(async () => expect((await account.api.searchContacts({ q: next })).contacts.length).toBe(1));
    await go(`/conversations/${next}`);
    await thread().getByText(`New number: ${next} (previously ${from})`).waitFor();
    await thread().getByText('Two chairs').waitFor();
    expect(await thread().getByText('Hello all').count()).toBe(0);
  });

  it('show messages and history from the WhatsApp Business app', async () => {
    const to = freshPhone();
    await customerWrites('Are you open?', to, 'Cy Wu');
    await arrived(to, 'Are you open?');
    const from = account.phoneNumber;
    await control('POST', '/echoes', { from, to, text: { body: 'Until six' } });
    await go(`/conversations/${to}`);
    const echo = thread().locator('.bubble', { hasText: 'Until six' });
    await echo.getByText('Sent from the WhatsApp Business app').waitFor();
    await control('POST', '/app-contacts', { from, contacts: [{ phone: to, name: 'Cy (corner shop)' }] });
    const messages = [{ by: 'business', text: { body: 'A month ago' }, ageDays: 30 }];
    await control('POST', '/history', { from, phase: 0, progress: 55, threads: [{ customer: to, messages }] });
    await arrived(to, 'A month ago');
    await go(`/conversations/${to}`);
    await thread().getByText('A month ago').waitFor();
    await page.locator('.convo-item', { hasText: 'Cy (corner shop)' }).waitFor();
    /** Waits for a text in the number's panel, which refreshes automatically, but not soon. */
    const told = (text: string) =>
      eventually(async () => {
        await go('/numbers');
        await page
          .getByRole('table', { name: 'Numbers' })
          .getByRole('link', { name: `+${from}` })
          .click();
        await page.getByText('App history').waitFor({ timeout: 2_000 });
        expect(await page.getByText(text).count()).toBe(1);
      });
    await told('55% imported (phase 0 of 0 to 2)');
    await control('POST', '/history', { from, declined: true });
    await told('Not shared by the business');
  }, 240_000);

  it('find a contact by username', async () => {
    const from = freshPhone();
    const username = `asha_${from}`;
    const text = { body: 'I have a user name' };
    await writeInAny({ from, to: account.phoneNumber, name: 'Asha R', username, type: 'text', text });
    await arrived(from, text.body);
    await go('/contacts');
    await page.getByPlaceholder('Name, @username or number').fill(`@${username}`);
    await page.waitForURL(/search=/);
    await eventually(async () =>
      expect(await page.getByRole('table', { name: 'Contacts' }).getByRole('row').allTextContents()).toEqual([
        expect.any(String),
        expect.stringContaining(from),
      ]),
    );
  });
});
