import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import type { SeededRows } from './console-seed';
import { round } from './harness/figures';

/** Maximum duration of a main-thread task with which the page still responds promptly to a click, in milliseconds. */
export const FREEZE_MS = 200;
const OPENINGS = 3;

export interface PageFigure {
  [figure: string]: string | number;
  name: string;
  perSecond: number;
  /** Time until no request is pending, in milliseconds. */
  openMs: number;
  longestTaskMs: number;
}

const WATCH_TASKS = `
  window.longestTask = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longestTask = Math.max(window.longestTask, duration);
  }).observe({ type: 'longtask', buffered: true });`;

interface Options {
  /** Gateway URL without a path. */
  origin: string;
  email: string;
  password: string;
  rows: SeededRows;
  /** Environment variables of the browser. */
  environment: Record<string, string>;
  log(text: string): void;
}

/** Opens each page several times in a browser. @returns the median load time and the longest task of each page */
export async function measurePages({
  origin,
  email,
  password,
  rows,
  environment,
  log,
}: Options): Promise<PageFigure[]> {
  const path = resolve('tools/infra/chromium.mjs');
  const { ensureChromium } = (await import(pathToFileURL(path).href)) as {
    ensureChromium(options: object): Promise<{ executablePath: string; env: Record<string, string> }>;
  };
  const { executablePath, env } = await ensureChromium({ log });
  const browser = await chromium.launch({
    executablePath,
    env: { ...environment, ...env },
    args: ['--no-sandbox'],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.addInitScript(WATCH_TASKS);
    await page.goto(`${origin}/dashboard`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const figures: PageFigure[] = [];
    for (const address of addressesOf(rows)) {
      const laps: { openMs: number; longestTaskMs: number }[] = [];
      for (let opening = 0; opening < OPENINGS; opening += 1) {
        const beganAt = performance.now();
        await page.goto(`${origin}/dashboard${address}`, { waitUntil: 'networkidle' });
        const openMs = performance.now() - beganAt;
        laps.push({ openMs, longestTaskMs: await page.evaluate<number>('window.longestTask') });
      }
      const openMs = laps.map((lap) => lap.openMs).sort((one, other) => one - other)[Math.floor(OPENINGS / 2)] ?? NaN;
      const longestTaskMs = Math.max(...laps.map((lap) => lap.longestTaskMs));
      const name = `page ${address.replace(/[a-z]+_[0-9a-z]{26}|[0-9]{8,}/, '…')}`;
      figures.push({ name, perSecond: round(1_000 / openMs), openMs: round(openMs), longestTaskMs });
    }
    return figures;
  } finally {
    await browser.close();
  }
}

const addressesOf = ({ messageId, contactId, phone, jobId, eventId }: SeededRows): string[] => [
  '/',
  '/messages',
  '/messages?status=failed',
  `/messages/${messageId}`,
  '/conversations',
  `/conversations/${phone}`,
  '/contacts',
  `/contacts/${contactId}`,
  '/jobs',
  `/jobs/${jobId}`,
  '/templates',
  '/keys',
  '/numbers',
  '/usage',
  '/audit',
  '/one-time-passwords',
  '/integrations/webhook-log',
  `/integrations/webhook-log/${eventId}`,
  '/settings',
  '/team',
];
