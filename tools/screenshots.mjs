// @ts-check
// npm run screenshots: a picture of every page of the dashboard, in both themes, wide and narrow, of the installation
// that `npm start` runs. They lie in .local/screenshots.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium } from './infra/chromium.mjs';
import { homePath } from './lib/home.mjs';
import { isReady, readDemo } from './lib/installation.mjs';
import { log, say } from './lib/progress.mjs';

/** By the picture's name: the address below the dashboard's, or a link to follow on the page before. */
const PAGES = {
  overview: '',
  conversations: '/conversations',
  conversation: { link: 'a.convo-item' },
  messages: '/messages',
  message: { link: 'table a.cell' },
  contacts: '/contacts',
  contact: { link: 'table a.cell' },
  templates: '/templates',
  template: { link: 'table[aria-label=Templates] a.cell' },
  'template-new': '/templates/new',
  'webhook-settings': '/integrations/messaging/webhook-settings',
  'webhook-log': '/integrations/webhook-log',
  'webhook-event': { link: 'table a.cell' },
  keys: '/keys',
  key: { link: 'table a.cell' },
  'api-guide': '/api-guide',
  team: '/team',
  audit: '/audit',
  profile: '/profile',
};
const WIDTHS = [1440, 375];
const THEMES = /** @type {const} */ (['light', 'dark']);

const demo = readDemo();
if (!isReady() || !demo) {
  say('Nothing runs here: npm start first.');
  process.exit(1);
}
const folder = homePath('screenshots', 'x').replace(/x$/, '');
mkdirSync(folder, { recursive: true });
const { executablePath, env } = await ensureChromium({ log });
const browser = await chromium.launch({
  executablePath,
  env: { .../** @type {Record<string, string>} */ (process.env), ...env },
  args: ['--no-sandbox'],
});
let pictures = 0;
try {
  for (const theme of THEMES) for (const width of WIDTHS) await takeAll(theme, width);
} finally {
  await browser.close();
}
say(`${pictures} pictures in ${folder}`);

/**
 * @param {'light' | 'dark'} theme
 * @param {number} width
 */
async function takeAll(theme, width) {
  const context = await browser.newContext({ colorScheme: theme, viewport: { width, height: 900 } });
  const page = await context.newPage();
  const take = async (/** @type {string} */ name) => {
    await page.waitForLoadState('networkidle');
    await page.waitForFunction('document.querySelector("[aria-busy=true]") === null');
    await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
    pictures += 1;
  };
  const { dashboardUrl, dashboardEmail, dashboardPassword } = /** @type {NonNullable<typeof demo>} */ (demo);
  await page.goto(dashboardUrl);
  await take('sign-in');
  await page.getByLabel('E-mail').fill(dashboardEmail);
  await page.getByLabel('Password').fill(dashboardPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const [name, place] of Object.entries(PAGES)) {
    if (typeof place === 'string') await page.goto(`${dashboardUrl}${place}`);
    else {
      const link = page.locator(place.link).first();
      if ((await link.count()) === 0) continue; // nothing is listed yet
      await link.click();
    }
    await take(name);
  }
  await context.close();
}
