import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, openAs, openPage, startBrowser, type Visitor, type WatchedPage } from '../support/browser';
import { demo } from '../support/installation';
import { freshPhone, writeIn } from '../support/simulator';
import { approved } from '../support/templates';
import { listenFor } from '../support/webhooks';

/** Magic number of the simulator: a send to it fails because of invalid credentials, which stops the number. */
const REFUSES_CREDENTIALS = '15005550190';
/** Host name that the browser does not treat as local: without HTTPS, pages there have no clipboard API. */
const PLAIN_HOST = 'switchboard.test';
// Page scripts are strings: these files have no DOM types.
const FOCUS = `((document.activeElement?.labels?.[0] ?? document.activeElement)?.textContent.trim() ?? '') + ' in ' + (document.activeElement?.closest('aside, dialog, tr')?.tagName ?? '-')`;

describe('pages', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: WatchedPage;

  beforeAll(async () => {
    [browser, account] = await Promise.all([
      startBrowser([`--host-resolver-rules=MAP ${PLAIN_HOST} 127.0.0.1`]),
      newAccount('Manners'),
    ]);
    owner = await newUser(account.accountId);
  }, 300_000);
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.context().close();
  });
  afterAll(() => browser.close());

  const focus = () => page.evaluate<string>(FOCUS);

  it('restore the focus after a row is closed by keyboard', async () => {
    page = await openAs(browser, owner, '/keys');
    await page.getByRole('link', { name: 'test' }).waitFor();
    await page.keyboard.press('j');
    expect(await focus()).toBe('test in TR');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Revoke', exact: true }).waitFor();
    await eventually(async () => expect(await focus()).toContain('in ASIDE'));
    await page.keyboard.press('Tab');
    expect(await focus()).toContain('in ASIDE');
    await page.getByRole('button', { name: 'Edit' }).press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focus()).toBe('Edit in ASIDE');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Revoke', exact: true }).waitFor({ state: 'detached' });
    await eventually(async () => expect(await focus()).toBe('test in TR'));
    await page.keyboard.press('/');
    expect(await focus()).toBe('All in -');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Next row').waitFor();
    await page.keyboard.press('Escape');
    expect(await focus()).toBe('All in -');
  });

  it('create an API key with the keyboard only', async () => {
    page = await openPage(browser, '');
    const tabTo = (text: string) =>
      eventually(async () => {
        await page.keyboard.press('Tab');
        expect(await focus()).toMatch(new RegExp(`^${text} in `));
      });
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(owner.password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await tabTo('Create key');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.type('By keys');
    await page.keyboard.press('Enter');
    await page.getByLabel('I have stored the key').waitFor();
    await tabTo('I have stored the key');
    await page.keyboard.press('Space');
    await tabTo('Done');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'By keys' }).waitFor();
    expect(await focus()).toBe('Create key in -');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('sign out');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('show the UTC time on focus or tap', async () => {
    page = await openAs(browser, owner, '/profile', { hasTouch: true });
    const time = page.locator('time').first();
    await time.focus();
    await page.getByRole('tooltip').getByText(/ UTC$/).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tooltip').waitFor({ state: 'hidden' });
    await time.tap();
    await page.getByRole('tooltip').getByText(/ UTC$/).waitFor();
  });

  it('update relative times', async () => {
    page = await openAs(browser, owner, '/profile', { hasClock: true });
    const signedIn = page.getByRole('row', { name: 'current' }).locator('time').last();
    await signedIn.getByText('just now').waitFor();
    // The page's own requests must not be what redraws it.
    await page.route('**/console/v1/**', (route) => route.abort());
    await page.clock.runFor(61_000);
    await signedIn.getByText('1 min ago').waitFor();
    expect(page.problems.splice(0).filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  it('show an error instead of an empty state after a failed read', async () => {
    page = await openAs(browser, owner, '/profile');
    await page.getByRole('row', { name: 'current' }).waitFor();
    const fails = async (path: string, what: string): Promise<void> => {
      await page.route(what, (route) => route.abort());
      await page.goto(addressOf(path));
      await page.getByRole('alert').getByText('The server does not respond.').waitFor();
      await page.unroute(what);
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    };
    await fails('/profile', '**/console/v1/me/second-factor');
    await page.getByRole('button', { name: 'Set up' }).waitFor();
    await fails('/one-time-passwords', '**/console/v1/templates?*');
    await fails('/integrations/webhook-log/replays', '**/console/v1/webhook-endpoints');
    expect(page.problems.splice(0).filter((problem) => !problem.includes('ERR_FAILED'))).toEqual([]);
  });

  it('keep a new API key visible until its storage is confirmed', async () => {
    page = await openAs(browser, owner, '/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Kept');
    let answer = (): void => undefined;
    const isAnswered = new Promise<void>((go) => (answer = go));
    let isAsked = false;
    await page.route('**/console/v1/keys*', async (route) => {
      // It does not wait for the list either, which never loads.
      if (route.request().method() !== 'POST') return isAsked ? undefined : route.continue();
      isAsked = true;
      const response = await route.fetch();
      await isAnswered;
      await route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'Create key' }).last().click();
    await page.locator('dialog .is-busy').waitFor();
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Cancel' }).click({ force: true });
    answer();
    await page.getByLabel('I have stored the key').waitFor();
    for (let count = 0; count < 3; count += 1) await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    expect(await page.getByRole('dialog').count()).toBe(1);
    await page.getByRole('dialog').getByText(/^sb_/).first().waitFor();
  });

  it('copy text over plain HTTP without the clipboard API', async () => {
    const path = demo.dashboardUrl.replace('localhost', PLAIN_HOST);
    page = await openAs(browser, owner, `${path}/team`);
    expect(await page.evaluate('navigator.clipboard')).toBe(undefined);
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Email').fill('copied@example.com');
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByRole('dialog').locator('code').textContent();
    await page.getByRole('button', { name: 'Copy Link' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.goto(`${path}/profile`);
    const name = page.getByLabel('Your name');
    await name.fill('');
    await name.press('Control+v');
    expect(await name.inputValue()).toBe(link);
    // The browser's own warnings about pages without HTTPS.
    const isOfHttps = /Cross-Origin-Opener-Policy|Origin-Agent-Cluster/;
    expect(page.problems.splice(0).filter((problem) => !isOfHttps.test(problem))).toEqual([]);
  });

  it('report an unreachable server and discard the change', async () => {
    page = await openAs(browser, owner, '/profile');
    const name = page.getByLabel('Your name');
    await name.fill('Somebody else');
    await page.context().setOffline(true);
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()));
    await name.press('Enter');
    await page.getByText('The server does not respond. Check your connection.').first().waitFor();
    await page.context().setOffline(false);
    await page.reload();
    await eventually(async () => expect(await name.inputValue()).toBe('Asha'));
    expect(sent).toHaveLength(1);
    expect(page.problems.splice(0).filter((problem) => !problem.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
  });

  it('reload on the next navigation after a release', async () => {
    page = await openAs(browser, owner, '/profile');
    await page.getByLabel('Your name').fill('Half a na');
    const documents: string[] = [];
    page.on('request', (request) => request.url().endsWith('/dashboard') && documents.push(request.url()));
    let isOld = true;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) isOld = false;
    });
    await page.route(/assets\/keys-[^/]*\.js$/, (route) => (isOld ? route.fulfill({ status: 404 }) : route.continue()));
    const link = (text: string) => page.getByRole('navigation').getByRole('link', { name: text, exact: true });
    const isMissing = page.waitForResponse((response) => response.status() === 404);
    await link('API keys').hover();
    await isMissing;
    const isThere = page.waitForResponse(/assets\/audit-[^/]*\.js$/);
    await link('Audit log').hover();
    await isThere;
    expect(documents).toEqual([]);
    expect(await page.getByLabel('Your name').inputValue()).toBe('Half a na');
    const isLoaded = page.waitForEvent('load');
    await link('API keys').click();
    await page.getByRole('dialog', { name: 'Leave this page?' }).getByRole('button', { name: 'Leave' }).click();
    await isLoaded;
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  // Other tests change templates of the same business concurrently.
  it.each(['/integrations/webhook-log?kind=message', '/messages'])(
    'count new rows in %s, and fetch only those on demand',
    async (path) => {
      const { receiver } = await listenFor(account.accountId);
      const customer = freshPhone();
      const write = (text: string) => writeIn(customer, text, { to: account.phoneNumber });
      await write('Hello');
      page = await openAs(browser, owner, path, { hasClock: true });
      const rows = page.getByRole('row', { name: customer });
      await eventually(async () => {
        await page.reload();
        await page.getByRole('row').first().waitFor();
        expect(await rows.count()).toBe(1);
      });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await write('Are you there?');
      await write('Hello?');
      await eventually(async () => {
        await page.clock.runFor(10_000);
        await page.getByRole('button', { name: '2 new' }).waitFor({ timeout: 1_000 });
      });
      expect(await rows.count()).toBe(1);
      await page.getByRole('button', { name: '2 new' }).click();
      await eventually(async () => expect(await rows.count()).toBe(3));
      expect(asked.filter((address) => address.includes('cursor='))).toEqual([]);
      await receiver.close();
    },
  );

  it('link the number status in the top bar to the numbers', async () => {
    page = await openAs(browser, owner, '/profile');
    const state = page.getByRole('banner').getByRole('link', { name: account.phoneNumber });
    expect(await state.textContent()).toMatch(/: Connected$/);
    expect(await state.getAttribute('href')).toBe(addressOf('/numbers').replace(/^https?:\/\/[^/]+/, ''));
  });

  it('show a stopped number in the top bar', async () => {
    await approved(account, ['hello_world']);
    const template = { name: 'hello_world', language: { code: 'en_US' } };
    const sent = account.api.sendMessage({ to: REFUSES_CREDENTIALS, type: 'template', template });
    await expect(sent).rejects.toMatchObject({ code: 'UPSTREAM_ERROR' });
    page = await openAs(browser, owner, '/profile');
    await page
      .getByRole('banner')
      .getByRole('link', { name: /: Stopped$/ })
      .waitFor();
  });
});
