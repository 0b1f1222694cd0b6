import { eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, type TestAccount, newUser } from '../support/account';
import { addressOf, openAs, startBrowser, type Visitor, type WatchedPage } from '../support/browser';
import { freshPhone, writeIn } from '../support/simulator';
import { listenFor } from '../support/webhooks';

// Page scripts are strings: these files have no DOM types.
/** Disables all polling. */
const NO_POLLING = 'window.setInterval = () => 0;';
const HIDDEN = `
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
  document.hasFocus = () => false;`;
const NOTIFICATIONS = `
  window.shown = [];
  window.asked = 0;
  window.Notification = class extends EventTarget {
    static permission = 'default';
    static requestPermission = () => { window.asked += 1; return Promise.resolve((Notification.permission = 'granted')); };
    constructor(title, { body = '' }) { super(); window.shown.push(body === '' ? title : title + ': ' + body); }
    close() {}
  };`;
const ICON = `document.querySelector('link[rel="icon"]').href.slice(0, 5)`;
const EVENTS = '**/console/v1/events*';

describe('live updates', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: WatchedPage;
  const pages: WatchedPage[] = [];

  beforeAll(async () => {
    [browser, account] = await Promise.all([startBrowser(), newAccount('Live')]);
    owner = await newUser(account.accountId);
  }, 300_000);
  afterEach(async () => {
    for (const opened of pages.splice(0)) {
      expect(opened.problems).toEqual([]);
      await opened.context().close();
    }
  });
  afterAll(() => browser.close());

  /** Opens a page with scripts that run before its own. */
  async function open(path: string, scripts: string[] = [], { isCut = false } = {}): Promise<WatchedPage> {
    page = await openAs(browser, owner, '/profile');
    pages.push(page);
    for (const script of scripts) await page.addInitScript(script);
    if (isCut) await page.route(EVENTS, (route) => route.fulfill({ status: 429, body: '{}' }));
    const opened = isCut
      ? undefined
      : page.waitForResponse((response) => response.url().includes('/console/v1/events'));
    await page.goto(addressOf(path));
    await opened;
    return page;
  }
  const write = (phone: string, text: string) => writeIn(phone, text, { to: account.phoneNumber });
  const said = (text: string) => page.getByRole('log', { name: 'Messages' }).getByText(text, { exact: true });

  it('show a message in the open conversation without polling', async () => {
    const phone = freshPhone();
    await write(phone, 'Is anybody there?');
    await eventually(async () =>
      expect((await account.api.listConversations({ search: phone })).conversations).toHaveLength(1),
    );
    await open(`/conversations/${phone}`, [NO_POLLING]);
    await said('Is anybody there?').waitFor();
    const times: number[] = [];
    for (const text of ['One', 'Two', 'Three']) {
      const begunAt = performance.now();
      await write(phone, text);
      await said(text).waitFor();
      times.push(Math.round(performance.now() - begunAt));
    }
    process.stdout.write(`from the customer's message to the page without polling: ${times.join(', ')} ms\n`);
    const sent = await account.api.sendMessage({ to: phone, type: 'text', text: { body: 'Yes, we are.' } });
    expect(sent.message_id).toEqual(expect.any(String));
    await said('Yes, we are.').waitFor();
    await page
      .getByRole('complementary', { name: 'Contact' })
      .getByText(/^(Delivered|Read)$/)
      .waitFor();
  });

  it('show the number of unread conversations in a hidden tab', async () => {
    const other = await newAccount('Unread');
    owner = await newUser(other.accountId);
    await open('/settings', [NO_POLLING, HIDDEN]);
    await eventually(async () => expect(await page.title()).toBe('Settings · Switchboard'));
    expect(await page.evaluate(ICON)).toBe('http:');
    const phones = [freshPhone(), freshPhone()];
    for (const phone of phones) await writeIn(phone, 'Hello', { to: other.phoneNumber });
    await eventually(async () => expect(await page.title()).toBe('(2) Settings · Switchboard'));
    expect(await page.evaluate(ICON)).toBe('data:');
    await page.getByRole('link', { name: 'Conversations 2 unread' }).waitFor();
    for (const to of phones) await other.api.sendMessage({ to, type: 'text', text: { body: 'Hello to you' } });
    await eventually(async () => expect(await page.title()).toBe('Settings · Switchboard'));
    expect(await page.evaluate(ICON)).toBe('http:');
    owner = await newUser(account.accountId);
  });

  it('show the progress of a job without polling', async () => {
    const hello = { name: 'hello_world', language: { code: 'en_US' } };
    const recipients = [freshPhone(), freshPhone(), freshPhone()];
    const { jobId } = await eventually(() =>
      account.api.sendBulk({ recipients, type: 'template', template: hello, hold: true }),
    );
    await open(`/jobs/${jobId}`, [NO_POLLING]);
    await page.getByText('Nothing has been sent yet').waitFor();
    await account.api.resumeJob({ jobId });
    await page.getByText('3 of 3 rows done').waitFor();
    await page.getByText('Completed').first().waitFor();
  });

  it('count new events in the webhook log without polling', async () => {
    const { receiver } = await listenFor(account.accountId);
    await open('/integrations/webhook-log', [NO_POLLING]);
    await page.getByRole('heading', { name: 'Webhook log' }).waitFor();
    await eventually(async () => expect(await page.locator('[aria-busy="true"]').count()).toBe(0));
    await write(freshPhone(), 'An event');
    await page.getByRole('button', { name: /\bnew\b/ }).waitFor();
    await receiver.close();
  });

  it('poll while the server rejects streams', async () => {
    const phone = freshPhone();
    await write(phone, 'First');
    await eventually(async () =>
      expect((await account.api.listConversations({ search: phone })).conversations).toHaveLength(1),
    );
    await open(`/conversations/${phone}`, [], { isCut: true });
    await said('First').waitFor();
    await write(phone, 'Second');
    await said('Second').waitFor();
  });

  it('notify only on request, and without the text', async () => {
    await open('/profile', [NO_POLLING, HIDDEN, NOTIFICATIONS]);
    const turnOn = page.getByRole('button', { name: 'Turn desktop notifications on' });
    await turnOn.waitFor();
    await write(freshPhone(), 'Not announced');
    await eventually(async () => expect(await page.title()).toMatch(/^\(/));
    expect(await page.evaluate('[window.asked, window.shown]')).toEqual([0, []]);
    await turnOn.click();
    await page.getByRole('button', { name: 'Turn desktop notifications off' }).waitFor();
    await write(freshPhone(), 'A secret text');
    await eventually(async () =>
      expect(await page.evaluate('[window.asked, window.shown]')).toEqual([
        1,
        ['Notifications are on', expect.stringMatching(/^New message: \d+ unread conversations?$/)],
      ]),
    );
  });
});
