import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { ensureChromium } from '../../../../tools/infra/chromium.mjs';
import { demo } from './installation';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Matches the browser's log entry for an error response, which many tests expect. */
const REFUSED = /^Failed to load resource: the server responded with a status of (4\d\d|503)/;
const LONGEST_WAIT_MS = 15_000;

/** User who can sign in. */
export interface Visitor {
  email: string;
  password: string;
}

/** Page of the dashboard, with its collected problems. */
export type WatchedPage = Page & { problems: string[] };

interface OpenOptions extends BrowserContextOptions {
  /** True if the test advances the page's clock. */
  hasClock?: boolean;
}

export async function startBrowser(flags: readonly string[] = []): Promise<Browser> {
  const { executablePath, env } = await ensureChromium({ log: (text) => process.stderr.write(`${text}\n`) });
  return chromium.launch({
    executablePath,
    env: { ...(process.env as Record<string, string>), ...env },
    // The tests may run as root, and a container may have no user namespaces.
    args: ['--no-sandbox', ...flags],
  });
}

/** Opens a page of the dashboard and collects errors of scripts, the console and the content policy. */
export async function openPage(
  browser: Browser,
  path: string,
  { hasClock = false, ...options }: OpenOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = Object.assign(await context.newPage(), { problems: [] as string[] });
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  page.on('pageerror', (error) => page.problems.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !REFUSED.test(message.text()))
      page.problems.push(message.text());
  });
  if (hasClock) await page.clock.install();
  await page.goto(addressOf(path));
  return page;
}

/** @returns the URL of a dashboard page; a full URL stays unchanged */
export function addressOf(path: string): string {
  return path.startsWith('http:') ? path : `${demo.dashboardUrl}${path}`;
}

/** Enters e-mail and password wherever the page asks for them. */
export async function signIn(page: Page, { email, password }: Visitor): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

export async function openAs(
  browser: Browser,
  visitor: Visitor,
  path = '',
  options: OpenOptions = {},
): Promise<WatchedPage> {
  const page = await openPage(browser, path, options);
  await signIn(page, visitor);
  await page.getByRole('navigation', { name: 'Main', includeHidden: true }).waitFor({ state: 'attached' });
  return page;
}

// Page scripts are strings, because these files have no DOM types.
const FIND = `(rules) => axe.run(document, rules && { runOnly: rules }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`;
const SIDEWAYS = `[document.documentElement, ...document.querySelectorAll('#main, #main .page')].map((part) => part.scrollWidth - part.clientWidth)`;
const WIDTHS = `(texts) => texts.map((text) => {
  const span = document.body.appendChild(document.createElement('span'));
  span.textContent = text;
  const { width } = span.getBoundingClientRect();
  span.remove();
  return width;
})`;
const WIDTHS_OF_SCREENS = [1440, 375];

/**
 * Checks the page on a wide and a narrow screen, in the light and the dark theme. Leaves the page wide and light.
 * @returns findings of axe, each with its first element; and the places where the page or its content scrolls sideways
 */
export async function layoutViolations(page: Page): Promise<string[]> {
  const faults: string[] = [];
  await page.evaluate(AXE);
  for (const width of WIDTHS_OF_SCREENS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['dark', 'light'] as const) {
      // Reduce motion, so that no color transition is in progress.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      // The themes differ only in colors.
      const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
      const found = await page.evaluate<string[]>(`(${FIND})(${JSON.stringify(rules)})`);
      faults.push(...found.map((fault) => `${colorScheme}, ${width} pixels: ${fault}`));
    }
    const sideways = await page.evaluate<number[]>(SIDEWAYS);
    if (sideways.some((by) => by > 0)) faults.push(`${width} pixels: scrolls sideways by ${sideways.join(' and ')}`);
  }
  await page.setViewportSize({ width: WIDTHS_OF_SCREENS[0] as number, height: 900 });
  return faults;
}

export function widthsOf(page: Page, texts: readonly string[]): Promise<number[]> {
  return page.evaluate<number[]>(`(${WIDTHS})(${JSON.stringify(texts)})`);
}
