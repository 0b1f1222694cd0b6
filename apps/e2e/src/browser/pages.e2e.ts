import { acceptingChallenge, answering, eventually, type Receiver, startReceiver } from '@switchboard/testing';
import type { Browser, Page } from 'playwright-core';
import { clientOf } from '../support/api';
import { newAccount, type TestAccount } from '../support/account';
import {
  addressOf,
  axeFindings,
  newVisitor,
  openAs,
  sidewaysScroll,
  startBrowser,
  type Visitor,
} from '../support/browser';
import { freshPhone } from '../support/simulator';
import { approved } from '../support/templates';

describe('the pages of the dashboard', () => {
  let browser: Browser;
  let account: TestAccount;
  let owner: Visitor;
  let page: Page & { problems: string[] };
  let receiver: Receiver;

  beforeAll(async () => {
    [browser, account, receiver] = await Promise.all([startBrowser(), newAccount('Pages'), startReceiver()]);
    owner = await newVisitor(account.accountId);
    page = await openAs(browser, owner);
  }, 300_000);
  afterEach(() => expect(page.problems.splice(0)).toEqual([]));
  afterAll(async () => {
    await browser.close();
    await receiver.close();
  });

  const go = (path: string) => page.goto(addressOf(path));

  it('show a key once, which works, is refused from another address, and dies when it is revoked', async () => {
    await go('/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Web shop');
    await page.getByRole('button', { name: 'Create key' }).last().click();
    const key = (await page.getByRole('dialog').locator('code').first().textContent()) ?? '';
    await page.getByLabel('I have stored it safely').check();
    await page.getByRole('button', { name: 'Done' }).click();
    const api = clientOf(key);
    expect((await api.getMe()).apiClient.name).toBe('Web shop');
    await page.getByRole('link', { name: 'Web shop' }).click();
    expect(await page.content()).not.toContain(key);
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Addresses').fill('203.0.113.9');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => expect(api.getMe()).rejects.toMatchObject({ code: 'IP_NOT_ALLOWED' }));
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByLabel('Type Web shop to confirm').fill('Web shop');
    await page.getByRole('button', { name: 'Revoke key' }).click();
    await eventually(() => expect(api.getMe()).rejects.toMatchObject({ code: 'UNAUTHORIZED' }));
    await page.locator('.panel-head .st', { hasText: 'Revoked' }).waitFor();
  });

  it('save no webhook that fails the challenge, and say what it answered', async () => {
    await go('/integrations/messaging/webhook-settings');
    await page.getByRole('button', { name: 'Add endpoint' }).first().click();
    await page.getByLabel('URL').fill(`${receiver.url}/hook`);
    await page.getByLabel('Verify token').fill('my-token');
    receiver.respondWith(answering(200));
    await page.getByRole('button', { name: 'Verify and add' }).click();
    await page.getByText('the endpoint answered 200, but its body is not the value of hub.challenge').waitFor();
    await page.getByText('Nothing was saved.').waitFor();
    receiver.respondWith(acceptingChallenge('my-token'));
    await page.getByRole('button', { name: 'Verify and add' }).click();
    await page.getByRole('heading', { name: 'Copy the signing secret now' }).waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Enabled').waitFor();
  });

  it('show what an endpoint answered to an event, as text, and send it again with the same id', async () => {
    receiver.respondWith((_, response) => response.writeHead(200).end('<img src=x onerror=alert(1)>'));
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('link', { name: 'See what your endpoint answers' }).click();
    await page.getByText('Attempt 1: 200').waitFor();
    await page.getByText('<img src=x onerror=alert(1)>').waitFor();
    const eventId = page.url().split('/').at(-1) ?? '';
    const received = () => receiver.received.filter(({ body }) => body.includes(eventId)).length;
    const before = received();
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await eventually(() => expect(received()).toBe(before + 1));
  });

  it('keep their filters over a reload, the back button and a copied link', async () => {
    await go('/integrations/webhook-log');
    await page.getByLabel('State').selectOption('delivered');
    await page.getByLabel('Search by phone or id').fill('9198');
    await page.waitForURL(/search=9198/);
    expect(page.url()).toContain('state=delivered');
    await page.reload();
    expect(await page.getByLabel('State').inputValue()).toBe('delivered');
    const copied = await openAs(browser, owner, page.url().replace(addressOf(''), ''));
    await copied.getByLabel('State').waitFor();
    expect(await copied.getByLabel('Search by phone or id').inputValue()).toBe('9198');
    await copied.context().close();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.goBack();
    await page.waitForURL(/state=delivered/);
    expect(await page.getByLabel('State').inputValue()).toBe('delivered');
  });

  it('say "not found" to another account', async () => {
    await go('/keys');
    await page.getByRole('link', { name: 'test' }).click();
    await page.waitForURL(/\/keys\/key_/);
    const path = page.url().replace(addressOf(''), '');
    const stranger = await newAccount('Stranger');
    const other = await openAs(browser, await newVisitor(stranger.accountId), path);
    await other.getByText('NOT_FOUND').waitFor();
    expect(other.problems).toEqual([]);
    await other.context().close();
  });

  it('lead to a first message, which the steps notice by themselves', async () => {
    await approved(account, ['hello_world']);
    await go('');
    await page.getByText(/of 4 done/).waitFor();
    expect(await page.locator('.step.done').count()).toBe(3);
    await account.api.sendMessage({
      ...{ to: freshPhone(), type: 'template' },
      template: { name: 'hello_world', language: { code: 'en_US' } },
    });
    await page.getByText('4 of 4 done').waitFor();
  });

  it('are left and entered by keys alone', async () => {
    await go('');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('audit');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Audit' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)(
    'please axe in %s colours, and fit 375 pixels',
    async (colorScheme) => {
      const narrow = await openAs(browser, owner, '', { colorScheme, viewport: { width: 375, height: 800 } });
      const wide = await openAs(browser, owner, '', { colorScheme });
      const headings = {
        '': 'Overview',
        '/templates': 'Templates',
        '/templates/new': 'New template',
        '/integrations/messaging/webhook-settings': 'Webhook settings',
        '/integrations/webhook-log': 'Webhook log',
        '/keys': 'API keys',
        '/team': 'Team',
        '/audit': 'Audit',
        '/profile': 'Profile',
        '/api-guide': 'API guide',
      };
      for (const [path, heading] of Object.entries(headings)) {
        for (const one of [wide, narrow]) {
          await one.goto(addressOf(path));
          await one.getByRole('heading', { name: heading, exact: true }).waitFor();
          await one.waitForLoadState('networkidle');
          expect([path, await axeFindings(one)]).toEqual([path, []]);
        }
        expect([path, ...(await sidewaysScroll(narrow))]).toEqual([path, 0, 0]);
      }
      expect([...wide.problems, ...narrow.problems]).toEqual([]);
      await Promise.all([wide.context().close(), narrow.context().close()]);
    },
    90_000,
  );
});
