import { mkdir } from 'node:fs/promises';
import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { addressOf, layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { freshPhone, writeIn } from '../support/simulator';

const SCREENSHOTS = process.env['LABEL_SCREENSHOTS'];
const ITEMS = `[...document.querySelectorAll('.convo-items a')].map((link) => decodeURIComponent(link.getAttribute('href').split('?')[0].split('/').at(-1)))`;

describe('labels', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  const [first = '', second = ''] = Array.from({ length: 2 }, freshPhone);

  const labels = (on = page) => on.getByRole('group', { name: 'Labels' });
  const picker = (on = page) => on.getByRole('combobox', { name: /^Search/ });
  const chip = (name: string, on = page) => labels(on).locator(':scope > .label-chip', { hasText: name });
  const items = () => page.evaluate<string[]>(ITEMS);
  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true });
  const options = (on = page) => on.getByRole('dialog', { name: 'Change labels' }).getByRole('option');
  const option = (name: string, on = page) => options(on).filter({ hasText: name });

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Labels')]);
    for (const [phone, name] of [
      [first, 'Asha Rao'],
      [second, 'Bo Li'],
    ] as const) {
      await writeIn(phone, `Hello from ${name}`, { name, to: account.phoneNumber });
      await eventually(async () =>
        expect((await account.api.listMessages({ phone, direction: 'inbound' })).messages).toHaveLength(1),
      );
    }
    const admin = await newUser(account.accountId, 'admin');
    page = await openAs(browser, admin, `/conversations/${first}`);
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  /** Saves pictures for review if a folder is named. */
  async function picture(name: string): Promise<void> {
    if (!SCREENSHOTS) return;
    for (const width of [390, 1_440])
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${colorScheme}.png` });
      }
  }

  it('creates, adds and removes labels by keyboard', async () => {
    await button('Add label').press('Enter');
    for (const name of ['VIP', 'New order']) {
      await picker().pressSequentially(name);
      await option(`Create “${name}”`).waitFor();
      await page.keyboard.press('Enter');
      await chip(name).waitFor();
    }
    await picker().fill('v');
    await eventually(async () => expect(await options().count()).toBe(2));
    await picker().fill('');
    await option('VIP').waitFor();
    await picture('picker');
    await picker().press('ArrowDown');
    expect(await option('VIP').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Enter');
    await chip('VIP').waitFor({ state: 'detached' });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await chip('VIP').waitFor();
    await page.keyboard.press('Escape');
    await picker().waitFor({ state: 'detached' });
    await button('Labels').and(page.locator(':focus')).waitFor();
  });

  it('shows a change to another agent without a reload', async () => {
    const agent = await openAs(browser, await newUser(account.accountId, 'agent'), `/conversations/${first}`);
    await chip('VIP', agent).waitFor();
    await button('Labels').click();
    await option('New order').click();
    await chip('New order').waitFor({ state: 'detached' });
    await chip('New order', agent).waitFor({ state: 'detached', timeout: 5_000 });
    await page.keyboard.press('Escape');
    await button('Labels', agent).click();
    await picker(agent).fill('Late');
    await agent.getByText('There is no label “Late”. Ask an admin to create it.').waitFor();
    expect(await option('Create “Late”', agent).count()).toBe(0);
    await agent.keyboard.press('Enter');
    await picker(agent).fill('');
    await option('New order', agent).click();
    await chip('New order').waitFor({ timeout: 5_000 });
    expect(await option('Late', agent).count()).toBe(0);
    expect(agent.problems).toEqual([]);
    await agent.context().close();
  });

  it('filters conversations and contacts, in the address', async () => {
    await page.goto(addressOf('/conversations'));
    await eventually(async () => expect(await items()).toHaveLength(2));
    await button('Filter').click();
    await page.getByLabel('Label', { exact: true }).selectOption('VIP');
    await eventually(async () => expect(await items()).toEqual([first]));
    await page.waitForURL(/label=VIP/);
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Mine' }).click();
    await eventually(async () => expect(await items()).toEqual([]));
    await page.goBack();
    await eventually(async () => expect(await items()).toEqual([first]));
    await page.reload();
    await eventually(async () => expect(await items()).toEqual([first]));
    await page.goto(addressOf('/contacts?label=VIP'));
    await page.getByRole('link', { name: 'Asha Rao' }).waitFor();
    expect(await page.getByRole('link', { name: 'Bo Li' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Asha Rao' }).click();
    await chip('VIP').waitFor();
    await button('Labels').click();
    await option('New order').waitFor();
    await page.keyboard.press('Escape');
    await picker().waitFor({ state: 'detached' });
    await chip('VIP').waitFor();
    await picture('contact');
  });

  it('renames, recolours and deletes labels in the settings', async () => {
    await page.goto(addressOf('/settings'));
    await button('Actions for VIP').click();
    await page.getByRole('menuitem', { name: 'Edit' }).click();
    await page.getByLabel('Name', { exact: true }).fill('new ORDER');
    await button('Save label').click();
    await page
      .getByText(/another label has this name/i)
      .first()
      .waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Key customer');
    await page.getByRole('dialog').getByLabel('purple').check();
    await button('Save label').click();
    await page.locator('.label-list .label-purple', { hasText: 'Key customer' }).waitFor();
    await page.getByLabel('New label').fill('Refund');
    await page.getByLabel('New label').press('Enter');
    await page.locator('.label-list').getByText('Refund').waitFor();
    await page.getByRole('heading', { name: /^Labels/ }).scrollIntoViewIfNeeded();
    await picture('settings');
    await button('Actions for Key customer').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('It is removed from 1 contact.').waitFor();
    await button('Delete label').click();
    await page.locator('.label-list').getByText('Key customer').waitFor({ state: 'detached' });
    await page.goto(addressOf(`/conversations/${first}`));
    await chip('New order').waitFor();
    expect(await chip('Key customer').count()).toBe(0);
  });

  it('is read-only for viewers', async () => {
    const viewer = await openAs(browser, await newUser(account.accountId, 'viewer'), `/conversations/${first}`);
    expect(await button('Labels', viewer).getAttribute('aria-disabled')).toBe('true');
    await viewer.goto(addressOf('/settings'));
    await viewer.getByLabel('New label').waitFor();
    expect(await button('Create label', viewer).getAttribute('aria-disabled')).toBe('true');
    expect(viewer.problems).toEqual([]);
    await viewer.context().close();
  });

  it('is accessible in both themes and does not scroll sideways', async () => {
    for (const path of ['/conversations', `/conversations/${first}`, '/contacts', '/settings']) {
      await page.goto(addressOf(path));
      await page.locator('h1').first().waitFor();
      expect([path, await layoutViolations(page)]).toEqual([path, []]);
    }
    await page.goto(addressOf(`/conversations/${first}`));
    await button('Labels').click();
    await option('Refund').waitFor();
    expect(await layoutViolations(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    await picture('conversation');
  });
});
