// @ts-check
// npm run screenshots: takes a screenshot of every dashboard page of the running `npm start` installation, in both
// themes, wide and narrow, into .local/screenshots. With --docs, fills the demo account with sample traffic and writes
// the screenshots of README.md to docs/images.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { ensureChromium } from './infra/chromium.mjs';
import { homePath, ROOT } from './lib/home.mjs';
import { isReady, readDemo } from './lib/installation.mjs';
import { log, say } from './lib/progress.mjs';
import { addSampleTraffic } from './screenshots/sample-traffic.mjs';

/**
 * Pages by screenshot name, each given by a path below the dashboard's URL, a link to follow on the previous page, or
 * buttons to press in order. No dialog is confirmed, so nothing changes.
 * @type {Record<string, string | { link: string } | { press: string[] }>}
 */
const PAGES = {
  overview: '',
  palette: { press: ['Search or jump to a page'] },
  conversations: '/conversations',
  conversation: { link: 'a.convo-item' },
  messages: '/messages',
  message: { link: 'table a.cell' },
  contacts: '/contacts',
  contact: { link: 'table a.cell' },
  'contacts-blocked': '/contacts/blocked',
  templates: '/templates',
  template: { link: 'table[aria-label=Templates] a.cell' },
  'template-test-send': { press: ['Test send'] },
  'template-editor': '/templates/drafts/:draft',
  'template-new': '/templates/new',
  jobs: '/jobs',
  job: { link: 'table[aria-label=Jobs] a.cell' },
  'job-new': '/jobs/new',
  results: '/results',
  'webhook-settings': '/integrations/messaging/webhook-settings',
  'webhook-endpoint-dialog': { press: ['Add endpoint'] },
  'webhook-log': '/integrations/webhook-log',
  'webhook-replay-dialog': { press: ['Replay dropped'] },
  'webhook-event': { link: 'table a.cell' },
  keys: '/keys',
  'key-create-dialog': { press: ['Create key'] },
  key: { link: 'table a.cell' },
  'key-revoke-dialog': { press: ['Revoke'] },
  'api-guide': '/api-guide',
  'one-time-passwords': '/one-time-passwords',
  numbers: '/numbers',
  number: { link: 'table[aria-label=Numbers] a.cell' },
  usage: '/usage',
  settings: '/settings',
  'saved-replies': '/saved-replies',
  search: '/search?q=order',
  team: '/team',
  'team-invite-dialog': { press: ['Invite'] },
  'team-menu': { press: ['Actions for Ravi'] },
  audit: '/audit',
  profile: '/profile',
  'second-factor-dialog': { press: ['Set up'] },
  'no-such-page': '/nothing-here',
};
const DRAFT = {
  name: 'parcel_at_the_door',
  language: 'en_US',
  category: 'UTILITY',
  components: [
    { type: 'BODY', text: 'Hi {{1}}, your parcel arrives on {{2}}.', example: { body_text: [['Asha', 'Monday']] } },
    { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Thank you' }] },
  ],
};
/** Screenshots of README.md, and the pages that lead to them. */
const IN_DOCS = ['overview', 'conversation'];
const TO_DOCS = [...IN_DOCS, 'conversations'];
const isForDocs = process.argv.includes('--docs');
const WIDTHS = isForDocs ? [1280] : [1440, 375];
const THEMES = /** @type {const} */ (['light', 'dark']);

const demo = readDemo();
if (!isReady() || !demo) {
  say('Nothing runs here: npm start first.');
  process.exit(1);
}
const folder = isForDocs ? join(ROOT, 'docs/images') : dirname(homePath('screenshots', 'x'));
mkdirSync(folder, { recursive: true });
const { executablePath, env } = await ensureChromium({ log });
const browser = await chromium.launch({
  executablePath,
  env: { .../** @type {Record<string, string>} */ (process.env), ...env },
  args: ['--no-sandbox'],
});
let pictures = 0;
const { draftId, invitation } = await prepare(demo);
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
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: isForDocs ? 800 : 900 },
    deviceScaleFactor: isForDocs ? 2 : 1,
  });
  const page = await context.newPage();
  const take = async (/** @type {string} */ name) => {
    await page.waitForLoadState('networkidle');
    // A panel that a link opens loads its content first.
    await page.waitForSelector('#main [aria-busy=true]', { state: 'detached' });
    if (isForDocs && !IN_DOCS.includes(name)) return;
    if (isForDocs) await captureWebp(page, join(folder, `${name}-${theme}.webp`));
    else await page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) });
    pictures += 1;
  };
  const { dashboardUrl, dashboardEmail, dashboardPassword } = /** @type {NonNullable<typeof demo>} */ (demo);
  if (!isForDocs) {
    await page.goto(`${dashboardUrl}/password#none`);
    await take('new-password');
    await page.goto(`${dashboardUrl}/invitation#none`);
    await take('invitation-over');
    await page.goto(`${dashboardUrl}/invitation#${invitation}`);
    await page.reload();
    await take('invitation');
  }
  await page.goto(dashboardUrl);
  await take('sign-in');
  await page.getByLabel('Email').fill(dashboardEmail);
  await page.getByLabel('Password').fill(dashboardPassword);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  for (const [name, place] of Object.entries(PAGES)) {
    if (isForDocs && !TO_DOCS.includes(name)) continue;
    if (typeof place === 'string') await page.goto(`${dashboardUrl}${place.replace(':draft', draftId)}`);
    else if ('link' in place) {
      const link = page.locator(place.link).first();
      if ((await link.count()) === 0) continue; // the list is still empty
      const before = page.url();
      await link.click();
      await page.waitForURL(({ href }) => href !== before);
    } else if (!(await pressAll(page, place.press))) continue;
    await take(name);
    // Close a dialog or menu, which covers the page. A panel may stay open.
    if (typeof place !== 'string' && 'press' in place) await page.keyboard.press('Escape');
  }
  await context.close();
}

/** Takes a screenshot as WebP, because `page.screenshot` does not support that format. */
async function captureWebp(/** @type {import('playwright-core').Page} */ page, /** @type {string} */ file) {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 });
  writeFileSync(file, Buffer.from(data, 'base64'));
  await session.detach();
}

/**
 * Presses buttons in order.
 * @param {import('playwright-core').Page} page
 * @param {string[]} names
 * @returns true when all were found and could be pressed
 */
async function pressAll(page, names) {
  for (const name of names) {
    const button = page.getByRole('button', { name, exact: true }).first();
    if ((await button.count()) === 0 || (await button.getAttribute('aria-disabled')) === 'true') return false;
    await button.click();
  }
  return true;
}

/**
 * Creates the objects for some screenshots once through the console API: a draft, a colleague and an invitation.
 * @param {NonNullable<ReturnType<typeof readDemo>>} demo
 */
async function prepare({ dashboardUrl, dashboardEmail: email, dashboardPassword: password }) {
  const context = await browser.newContext();
  const base = dashboardUrl.replace(/\/dashboard$/, '/console/v1');
  /** @type {(method: string, path: string, data?: object) => Promise<Record<string, any>>} */
  const call = async (method, path, data) => {
    const headers = { 'x-csrf-token': csrfToken };
    return (await context.request.fetch(`${base}${path}`, { method, headers, ...(data && { data }) })).json();
  };
  let csrfToken = '';
  ({ csrfToken } = await call('POST', '/session', { email, password }));
  if (isForDocs) await addSampleTraffic(/** @type {NonNullable<typeof demo>} */ (demo), call);
  const { users } = await call('GET', '/users');
  if (users.length < 2) {
    const { token } = await call('POST', '/invitations', { email: 'ravi@example.com', role: 'admin' });
    const guest = await browser.newContext();
    const accepted = { token, name: 'Ravi', password: randomUUID() };
    await guest.request.post(`${base}/invitations/accept`, { data: accepted });
    await guest.close();
  }
  const { drafts } = await call('GET', '/template-drafts');
  const draft = drafts[0] ?? (await call('POST', '/template-drafts', DRAFT)).draft;
  const { token: invitation } = await call('POST', '/invitations', { email: 'mira@example.com', role: 'viewer' });
  await context.close();
  return { draftId: String(draft.id), invitation: String(invitation) };
}
