import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { openAs, startBrowser, type WatchedPage } from '../support/browser';
import { addressesFor, type BusyAccount, newBusyAccount, openAndWait } from '../support/pages';
import { freshPhone, writeIn } from '../support/simulator';

const MANY = 30;
/** The simulator fails messages to this number as undeliverable. */
const UNDELIVERABLE = '15005550126';
const HEIGHTS = [900, 500];
// Page scripts are strings: these files have no DOM types.
const HAS_INNER_SCROLLING = `document.querySelector('#main > :is(.convo, .editor, .main.split)') !== null`;
const TOO_HIGH = `[document.documentElement, document.querySelector('#main')].map((part) => part.scrollHeight - part.clientHeight)`;
const FOCUSED_LINK = `document.activeElement?.closest('a')?.getAttribute('href') ?? document.activeElement?.tagName`;
const LINKS = `[...document.querySelectorAll('.convo-items a')].map((link) => link.getAttribute('href'))`;
/** Distance by which the end of each number is clipped. */
const ENDS_CUT = `[...document.querySelectorAll('#main table .cut.end')].map((span) => span.querySelector('bdi').getBoundingClientRect().right - span.getBoundingClientRect().right)`;
const REASON_ALIGNMENT = `getComputedStyle(document.querySelector('#main table .reason')).textAlign`;

describe('a long list of conversations', () => {
  let browser: Browser;
  let account: BusyAccount;
  let page: WatchedPage;
  const phones = Array.from({ length: MANY }, freshPhone);
  const [garcia = '', blank = ''] = phones;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newBusyAccount('Many conversations')]);
    const nameOf = (phone: string): string =>
      ({ [garcia]: 'José García', [blank]: ' \u200b ' })[phone] ?? `Customer ${phone.slice(-4)}`;
    for (const phone of phones)
      await writeIn(phone, `Hello from ${phone}`, { name: nameOf(phone), to: account.phoneNumber });
    await eventually(async () =>
      expect((await account.api.listConversations({ limit: 100 })).conversations.length).toBeGreaterThan(MANY),
    );
    page = await openAs(browser, account.owner, '', { locale: 'de-DE' });
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await account.close();
  });

  const items = () => page.locator('.convo-items');
  const composer = () => page.getByLabel(/^Message to /);

  it('scrolls only the lists on pages with inner scrolling', async () => {
    const addresses = await addressesFor(page, account);
    const looked: string[] = [];
    for (const height of HEIGHTS) {
      await page.setViewportSize({ width: 1440, height });
      for (const [route, path] of addresses) {
        await openAndWait(page, path);
        if (!(await page.evaluate<boolean>(HAS_INNER_SCROLLING))) continue;
        looked.push(route);
        expect([route, height, await page.evaluate(TOO_HIGH)]).toEqual([route, height, [0, 0]]);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(looked).toEqual(
      expect.arrayContaining(['/conversations', '/conversations/$phone', '/messages/$messageId', '/jobs/new']),
    );
  }, 200_000);

  it('moves through conversations with j, k and Enter', async () => {
    await openAndWait(page, '/conversations');
    await items().getByRole('link').nth(3).waitFor();
    const [first, second] = await page.evaluate<string[]>(LINKS);
    for (const [key, link] of [
      ['j', first],
      ['j', second],
      ['k', first],
    ] as const) {
      await page.keyboard.press(key);
      expect(await page.evaluate(FOCUSED_LINK)).toBe(link);
    }
    await page.keyboard.press('Enter');
    await composer().waitFor();
    await page.keyboard.press('j');
    expect(await page.evaluate(FOCUSED_LINK)).toBe(second);
  });

  it('has a skip link to the composer', async () => {
    await openAndWait(page, `/conversations/${garcia}`);
    await composer().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to composer' }).press('Enter');
    expect(await page.evaluate(FOCUSED_LINK)).toBe('TEXTAREA');
  });

  it('keeps a draft after a reload and marks it in the list', async () => {
    await openAndWait(page, `/conversations/${garcia}`);
    await composer().fill('Your parcel is');
    await page.reload();
    expect(await composer().inputValue()).toBe('Your parcel is');
    await openAndWait(page, `/conversations/${phones[5] ?? ''}`);
    expect(await composer().inputValue()).toBe('');
    const item = items().getByRole('link', { name: /José García/ });
    await page.getByLabel('Search conversations').fill('garcia');
    await item.getByText('Draft:').waitFor();
    expect(await item.textContent()).toContain('Your parcel is');
    await item.click();
    expect(await composer().inputValue()).toBe('Your parcel is');
    await composer().press('Enter');
    await eventually(async () => expect(await composer().inputValue()).toBe(''));
    await item.getByText('Draft:').waitFor({ state: 'detached' });
    await page.reload();
    expect(await composer().inputValue()).toBe('');
  });

  it('removes drafts at sign-out', async () => {
    await openAndWait(page, `/conversations/${garcia}`);
    await composer().fill('Nobody else may read this');
    const other = await openAs(browser, account.owner, `/conversations/${garcia}`);
    await other.getByLabel(/^Message to /).fill('Nor this');
    await other.keyboard.press('Tab');
    await other.keyboard.press('Control+k');
    await other.keyboard.type('sign out');
    await other.keyboard.press('Enter');
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await other.evaluate('sessionStorage.length')).toBe(0);
    expect(other.problems).toEqual([]);
    await other.context().close();
    await composer().fill('');
  });

  it('finds an accented name typed without accents', async () => {
    await openAndWait(page, '/contacts');
    await page.getByLabel('Search contacts').fill('Jose Garcia');
    await page.getByRole('heading', { name: 'Contacts' }).locator('..').getByText('1', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Contacts' }).getByRole('link', { name: 'José García' }).waitFor();
  });

  it('shows the number of a contact whose name is blank', async () => {
    for (const path of [`/contacts?search=${blank}`, `/conversations?search=${blank}`]) {
      await openAndWait(page, path);
      await page
        .locator('#main')
        .getByRole('link', { name: new RegExp(blank) })
        .first()
        .waitFor();
    }
    await openAndWait(page, `/conversations/${blank}`);
    await page.getByRole('heading', { name: blank }).waitFor();
  });

  it('truncates numbers next to an open panel', async () => {
    const hello = { name: 'hello_world', language: { code: 'en_US' } };
    await account.api.sendMessage({ to: UNDELIVERABLE, type: 'template', template: hello });
    await eventually(async () =>
      expect((await account.api.listMessages({ status: 'failed' })).messages).not.toHaveLength(0),
    );
    await openAndWait(page, '/messages?status=failed');
    await page
      .getByRole('link', { name: new RegExp(UNDELIVERABLE) })
      .first()
      .click();
    await page.getByRole('complementary').getByText('Timeline').waitFor();
    expect(await page.evaluate(REASON_ALIGNMENT)).toBe('start');
    await openAndWait(page, '/messages');
    await page
      .getByRole('link', { name: /José García/ })
      .first()
      .click();
    await page.getByRole('complementary').getByText('Timeline').waitFor();
    const cut = await page.evaluate<number[]>(ENDS_CUT);
    expect(cut.length).toBeGreaterThan(10);
    expect(cut.filter((by) => by > 0.5)).toEqual([]);
  });

  it('formats numbers and times in English in any browser locale', async () => {
    await openAndWait(page, '/jobs/new');
    await page.getByText(/Your plan allows \d{1,3},\d{3} rows/).waitFor();
    await openAndWait(page, `/conversations/${garcia}`);
    await page.getByText(/^Contact since \d{1,2} [A-Z][a-z]{2,3} \d{4}$/).waitFor();
  });
});
