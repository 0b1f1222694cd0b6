import type { Browser } from 'playwright-core';
import { faultsOfLooks, openPage, startBrowser } from '../support/browser';
import { demo } from '../support/installation';

// What runs in the page is text: these files know no browser's types.
const open = (path: string) =>
  `[...document.querySelectorAll('.opblock-summary-path')].find(({ dataset }) => dataset.path === '${path}').closest('.opblock').querySelector('button').click()`;

describe('the API reference page', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  }, 300_000);
  afterAll(() => browser.close());

  it('has no text too faint to read', async () => {
    const page = await openPage(browser, demo.docsUrl);
    // The viewer draws the whole description before anything is shown.
    await page.locator('.opblock').first().waitFor({ timeout: 60_000 });
    for (const path of ['/v1/me', '/v1/conversations', '/v1/messages/send']) {
      await page.evaluate(open(path));
      await page.locator(`.opblock.is-open:has([data-path="${path}"])`).getByText('Responses').first().waitFor();
    }
    const faint = (await faultsOfLooks(page)).filter((fault) => fault.includes('color-contrast'));
    expect(faint).toEqual([]);
    expect(page.problems).toEqual([]);
    await page.context().close();
  }, 120_000);
});
