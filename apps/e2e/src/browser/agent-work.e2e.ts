import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type Visitor, type WatchedPage } from '../support/browser';
import { freshPhone, receivedUpstream, writeIn, writeInAny } from '../support/simulator';

const WIDTHS = [390, 1_024, 1_440];
const SCROLLS_SIDEWAYS = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
const FOCUSED = `(document.activeElement.closest('a')?.getAttribute('href') ?? document.activeElement.tagName).split('?')[0]`;
const TABS_HEIGHT = `document.querySelector('.view-tabs').getBoundingClientRect().height`;
const MARKED = `[...(CSS.highlights.get('found') ?? [])].map(String)`;
const NAMES_FROM_LEFT = `[...document.querySelectorAll('.convo-item .strong')].map((name) => getComputedStyle(name).textAlign)`;

describe('the work of an agent', () => {
  let browser: Browser;
  let account: TestAccount;
  let mira: Visitor;
  let page: WatchedPage;
  const names = ['Asha Rao', 'Bo Li', 'مريم حداد'] as const;
  const phones = names.map(freshPhone);
  const [first = '', second = '', third = ''] = phones;

  const row = (name: string, on = page) => on.locator('.convo-items').getByRole('link', { name });
  const button = (name: string | RegExp, on = page) => on.getByRole('button', { name });
  const field = () => page.getByLabel(/^Message to /);
  const focused = () => page.evaluate<string>(FOCUSED);
  const rows = () => page.locator('.convo-items li').count();
  /** Waits until the page shows the conversation, whose field is that of the previous one until then. */
  const opened = async (phone: string) => {
    await page.waitForURL(new RegExp(`/conversations/${phone}\\?`));
    await page.getByLabel(`Message to ${names[phones.indexOf(phone)]}`).waitFor();
  };

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Agent work')]);
    mira = await newUser(account.accountId, 'agent', 'Mira Nair');
    for (const [index, phone] of phones.entries()) {
      await writeIn(phone, `I want a refund, says ${names[index]}`, {
        name: names[index] ?? '',
        to: account.phoneNumber,
      });
      await eventually(async () =>
        expect((await account.api.listMessages({ phone, direction: 'inbound' })).messages).toHaveLength(1),
      );
      // The platform's times are in seconds.
      const written = Math.floor(Date.now() / 1_000);
      await eventually(() => expect(Date.now()).toBeGreaterThanOrEqual((written + 1) * 1_000));
    }
    page = await openAs(browser, mira);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it('starts on the conversations, without the pages of an owner', async () => {
    await page.getByRole('heading', { name: 'Conversations', level: 1 }).waitFor();
    const nav = page.getByRole('navigation', { name: 'Main' });
    expect(await nav.getByRole('link', { name: /^(Team|Audit log)$/ }).count()).toBe(0);
    await nav.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('audit');
    await page.getByRole('option', { name: /Search for/ }).waitFor();
    expect(await page.getByRole('option', { name: 'Audit log' }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('answers, assigns and finishes several conversations by keyboard only', async () => {
    await page.goto(addressOf('/conversations?view=unanswered'));
    await row('Asha Rao').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Reply in the open conversation').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await opened(first);
    await field().waitFor();
    await button('Assign to me').waitFor();
    await page.keyboard.press('a');
    await button('Assign to me').waitFor({ state: 'detached' });
    for (const [phone, next] of [
      [first, second],
      [second, third],
    ] as const) {
      await field().waitFor();
      await page.keyboard.press('r');
      await field().and(page.locator(':focus')).waitFor();
      await page.keyboard.type('We refund it today.');
      await page.keyboard.press('Enter');
      await page.locator('.bubble.out', { hasText: 'We refund it today.' }).waitFor();
      await eventually(async () => expect(await field().inputValue()).toBe(''));
      await button('Mark as done').waitFor();
      await page.keyboard.press('Escape');
      // The answered conversation may have left the view, and then no row is open.
      expect(await focused()).not.toBe('TEXTAREA');
      await page.keyboard.press('e');
      await opened(next);
      await eventually(async () => expect(await focused()).toMatch(new RegExp(`/${next}$`)));
      expect(await receivedUpstream(phone)).toHaveLength(1);
    }
    await page.keyboard.press('n');
    await page.getByLabel(/note/i).and(page.locator('textarea:focus')).waitFor();
    await page.keyboard.type('Asks again tomorrow');
    await page.keyboard.press('Escape');
    await eventually(async () => expect(await focused()).toMatch(new RegExp(`/${third}$`)));
    await page.keyboard.press('r');
    await field().and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await button('Mark as done').waitFor();
    await page.keyboard.press('e');
    await page.waitForURL(/\/conversations\?view=unanswered$/);
    await page.getByText('Nobody is waiting for an answer.').waitFor();
  });

  it('lists who sent the last message, and conversations of a colleague', async () => {
    await page.goto(addressOf('/conversations'));
    await row('Asha Rao').getByText('You: We refund it today.').waitFor();
    await row('Asha Rao').getByText('Assigned to you').waitFor();
    const owner = await openAs(browser, await newUser(account.accountId, 'owner', 'Demo Owner'), '/conversations');
    await row('Asha Rao', owner).getByText('Mira Nair: We refund it today.').waitFor();
    await row('Asha Rao', owner).getByText('Assigned to Mira Nair').waitFor();
    await button('Filter', owner).click();
    await owner.getByRole('group', { name: 'Filters' }).getByLabel('Assigned to').selectOption('Mira Nair');
    await eventually(async () => expect(await owner.locator('.convo-items li').count()).toBe(1));
    await button('Filter (1)', owner).waitFor();
    expect(await layoutViolations(owner)).toEqual([]);
    await button('Clear filters', owner).click();
    await eventually(async () => expect(await owner.locator('.convo-items li').count()).toBe(3));
    expect(owner.problems).toEqual([]);
    await owner.context().close();
  });

  it('shows what nobody has taken', async () => {
    await writeIn(second, 'Hello again', { name: 'Bo Li', to: account.phoneNumber });
    const views = page.getByRole('navigation', { name: 'Views' });
    await views.getByRole('link', { name: 'Unassigned' }).click();
    await eventually(async () => expect(await rows()).toBe(1));
    await row('Bo Li').waitFor();
    expect(await views.getByRole('link', { name: 'Unassigned' }).textContent()).toBe('Unassigned1');
    await button(/more views/).click();
    await views.getByRole('link', { name: 'Done' }).click();
    await page.waitForURL(/view=done/);
    await button(/^Done/).waitFor();
    await eventually(async () => expect(await rows()).toBe(2));
  });

  it('keeps a customer unanswered after a reaction', async () => {
    await page.goto(addressOf(`/conversations/${second}?view=unanswered`));
    const reply = page.locator('.said', { hasText: 'Hello again' });
    await reply.hover();
    await reply.getByRole('button', { name: /^React to/ }).click();
    await button('👍').click();
    await row('Bo Li').getByText('You: 👍').waitFor();
    await row('Bo Li')
      .getByText(/^Waiting/)
      .waitFor();
    await row('Bo Li')
      .getByText(/\d unread/)
      .waitFor();
    await page.getByRole('complementary', { name: 'Contact' }).getByText('Recent deliveries').waitFor();
    expect(await page.getByRole('complementary', { name: 'Contact' }).locator('section li').count()).toBe(1);
  });

  it('names media, and warns before a window closes', async () => {
    await writeInAny({
      from: third,
      to: account.phoneNumber,
      name: names[2],
      type: 'location',
      location: { latitude: 12.97, longitude: 77.59 },
    });
    await row(names[2]).getByText('Location', { exact: true }).waitFor();
    expect(new Set(await page.evaluate<string[]>(NAMES_FROM_LEFT))).toEqual(new Set(['left']));
    expect(await row('Bo Li').getByText('Templates only').count()).toBe(0);
    const later = await openAs(browser, mira, '/conversations');
    await later.clock.setFixedTime(Date.now() + 23.5 * 3_600_000);
    await later.reload();
    await row('Bo Li', later)
      .getByText(/^Closes in (2\d|30) min$/)
      .waitFor();
    await later.clock.setFixedTime(Date.now() + 25 * 3_600_000);
    await later.reload();
    await row('Bo Li', later).getByText('Templates only').waitFor();
    expect(later.problems).toEqual([]);
    await later.context().close();
  });

  it('opens an exact contact by Enter, and a found text at its message', async () => {
    await page.goto(addressOf('/saved-replies'));
    for (const typed of ['Asha', `+${first}`]) {
      await page.getByRole('heading', { name: 'Saved replies', level: 1 }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill(typed);
      // The results have not arrived yet.
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/conversations/${first}$`));
      await page.getByRole('heading', { name: 'Asha Rao' }).waitFor();
      await page.goto(addressOf('/saved-replies'));
    }
    // More messages than a page of the thread.
    for (let count = 0; count < 60; count += 1)
      await account.api.sendMessage({ to: first, type: 'text', text: { body: `Update ${count}` } });
    await page.goto(addressOf('/conversations?search=REFUND'));
    await page.getByRole('link', { name: /Search message texts for/ }).click();
    await page.waitForURL(/\/search\?q=REFUND&texts=true$/);
    const found = page.getByRole('region', { name: 'Message texts' }).getByRole('row');
    await found.filter({ hasText: 'says Asha Rao' }).getByRole('link').press('Enter');
    await page.waitForURL(new RegExp(`/conversations/${first}\\?at=msg_`));
    const bubble = page.locator('.bubble.is-found', { hasText: 'I want a refund, says Asha Rao' });
    await bubble.waitFor();
    await eventually(async () => expect(await page.evaluate(MARKED)).toEqual(['refund']));
    const box = await bubble.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(900);
  }, 120_000);

  it('is accessible, with one row of tabs at any width', async () => {
    for (const path of ['/conversations?view=unanswered', `/conversations/${third}?view=all`]) {
      await page.goto(addressOf(path));
      await page.locator('.convo-items li').first().waitFor({ state: 'attached' });
      expect([path, await layoutViolations(page)]).toEqual([path, []]);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        expect([path, width, await page.evaluate<boolean>(SCROLLS_SIDEWAYS)]).toEqual([path, width, false]);
        expect(await page.evaluate<number>(TABS_HEIGHT)).toBeLessThan(50);
      }
      await page.setViewportSize({ width: 1_440, height: 900 });
    }
    await button('Filter').click();
    await button(/more views/).click();
    expect(await layoutViolations(page)).toEqual([]);
  });
});
