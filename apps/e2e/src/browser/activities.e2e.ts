import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { freshPhone, writeIn } from '../support/simulator';

describe('activities in a conversation', () => {
  let browser: Browser;
  let account: TestAccount;
  let asha: WatchedPage;
  let mira: WatchedPage;
  const phone = freshPhone();

  const write = (text: string) => writeIn(phone, text, { name: 'Carlos Obi', to: account.phoneNumber });
  const button = (on: WatchedPage, name: string) => on.getByRole('button', { name, exact: true });
  const assignee = (on: WatchedPage) =>
    on.getByRole('group', { name: 'Conversation actions' }).getByLabel('Assigned to');
  const expectAssignee = (on: WatchedPage, name: string) =>
    eventually(async () => expect(await assignee(on).locator('option:checked').textContent()).toBe(name));
  const lines = (on: WatchedPage) => on.locator('.activity');
  const texts = async (on: WatchedPage) =>
    (await lines(on).allTextContents()).map((text) => text.replace(/\s+\d\d:\d\d$/, ''));
  const expectTexts = (on: WatchedPage, expected: string[]) =>
    eventually(async () => expect(await texts(on)).toEqual(expected));

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Activities')]);
    const users = [
      await newUser(account.accountId, 'agent', 'Asha Rao'),
      await newUser(account.accountId, 'agent', 'Mira Sen'),
    ] as const;
    await write('Where is my parcel?');
    await eventually(async () =>
      expect((await account.api.listMessages({ phone, direction: 'inbound' })).messages).toHaveLength(1),
    );
    asha = await openAs(browser, users[0], `/conversations/${phone}`);
    mira = await openAs(browser, users[1], `/conversations/${phone}`);
  }, 300_000);
  afterEach(() => expect([...asha.problems.splice(0), ...mira.problems.splice(0)]).toEqual([]));
  afterAll(() => browser.close());

  it('asks before an agent takes over what a colleague has just taken', async () => {
    // Mira's request arrives after that of Asha, but names the assignment that Mira saw.
    let release = (): void => undefined;
    const taken = new Promise<void>((resolve) => (release = resolve));
    await mira.route('**/console/v1/contacts/*/conversation', (route) => taken.then(() => route.continue()), {
      times: 1,
    });
    await button(mira, 'Assign to me').click();
    await button(asha, 'Assign to me').click();
    await expectTexts(asha, ['You took this conversation']);
    release();
    const dialog = mira.getByRole('dialog', { name: 'Take over this conversation?' });
    await dialog.getByText(/^Asha Rao took this conversation \d+ s ago\.$/).waitFor();
    expect(await layoutViolations(mira)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expectTexts(mira, ['Asha Rao took this conversation']);
    // The page now shows who has it, so that the next click needs no question.
    await expectAssignee(mira, 'Asha Rao');
    await button(mira, 'Assign to me').click();
    await expectTexts(mira, ['Asha Rao took this conversation', 'You took this conversation']);
    await expectTexts(asha, ['You took this conversation', 'Mira Sen took this conversation']);
  });

  it('shows both agents who closed and reopened a conversation', async () => {
    await button(mira, 'Mark as done').click();
    await lines(asha).filter({ hasText: 'Mira Sen marked this conversation as done' }).waitFor();
    await write('It arrived, thanks');
    await lines(asha).filter({ hasText: 'Reopened by a new message' }).waitFor();
    await expectAssignee(asha, 'Mira Sen');
    await assignee(asha).selectOption('');
    await lines(mira).filter({ hasText: 'Asha Rao unassigned you' }).waitFor();
    await assignee(asha).selectOption({ label: 'Mira Sen' });
    await lines(mira).filter({ hasText: 'Asha Rao assigned this conversation to you' }).waitFor();
    // The thread is in the order of time.
    const shown = await mira.locator('.thread-in').innerText();
    const order = ['Where is my parcel?', 'You took', 'marked this', 'Reopened', 'It arrived', 'assigned this'];
    expect(order.map((text) => shown.indexOf(text)).filter((place) => place < 0)).toEqual([]);
    expect(await layoutViolations(mira)).toEqual([]);
  });
});
