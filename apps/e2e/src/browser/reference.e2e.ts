import type { Browser } from 'playwright-core';
import { layoutViolations, openPage, startBrowser } from '../support/browser';
import { demo } from '../support/installation';

// Page scripts are strings: these files have no DOM types.
const open = (path: string) =>
  `[...document.querySelectorAll('.opblock-summary-path')].find(({ dataset }) => dataset.path === '${path}').closest('.opblock').querySelector('button').click()`;

describe('API reference page', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser();
  }, 300_000);
  afterAll(() => browser.close());

  it('has sufficient text contrast', async () => {
    const page = await openPage(browser, demo.docsUrl);
    // The viewer renders the whole description before it shows anything.
    await page.locator('.opblock').first().waitFor({ timeout: 60_000 });
    for (const path of ['/v1/me', '/v1/conversations', '/v1/messages/send']) {
      await page.evaluate(open(path));
      await page.locator(`.opblock.is-open:has([data-path="${path}"])`).getByText('Responses').first().waitFor();
    }
    const faint = (await layoutViolations(page)).filter((fault) => fault.includes('color-contrast'));
    expect(faint).toEqual([]);
    expect(page.problems).toEqual([]);
    await page.context().close();
  }, 120_000);
});
