import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newUser, type TestAccount } from '../support/account';
import { layoutViolations, openAs, startBrowser, type WatchedPage } from '../support/browser';
import { freshPhone, writeIn } from '../support/simulator';

// Page scripts are strings: these files have no DOM types.
const WIDTH_OF_FULL_IMAGE = `document.querySelector('.full-picture > img')?.naturalWidth ?? 0`;
/** Script that pastes or drops a file. */
const giveFile = (selector: string, event: 'paste' | 'dragover' | 'drop', name: string, type: string): string => `{
  const data = new DataTransfer();
  data.items.add(new File(['content'], '${name}', { type: '${type}' }));
  const options = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
  const { ClipboardEvent, DragEvent } = window;
  const Event = '${event}' === 'paste' ? ClipboardEvent : DragEvent;
  document.querySelector('${selector}').dispatchEvent(new Event('${event}', options));
}`;

describe('files that users send', () => {
  let browser: Browser;
  let account: TestAccount;
  let page: WatchedPage;
  const phone = freshPhone();

  const thread = (on = page) => on.getByRole('log', { name: 'Messages' });
  const composer = () => page.getByLabel(/^Message to /);

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Sent files')]);
    await writeIn(phone, 'Do you have a picture?', { name: 'Asha R', to: account.phoneNumber });
    page = await openAs(browser, await newUser(account.accountId, 'agent'), `/conversations/${phone}`);
    await composer().waitFor();
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(() => browser.close());

  it('are shown to colleagues, who enlarge and download them', async () => {
    const file = { name: 'shelf.png', mimeType: 'image/png', buffer: await page.screenshot() };
    await page.getByLabel('File to send').setInputFiles(file);
    await page.locator('.composer-file').getByText('shelf.png').waitFor();
    await composer().fill('The blue one');
    await composer().press('Enter');
    const colleague = await openAs(browser, await newUser(account.accountId, 'viewer'), `/conversations/${phone}`);
    const sent = thread(colleague).locator('.bubble.out', { hasText: 'The blue one' });
    await sent.getByRole('button', { name: 'Enlarge Image' }).press('Enter');
    const full = colleague.getByRole('dialog', { name: 'Image' });
    await eventually(async () => expect(await colleague.evaluate(WIDTH_OF_FULL_IMAGE)).toBeGreaterThan(0));
    const download = colleague.waitForEvent('download');
    await full.getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('shelf.png');
    expect(await layoutViolations(colleague)).toEqual([]);
    await colleague.keyboard.press('Escape');
    await full.waitFor({ state: 'detached' });
    await sent.getByRole('button', { name: 'Enlarge Image' }).and(colleague.locator(':focus')).waitFor();
    expect(colleague.problems).toEqual([]);
    await colleague.context().close();
  });

  it('are attached by paste and drop', async () => {
    const chip = page.locator('.composer-file');
    await page.evaluate(giveFile('.composer textarea', 'paste', 'screenshot.png', 'image/png'));
    await chip.getByText('screenshot.png').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).getAttribute('aria-disabled')).toBeNull();
    await page.getByRole('button', { name: 'Remove file' }).click();
    await chip.waitFor({ state: 'detached' });
    await page.evaluate(giveFile('.thread', 'dragover', 'menu.pdf', 'application/pdf'));
    await page.getByText('Drop the file to attach it to your reply').waitFor();
    await page.evaluate(giveFile('.thread', 'drop', 'menu.pdf', 'application/pdf'));
    await chip.getByText('PDF, 1 KB').waitFor();
    expect(await page.getByText('Drop the file to attach it').count()).toBe(0);
    expect(await layoutViolations(page)).toEqual([]);
    await page.evaluate(giveFile('.thread', 'drop', 'page.html', 'text/html'));
    await page.getByText('This kind of file cannot be sent.').waitFor();
    expect(await page.getByRole('button', { name: 'Send', exact: true }).getAttribute('aria-disabled')).toBe('true');
    await page.getByRole('button', { name: 'Remove file' }).click();
    await page.getByRole('button', { name: 'Note', exact: true }).click();
    await page.evaluate(giveFile('.thread', 'dragover', 'menu.pdf', 'application/pdf'));
    await page.getByText('A note has no file. Switch to Reply first.').waitFor();
    await page.evaluate(giveFile('.thread', 'drop', 'menu.pdf', 'application/pdf'));
    await page.getByRole('button', { name: 'Reply', exact: true }).click();
    expect(await chip.count()).toBe(0);
  });
});
