import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { addressesFor, type BusyAccount, newBusyAccount, openAndWait } from '../support/pages';

/** A browser in another language and time zone than the account. */
const FOREIGN = { locale: 'de-DE', timezoneId: 'Asia/Kolkata' };
/** Names of days and months that differ from the English ones, and dates in German order. */
const GERMAN = new RegExp(
  `\\b(?:${[...namesIn('de')].filter((name) => !namesIn('en').has(name)).join('|')})\\b|\\b\\d{1,2}\\.\\d{1,2}\\.\\d{2,4}\\b`,
);
// Page scripts are strings: these files have no DOM types.
const NATIVE = `[...document.querySelectorAll('input:not([aria-hidden])')].filter(({ type }) => /^(date|time|month|week|number)/.test(type)).map(({ outerHTML }) => outerHTML)`;

const LOOK_AGAIN = `dispatchEvent(new StorageEvent('storage', { key: 'switchboard.signed-in' }))`;

describe('language and time zone of the dashboard', () => {
  let browser: Browser;
  let account: BusyAccount;
  let page: WatchedPage;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newBusyAccount('Time zone')]);
    page = await openAs(browser, account.owner, '', FOREIGN);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await account.close();
  });

  const go = (path: string) => page.goto(addressOf(path));

  it('are English and those of the browser at first', async () => {
    await go('/settings');
    await page.getByText('Your browser’s time zone is Asia/').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
  });

  it('stay English on every page in a German browser', async () => {
    const found: string[] = [];
    for (const [route, address] of await addressesFor(page, account)) {
      await openAndWait(page, address);
      const [german] = GERMAN.exec(await page.evaluate<string>('document.body.innerText')) ?? [];
      if (german) found.push(`${route}: ${german}`);
      found.push(...(await page.evaluate<string[]>(NATIVE)).map((field) => `${route}: ${field}`));
    }
    expect(found).toEqual([]);
  }, 240_000);

  it('use the time zone of the account for all users once it is set', async () => {
    const colleague = await openAs(browser, await newUser(account.accountId, 'viewer'), '/messages', FOREIGN);
    const time = colleague.locator('time:visible').first();
    const inZone = (timeZone: string, at: string): string =>
      new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone }).format(new Date(at));
    const tipIn = async (timeZone: string): Promise<string> => {
      const at = (await time.getAttribute('datetime')) ?? '';
      return `${inZone(timeZone, at)} · ${inZone('UTC', at)} UTC`;
    };
    await time.waitFor();
    expect(await time.getAttribute('data-tip')).toBe(await tipIn('Asia/Kolkata'));
    await go('/settings');
    await page.getByLabel('Time zone', { exact: true }).selectOption('America/New_York');
    await page.getByRole('button', { name: 'Save time zone' }).click();
    await page.getByText('Saved. Applies to all users of the account.').waitFor();
    await page.getByText('Your browser’s time zone is').waitFor({ state: 'hidden' });
    // The open page of the colleague checks the session every minute, and when another tab signs in.
    await colleague.evaluate(LOOK_AGAIN);
    await eventually(async () => expect(await time.getAttribute('data-tip')).toBe(await tipIn('America/New_York')));
    await colleague.goto(addressOf('/settings'));
    const save = colleague.getByRole('button', { name: 'Save time zone' });
    await save.waitFor();
    expect(await save.getAttribute('aria-disabled')).toBe('true');
    expect(await colleague.getByLabel('Time zone', { exact: true }).isDisabled()).toBe(true);
    await colleague.context().close();
  });

  it('read and show scheduled starts in the time zone of the account', async () => {
    await go('/jobs/new');
    const field = page.getByLabel(/^Scheduled start/);
    await field.fill('28.12.2030 09:00');
    await field.blur();
    await page.getByText('Enter a valid date and time as YYYY-MM-DD hh:mm').first().waitFor();
    expect(await field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('2030-12-28 09:00');
    await page.getByText('28 Dec 2030, 09:00:00 · 28 Dec 2030, 14:00:00 UTC').waitFor();
    expect(await field.getAttribute('aria-invalid')).toBeNull();
    // The picker of the browser is no part of the page, so the test sets its value.
    await page.getByRole('button', { name: 'Open calendar' }).click();
    await page.locator('input[type="datetime-local"]').fill('2030-12-29T10:30');
    expect(await field.inputValue()).toBe('2030-12-29 10:30');
    expect(await page.locator('*:focus').getAttribute('id')).toBe(await field.getAttribute('id'));
  });

  it('report an invalid start on Enter and keep the focus in the field', async () => {
    await go('/jobs/new');
    const field = page.getByLabel(/^Scheduled start/);
    await field.fill('2030-02-30 09:00');
    await field.press('Enter');
    await eventually(async () => expect(await field.getAttribute('aria-invalid')).toBe('true'));
    expect(await page.locator('*:focus').getAttribute('id')).toBe(await field.getAttribute('id'));
  });

  it('filter by days of the time zone of the account', async () => {
    const asked = page.waitForRequest(
      (request) => request.url().includes('/console/v1/credits?') && request.url().includes('since='),
    );
    await go('/usage?since=2026-07-01');
    expect(new URL((await asked).url()).searchParams.get('since')).toBe('2026-07-01T04:00:00.000Z');
  });

  it('report an invalid day of a filter', async () => {
    await go('/usage');
    const from = page.getByLabel('From', { exact: true });
    await from.fill('01.07.2026');
    await from.press('Enter');
    await page.getByText('Enter a valid date as YYYY-MM-DD').waitFor();
    expect(await from.getAttribute('aria-invalid')).toBe('true');
    await from.fill('2026-07-01');
    await from.press('Enter');
    await page.waitForURL(/since=2026-07-01/);
    await page.getByText('Enter a valid date as YYYY-MM-DD').waitFor({ state: 'hidden' });
  });

  it('show the time in UTC on focus', async () => {
    await go('/messages');
    const time = page.locator('time:visible').first();
    await time.focus();
    await page.getByRole('tooltip').getByText(/ UTC$/).waitFor();
  });

  it('use the time zone of each browser again once it is reset', async () => {
    await go('/settings');
    await page.getByLabel('Time zone', { exact: true }).selectOption('');
    await page.getByRole('button', { name: 'Save time zone' }).click();
    await page.getByText('Saved. Applies to all users of the account.').waitFor();
    await go('/jobs/new');
    await page.getByText(/time zone Asia\//).waitFor();
  });
});

function namesIn(locale: string): Set<string> {
  const days = Array.from({ length: 12 }, (_, index) => new Date(Date.UTC(2026, 0, index * 32 + 1)));
  return new Set(
    (['weekday', 'month'] as const).flatMap((part) =>
      days.map((day) => new Intl.DateTimeFormat(locale, { [part]: 'long', timeZone: 'UTC' }).format(day)),
    ),
  );
}
