import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { newUser } from '../support/account';
import { addressOf, layoutViolations, openAs, openPage, startBrowser, type WatchedPage } from '../support/browser';
import { signIn } from '../support/console';
import { done } from '../support/installation';
import {
  addressesFor,
  type BusyAccount,
  newBusyAccount,
  openAndWait,
  OVERLAYS,
  ROUTE_PATHS,
  waitForPage,
} from '../support/pages';

const DESCRIPTION = resolve(import.meta.dirname, '../../../../docs/console-openapi.json');
/**
 * Budget in bytes, compressed with gzip: of a first load, and of all files that each page adds. A single file has at
 * most 40,000 (`tools/lib/dashboard-bytes.mjs`); conversations need most.
 */
const BUDGET = { script: 190_000, style: 15_000, page: 50_000 };
/** Routes for a user's own name, password, second factor and sessions, which every role may change. */
const OWN = /^\/console\/v1\/(session|me|invitations\/(open|accept)|password-resets)(\/|$)/;
/** Buttons that change nothing in the account. */
const READING = /^(Copy|Close|Show more|Try again|Actions|API guide|Export|New conversation|\d+\+? new)/;
/** Buttons of the page, except filters and choices of what is shown. */
const BUTTONS = `[...document.querySelectorAll('#main button:not([aria-pressed]), #main [role="menuitem"]')]
  .filter((button) => !button.closest('.filters, fieldset.plain'))
  .map((button) => ({ name: button.ariaLabel ?? button.textContent, isOff: button.ariaDisabled === 'true', why: button.ariaDescription }))`;
/** Dashboard files that the page requested. */
const LOADED = `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('/assets/'))`;
const LCP = `new Promise((done) => new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true }))`;

describe('every page', () => {
  let browser: Browser;
  let account: BusyAccount;
  let page: WatchedPage;
  let addresses: Map<string, string>;

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newBusyAccount('Every page')]);
    page = await openAs(browser, account.owner);
    addresses = await addressesFor(page, account);
    await newUser(account.accountId, 'admin', 'Ravi');
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await account.close();
  });

  it('is listed among the tested routes', () => {
    expect(ROUTE_PATHS).toEqual(expect.arrayContaining(['/', '/keys', '/keys/$keyId', '/profile']));
    expect([...new Set(OVERLAYS.map(([route]) => route))].filter((route) => !addresses.has(route))).toEqual([]);
  });

  it('meets its size budget and renders in all sizes and themes', async () => {
    const visitor = await openPage(browser, '');
    await visitor.getByRole('heading', { name: 'Sign in' }).waitFor();
    const first = await visitor.evaluate<string[]>(LOADED);
    const lcp = Math.round(await visitor.evaluate<number>(LCP));
    const more = new Map<string, string[]>();
    const look = async (what: string): Promise<void> =>
      expect([what, await layoutViolations(page)]).toEqual([what, []]);
    for (const [route, path] of addresses) {
      await openAndWait(page, path);
      more.set(
        route,
        (await page.evaluate<string[]>(LOADED)).filter((name) => !first.includes(name)),
      );
      await look(route);
    }
    for (const [route, ...press] of OVERLAYS) {
      await openAndWait(page, addresses.get(route) ?? route);
      for (const name of press)
        await page
          .getByRole('button', { name, exact: true })
          .or(page.getByRole('menuitem', { name, exact: true }))
          .first()
          .click();
      await page.locator('dialog[open], [role="menu"]').first().waitFor();
      await look([route, ...press].join(' › '));
    }
    expect(page.problems).toEqual([]);
    for (const [path, heading] of [
      ['', 'Sign in'],
      ['/invitation#none', 'This invitation cannot be opened'],
      ['/password#none', 'Choose a new password'],
    ] as const) {
      await visitor.goto(addressOf(path));
      await visitor.reload();
      await visitor.getByRole('heading', { name: heading }).waitFor();
      expect([path, await layoutViolations(visitor)]).toEqual([path, []]);
    }
    expect(visitor.problems).toEqual([]);
    await visitor.context().close();
    await checkBudget(first, more);
    process.stdout.write(`largest paint of the first load after ${lcp} ms\n`);
  }, 400_000);

  it('is read-only for viewers', async () => {
    const viewer = await newUser(account.accountId, 'viewer');
    const one = await openAs(browser, viewer);
    const sent: string[] = [];
    one.on('request', (request) => request.method() !== 'GET' && sent.push(`${request.method()} ${request.url()}`));
    for (const [route, path] of addresses) {
      if (route === '/profile') continue;
      await openAndWait(one, path);
      const buttons = await one.evaluate<{ name: string; isOff: boolean; why: string | null }[]>(BUTTONS);
      const wrong = buttons.filter(({ name, isOff, why }) => (isOff ? !why : !READING.test(name)));
      expect([route, wrong]).toEqual([route, []]);
      for (const button of await one.locator('#main [aria-disabled="true"]').all()) await button.click({ force: true });
    }
    expect(sent).toEqual([]);
    expect(one.problems).toEqual([]);
    await one.context().close();
    const console = await signIn(viewer.email, viewer.password);
    const { paths } = JSON.parse(readFileSync(DESCRIPTION, 'utf8')) as { paths: Record<string, object> };
    const refused: unknown[] = [];
    for (const [path, methods] of Object.entries(paths).filter(([name]) => !OWN.test(name)))
      for (const method of Object.keys(methods).filter((name) => name !== 'get' && name !== 'parameters')) {
        const call = [method.toUpperCase(), path.replace('/console/v1', '').replace(/\{\w+\}/g, 'x')] as const;
        refused.push([...call, (await console.call(...call, {})).body['code']]);
      }
    expect(refused.length).toBeGreaterThan(20);
    expect(refused.filter((one) => (one as unknown[])[2] !== 'ROLE_NOT_ALLOWED')).toEqual([]);
  }, 200_000);

  it('returns "not found" for ids of another account', async () => {
    // Without a number: accounts with numbers of the same business account share its templates.
    const { accountId } = await done('accounts', 'create', '--name', 'Stranger', '--plan', 'scale');
    const one = await openAs(browser, await newUser(String(accountId)));
    for (const [route, path] of addresses) {
      // Phones belong to no account: each account has its own conversation with a phone.
      if (!/\$(?!phone)/.test(route)) continue;
      await one.goto(addressOf(path));
      await one.getByText('NOT_FOUND').first().waitFor();
      await waitForPage(one);
    }
    await one.goto(addressOf(`/integrations/webhook-log?endpointId=${account.endpointId}`));
    await one.getByText('No events').waitFor();
    expect(one.problems).toEqual([]);
    await one.context().close();
  });
});

/** Checks the sizes of a first load and of each page's additions against the budget. */
async function checkBudget(first: readonly string[], more: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const sizes = new Map<string, number>();
  const sizeOf = async (names: readonly string[], ending: string): Promise<number> => {
    let bytes = 0;
    for (const name of names.filter((one) => one.endsWith(ending))) {
      if (!sizes.has(name)) sizes.set(name, gzipSync(Buffer.from(await (await fetch(name)).arrayBuffer())).length);
      bytes += sizes.get(name) ?? 0;
    }
    return bytes;
  };
  const [script, style] = [await sizeOf(first, '.js'), await sizeOf(first, '.css')];
  expect(script).toBeGreaterThan(50_000);
  expect(script).toBeLessThanOrEqual(BUDGET.script);
  expect(style).toBeLessThanOrEqual(BUDGET.style);
  const pages: [route: string, bytes: number][] = [];
  for (const [route, names] of more) pages.push([route, (await sizeOf(names, '.js')) + (await sizeOf(names, '.css'))]);
  expect(pages.filter(([, bytes]) => bytes > BUDGET.page)).toEqual([]);
  expect(pages.filter(([route, bytes]) => bytes === 0 && route !== '/')).toEqual([]);
  const [largest, most] = pages.reduce((a, b) => (b[1] > a[1] ? b : a));
  process.stdout.write(
    `first load: ${script} bytes of script, ${style} of styles; most besides: ${most} bytes for ${largest}\n`,
  );
}
