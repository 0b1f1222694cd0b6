import type { Browser } from 'playwright-core';
import { layoutViolations, openPage, startBrowser, type WatchedPage } from '../support/browser';
import { demo } from '../support/installation';

const open = (browser: Browser, path: string): Promise<WatchedPage> =>
  openPage(browser, new URL(path, demo.docsUrl).href, { permissions: ['clipboard-read', 'clipboard-write'] });

describe('guide pages', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  }, 300_000);
  afterAll(() => browser.close());

  it.each(['/docs/guides', '/docs/guides/webhooks', '/docs/changelog'])(
    'render %s accessibly in all sizes and themes',
    async (path) => {
      const page = await open(browser, path);
      expect(await layoutViolations(page)).toEqual([]);
      expect(page.problems).toEqual([]);
      await page.context().close();
    },
  );

  it('scroll to a section selected in the navigation', async () => {
    const page = await open(browser, '/docs/guides/webhooks');
    const section = page
      .getByRole('navigation', { name: 'Guides' })
      .getByRole('link', { name: '3. Check the signature' });
    await section.click();
    await page.waitForURL('**/docs/guides/webhooks#3-check-the-signature');
    await page.getByRole('heading', { name: '3. Check the signature' }).waitFor();
    expect(page.problems).toEqual([]);
    await page.context().close();
  });

  it('copy a code block to the clipboard', async () => {
    const page = await open(browser, '/docs/guides/first-message');
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^export BASE_URL=http:\/\/localhost:3000\/v1\nexport SIMULATOR_URL/);
    expect(page.problems).toEqual([]);
    await page.context().close();
  });
});
