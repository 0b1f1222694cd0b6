import { acceptingChallenge, eventually } from '@switchboard/testing';
import type { Browser } from 'playwright-core';
import { newAccount, newBusiness, type TestAccount, newUser } from '../support/account';
import { openAs, startBrowser, type WatchedPage } from '../support/browser';
import { demo } from '../support/installation';
import { freshPhone, writeIn } from '../support/simulator';
import { approved, createTemplate } from '../support/templates';
import { type Listener, listenFor } from '../support/webhooks';

/** The simulator fails messages to this number as undeliverable. */
const UNDELIVERABLE = '15005550126';

describe('overview page', () => {
  let browser: Browser;
  let account: TestAccount;
  let listener: Listener;
  let page: WatchedPage;
  let template: string;

  beforeAll(async () => {
    const wabaId = await newBusiness();
    [browser, account, { name: template }] = await Promise.all([
      startBrowser(),
      newAccount('Overview', { wabaId }),
      createTemplate([{ type: 'BODY', text: 'Your order is ready.' }], { wabaId }),
    ]);
    [listener] = await Promise.all([listenFor(account.accountId), approved(account, [template])]);
    page = await openAs(browser, await newUser(account.accountId));
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await listener.receiver.close();
  });

  const figure = (name: string) => page.locator('.figure', { hasText: name });
  const care = () => page.getByRole('region', { name: 'Needs attention' });

  it('reports webhook events consistently with their endpoints', async () => {
    await writeIn(freshPhone(), 'First', { to: account.phoneNumber });
    await eventually(() => expect(listener.events().length).toBeGreaterThan(0));
    await page.reload();
    await figure('Webhook events').getByText('all delivered').waitFor();
    await care().getByText('All clear').waitFor();
    listener.receiver.respondWith((_request, response) => response.writeHead(500).end());
    await writeIn(freshPhone(), 'Second', { to: account.phoneNumber });
    await care().getByText('Webhook endpoint failing').waitFor();
    await care().getByText('1 pending').waitFor();
    await figure('Webhook events').getByRole('link', { name: '1 pending' }).click();
    await page.getByRole('heading', { name: 'Webhook log' }).waitFor();
    listener.receiver.respondWith(acceptingChallenge('my-token'));
  });

  it('lists failed messages as needing attention above a threshold', async () => {
    for (const to of [freshPhone(), freshPhone(), UNDELIVERABLE])
      await account.api.sendMessage({
        to,
        type: 'template',
        template: { name: template, language: { code: 'en_US' } },
      });
    await page.goto(demo.dashboardUrl);
    await figure('Failed').getByText('1', { exact: true }).waitFor();
    await care().getByRole('link', { name: '1 of 3 messages failed' }).click();
    await page
      .getByRole('table', { name: 'Messages' })
      .getByRole('link', { name: new RegExp(UNDELIVERABLE) })
      .waitFor();
    expect(await page.getByRole('table', { name: 'Messages' }).locator('tbody tr').count()).toBe(1);
  });
});
