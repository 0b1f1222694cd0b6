import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type Visitor, type WatchedPage } from '../support/browser';
import { control, freshPhone, writeIn } from '../support/simulator';

const WIDTHS = [390, 1_024, 1_440];
const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
const ITEMS = `[...document.querySelectorAll('.convo-items a')].map((link) => decodeURIComponent(link.getAttribute('href').split('?')[0].split('/').at(-1)))`;

describe('conversation queue', () => {
  let browser: Browser;
  let account: TestAccount;
  let agent: Visitor;
  let page: WatchedPage;
  const [first = '', second = '', third = ''] = Array.from({ length: 3 }, freshPhone);
  const nameOf = new Map([
    [first, 'Asha Rao'],
    [second, 'Bo Li'],
    [third, 'Carlos Obi'],
  ]);

  const write = (phone: string, text: string) =>
    writeIn(phone, text, { name: nameOf.get(phone) ?? '', to: account.phoneNumber });
  const items = (on = page) => on.evaluate<string[]>(ITEMS);
  const tab = (name: string, on = page) => on.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
  const openMore = () => page.getByRole('button', { name: /more views/ }).click();
  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
  const countOf = async (name: string): Promise<number> => Number((await tab(name).textContent())?.match(/\d+/)?.[0]);
  const expectItems = (phones: string[], on = page) => eventually(async () => expect(await items(on)).toEqual(phones));

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Queue')]);
    agent = await newUser(account.accountId, 'agent');
    for (const phone of [first, second, third]) {
      await write(phone, `Hello from ${nameOf.get(phone)}`);
      await eventually(async () =>
        expect((await account.api.listMessages({ phone, direction: 'inbound' })).messages).toHaveLength(1),
      );
      // The platform's times are in seconds.
      const written = Math.floor(Date.now() / 1_000);
      await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual((written + 1) * 1_000));
    }
    page = await openAs(browser, agent, '/conversations');
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it('sorts unanswered conversations by waiting time and has an address for each view', async () => {
    await expectItems([third, second, first]);
    await tab('Unanswered').click();
    await expectItems([first, second, third]);
    await page.waitForURL(/view=unanswered/);
    await page.reload();
    await expectItems([first, second, third]);
    expect(await page.locator('.view-tabs [aria-current]').allTextContents()).toEqual(['Unanswered3']);
    await openMore();
    expect([await countOf('Unread'), await countOf('Unanswered'), await countOf('Mine')]).toEqual([3, 3, 0]);
  });

  it('assigns a conversation to me and to a colleague', async () => {
    await newUser(account.accountId, 'admin', 'Mira');
    await page.goto(addressOf(`/conversations/${first}?view=mine`));
    await button('Assign to me').press('Enter');
    await expectItems([first]);
    await page.locator('.queue-line', { hasText: 'Assigned to you' }).waitFor();
    await button('Assign to me').waitFor({ state: 'detached' });
    // The focus stays beside the button that disappeared.
    await page.keyboard.press('Tab');
    await page.getByLabel('Assigned to').and(page.locator(':focus')).waitFor();
    const select = page.getByLabel('Assigned to');
    await select.selectOption({ label: 'Mira' });
    await expectItems([]);
    await select.selectOption('');
    await button('Assign to me').waitFor();
  });

  it('reopens a conversation that is done when the customer writes', async () => {
    await page.goto(addressOf(`/conversations/${second}?view=unanswered`));
    await button('Mark as done').click();
    await expectItems([first, third]);
    await page.waitForURL(new RegExp(`/conversations/${third}`));
    await openMore();
    await tab('Done').click();
    await expectItems([second]);
    await page.locator('.convo-items a').click();
    await button('Reopen').waitFor();
    await write(second, 'One more thing');
    await expectItems([]);
    await button('Mark as done').waitFor();
    await tab('Unanswered').click();
    await expectItems([first, third, second]);
  });

  it('marks messages as seen without a read receipt', async () => {
    await page.goto(addressOf(`/conversations/${third}?view=unread`));
    await button('Mark as seen').click();
    await button('Mark as seen').waitFor({ state: 'detached' });
    await button('Send read receipt').waitFor();
    await eventually(async () => expect(await items()).not.toContain(third));
    const { messages } = await control<{ messages: { readAt?: string }[] }>('GET', `/conversations/${third}`);
    expect(messages.filter(({ readAt }) => readAt !== undefined)).toEqual([]);
    await tab('Unanswered').click();
    await eventually(async () => expect(await items()).toContain(third));
  });

  it('lets an agent answer but not change templates or download lists', async () => {
    await page.goto(addressOf(`/conversations/${third}`));
    await page.getByLabel(/^Message to /).fill('On its way');
    await page.getByLabel(/^Message to /).press('Enter');
    await page.locator('.bubble.out', { hasText: 'On its way' }).waitFor();
    await page.goto(addressOf('/contacts'));
    expect(await button('Export').getAttribute('aria-disabled')).toBe('true');
  });

  it('shows two agents to each other, and who is typing until the message is sent', async () => {
    const other = await openAs(
      browser,
      await newUser(account.accountId, 'agent', 'Mira Sen'),
      `/conversations/${first}`,
    );
    await page.goto(addressOf(`/conversations/${first}`));
    const shown = (on: WatchedPage) => on.locator('.colleagues');
    await shown(page).getByText('Mira Sen has this conversation open').waitFor();
    await shown(other).getByText('Asha has this conversation open').waitFor();
    await page.getByLabel(/^Message to /).fill('Your parcel');
    await shown(other).getByText('Asha is typing').waitFor();
    await shown(other).getByText('Asha has this conversation open').waitFor();
    await page.getByLabel(/^Message to /).fill('Your parcel is here');
    await shown(other).getByText('Asha is typing').waitFor();
    // Without the time, only the sent message can end the notice.
    await other.clock.install();
    await other.clock.pauseAt(Date.now() + 100);
    await page.getByLabel(/^Message to /).press('Enter');
    await shown(other).getByText('Asha has this conversation open').waitFor();
    await other.context().close();
  });

  it('is read-only for viewers', async () => {
    const viewer = await openAs(browser, await newUser(account.accountId, 'viewer'), `/conversations/${first}`);
    expect(await button('Mark as done', viewer).getAttribute('aria-disabled')).toBe('true');
    expect(await viewer.getByLabel('Assigned to').count()).toBe(0);
    expect(viewer.problems).toEqual([]);
    await viewer.context().close();
  });

  it('is accessible and does not scroll sideways at any width', async () => {
    for (const path of ['/conversations?view=unanswered', `/conversations/${first}?view=unanswered`]) {
      await page.goto(addressOf(path));
      await page.locator('h1').first().waitFor();
      expect([path, await layoutViolations(page)]).toEqual([path, []]);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect([path, width, await page.evaluate<boolean>(SCROLLS_SIDEWAYS)]).toEqual([path, width, false]);
      }
    }
  });
});
